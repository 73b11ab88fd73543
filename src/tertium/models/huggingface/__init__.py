"""Local folders of Hugging Face networks as models of Tertium: encoder-decoders and language models.

    encoder-decoder   Marian, T5 and mT5, BART and mBART, NLLB and M2M100, ...: the source in the encoder
    causal            Llama, Qwen, Mistral, Gemma, GPT-2, ...: the source in a template, which the network continues

What belongs to the network is honoured: the token a decoder starts from, the language token after it, tokens that are
never to be generated (their probability is 0, the others' are normalised again), several tokens that end a text (they
count as one: the probability of the end is their sum). What belongs to a search (`num_beams`, `length_penalty` ... in
generation_config.json) is not read: searches have options of their own. The language token is given and not generated,
so it is no token of the translation.

    folder.py     what is read from a folder, and what is refused
    text.py       text <-> tokens
    networks.py   the two kinds behind `NextToken`
    cache.py      their states

Nothing is downloaded and no code of a folder is run.
"""

from tertium.errors import MissingExtra

try:
    import transformers as transformers
except ImportError:
    raise MissingExtra("a Hugging Face model", "transformers", "train") from None

from tertium.models.huggingface.folder import load_huggingface as load_huggingface
from tertium.models.huggingface.networks import Causal as Causal
from tertium.models.huggingface.networks import EncoderDecoder as EncoderDecoder
