"""sacreBLEU's public interface on Tertium's core: `import tertium.compat.sacrebleu as sacrebleu`.

The modules, classes, arguments, result fields, texts and signatures are those of sacreBLEU 2.6, hence also the names
of the files here. Counting is Tertium's; p-values and confidence intervals come from the same random draws as
sacreBLEU's and so are the same numbers for the same `SACREBLEU_SEED`. Differences, all of them on purpose:

- input that sacreBLEU silently cuts to the shortest stream (files of different length) is refused;
- so are lone surrogates, which no UTF-8 text has, and segments without any reference;
- there are no built-in test sets: asking for one is an error that says what to do instead;
- there is no command line of this name: `tertium score` has the habits of sacreBLEU's;
- statistics of segments are numpy arrays, not lists of lists.

>>> corpus_bleu(["The dog bit the man."], [["The dog had bit the man."]])
BLEU = 51.15 100.0/80.0/50.0/33.3 (BP = 0.846 ratio = 0.857 hyp_len = 6 ref_len = 7)
"""

from tertium.compat.sacrebleu import compat, dataset, metrics, tokenizers, utils
from tertium.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from tertium.compat.sacrebleu.dataset import DATASETS
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER
from tertium.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from tertium.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from tertium.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "compat",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "dataset",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
    "tokenizers",
    "utils",
]
