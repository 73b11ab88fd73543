// Python's door to the core: converts arguments, releases the GIL, hands back arrays. No theory lives here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "bleu.hpp"
#include "chrf.hpp"
#include "columns.hpp"
#include "lines.hpp"
#include "mapped_file.hpp"
#include "nist.hpp"
#include "overlap.hpp"
#include "pairwise_statistics.hpp"
#include "resample.hpp"
#include "ter.hpp"
#include "text.hpp"
#include "tokenizers.hpp"
#include "wer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tertium;

void bind_networks(nb::module_& m);  // network_bindings.cpp

namespace {

// A corpus and what keeps its bytes alive.
struct OwnedCorpus {
    Corpus corpus;
    nb::object owner;
};

// The UTF-8 of a str: its own buffer where it is ASCII, else the copy that CPython caches in it. No text, no crash: a
// lone surrogate (UnicodeEncodeError, which is a ValueError) or a NUL (ValueError) raises, and the Python face turns that
// into an error with the place.
Span utf8_of(PyObject* text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text, &size);
    if (!data) nb::raise_python_error();
    if (std::memchr(data, 0, static_cast<std::size_t>(size))) throw nb::value_error("NUL");
    return {data, static_cast<std::size_t>(size)};
}

[[noreturn]] void wrong_item(Py_ssize_t segment, PyObject* item) {
    PyErr_Format(PyExc_TypeError, "%zd:%s", segment, Py_TYPE(item)->tp_name);
    nb::raise_python_error();
}

// A list of str or None (a missing segment).
OwnedCorpus corpus_of_texts(nb::sequence texts) {
    nb::object owner = nb::steal(PySequence_Tuple(texts.ptr()));
    if (!owner.is_valid()) nb::raise_python_error();
    OwnedCorpus out{{}, owner};
    const Py_ssize_t size = PyTuple_GET_SIZE(owner.ptr());
    out.corpus.pieces.reserve(size);
    for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject* item = PyTuple_GET_ITEM(owner.ptr(), i);
        if (PyUnicode_Check(item)) out.corpus.pieces.push_back(utf8_of(item));
        else if (item == Py_None) out.corpus.pieces.emplace_back();
        else wrong_item(i, item);
    }
    return out;
}

// A list of lists of str, or None.
OwnedCorpus corpus_of_tokens(nb::sequence segments) {
    nb::list owner;
    OwnedCorpus out{{}, nb::object()};
    out.corpus.starts.push_back(0);
    Py_ssize_t index = 0;
    for (nb::handle segment : segments) {
        out.corpus.absent.push_back(segment.is_none());
        if (!segment.is_none()) {
            if (!PyList_Check(segment.ptr()) && !PyTuple_Check(segment.ptr())) wrong_item(index, segment.ptr());
            nb::object tokens = nb::steal(PySequence_Tuple(segment.ptr()));
            if (!tokens.is_valid()) nb::raise_python_error();
            for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(tokens.ptr()); ++j) {
                PyObject* token = PyTuple_GET_ITEM(tokens.ptr(), j);
                if (!PyUnicode_Check(token)) wrong_item(index, token);
                out.corpus.pieces.push_back(utf8_of(token));
            }
            owner.append(tokens);
        }
        out.corpus.starts.push_back(out.corpus.pieces.size());
        ++index;
    }
    out.owner = owner;
    return out;
}

// The lines of a file as a memory map, which lives as long as the corpus. Errors: OSError, or ValueError (lines.hpp).
OwnedCorpus corpus_of_path(const nb::bytes& encoded) {
    const std::string path(encoded.c_str(), encoded.size());
    auto file = std::unique_ptr<MappedFile>();
    OwnedCorpus out{{}, nb::object()};
    try {
        nb::gil_scoped_release release;
        file = std::make_unique<MappedFile>(path);
        out.corpus = corpus_of_file(*file);
    } catch (const std::system_error& error) {
        errno = error.code().value();
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
        nb::raise_python_error();
    }
    out.owner = nb::capsule(file.release(), [](void* p) noexcept { delete static_cast<MappedFile*>(p); });
    return out;
}

// The lines of a bytes-like object (decompressed text); the object stays alive with the corpus.
OwnedCorpus corpus_of_buffer(nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig> bytes) {
    OwnedCorpus out{{}, nb::cast(bytes)};
    nb::gil_scoped_release release;
    out.corpus.pieces = lines_of({reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)});
    return out;
}

// Some columns of a tab-separated file in memory; see columns.hpp.
std::vector<OwnedCorpus> corpora_of_columns(nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig> bytes,
                                            const std::vector<std::size_t>& wanted, std::size_t width,
                                            std::size_t skipped) {
    std::vector<OwnedCorpus> out(wanted.size(), OwnedCorpus{{}, nb::cast(bytes)});
    nb::gil_scoped_release release;
    auto columns = columns_of({reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)}, wanted, width, skipped);
    for (std::size_t j = 0; j < out.size(); ++j) out[j].corpus.pieces = std::move(columns[j]);
    return out;
}

using Rows = nb::ndarray<nb::numpy, double>;

Rows rows_of(double* data, std::vector<std::size_t> shape) {
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return Rows(data, shape.size(), shape.data(), owner);
}

std::vector<const Corpus*> corpora(const std::vector<OwnedCorpus*>& owned) {
    std::vector<const Corpus*> out;
    for (const OwnedCorpus* corpus : owned) out.push_back(&corpus->corpus);
    return out;
}

// (systems, segments, k)
using SystemRows = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Rows resampled(decltype(bootstrap_totals)* totals_of, const SystemRows& rows, const ResampleOptions& options) {
    const std::size_t systems = rows.shape(0), segments = rows.shape(1), k = rows.shape(2),
                      draws = options.last - options.first;
    auto totals = std::make_unique_for_overwrite<double[]>(systems * k * draws);
    {
        nb::gil_scoped_release release;
        totals_of(rows.data(), systems, segments, k, options, totals.get());
    }
    return rows_of(totals.release(), {systems, k, draws});
}

// An array of this shape that `fill` writes, without the GIL.
template <class Fill>
Rows filled(std::vector<std::size_t> shape, Fill fill) {
    const std::size_t size = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    auto rows = std::make_unique_for_overwrite<double[]>(size);
    {
        nb::gil_scoped_release release;
        fill(rows.get());
    }
    return rows_of(rows.release(), std::move(shape));
}

// The rows (systems, segments, a row's shape) that `fill` writes.
template <class Fill>
Rows filled_rows(const std::vector<OwnedCorpus*>& systems, const std::vector<std::size_t>& row_shape, Fill fill) {
    if (systems.empty()) throw std::invalid_argument("there are no systems");
    std::vector<std::size_t> shape{systems.size(), systems[0]->corpus.size()};
    shape.insert(shape.end(), row_shape.begin(), row_shape.end());
    return filled(std::move(shape), fill);
}

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> weights_for(const OwnedCorpus& references, const Weights& weights) {
    if (weights.shape(0) != references.corpus.size()) throw std::invalid_argument("each reference needs its weight");
    return {weights.data(), weights.shape(0)};
}

// Some segments of a corpus; the bytes stay those of the first.
OwnedCorpus taken(const OwnedCorpus& from, const std::vector<std::size_t>& indices) {
    OwnedCorpus out{{}, from.owner};
    const Corpus& corpus = from.corpus;
    if (corpus.tokenised()) out.corpus.starts.push_back(0);
    for (const std::size_t i : indices) {
        if (i >= corpus.size()) throw nb::index_error();
        if (!corpus.tokenised()) {
            out.corpus.pieces.push_back(corpus.pieces[i]);
            continue;
        }
        for (std::size_t j = corpus.starts[i]; j < corpus.starts[i + 1]; ++j)
            out.corpus.pieces.push_back(corpus.pieces[j]);
        out.corpus.starts.push_back(out.corpus.pieces.size());
        out.corpus.absent.push_back(corpus.missing(i));
    }
    return out;
}

// A segment as Python has it: a str, a list of str, or None.
nb::object segment_of(const Corpus& corpus, std::size_t i) {
    if (corpus.missing(i)) return nb::none();
    if (!corpus.tokenised()) return nb::str(corpus.pieces[i].data(), corpus.pieces[i].size());
    nb::list tokens;
    for (std::size_t j = corpus.starts[i]; j < corpus.starts[i + 1]; ++j)
        tokens.append(nb::str(corpus.pieces[j].data(), corpus.pieces[j].size()));
    return tokens;
}

nb::list segments_of(const OwnedCorpus& corpus) {
    nb::list out;
    for (std::size_t i = 0; i < corpus.corpus.size(); ++i) out.append(segment_of(corpus.corpus, i));
    return out;
}

}  // namespace

NB_MODULE(_core, m) {
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const NotText& error) {
            PyErr_SetString(PyExc_ValueError, error.what());
        } catch (const ChangedFile& changed) {
            const std::string message =
                std::string(changed.what()) + ": the file was written to while it was scored; score it when it is done";
            PyErr_SetString(nb::module_::import_("tertium.errors").attr("InputError").ptr(), message.c_str());
        } catch (const Interrupted&) {
            // the signal's handler has set Python's error
        }
    });
    interrupted = [] {
        nb::gil_scoped_acquire acquire;
        return PyErr_CheckSignals() != 0;
    };

    nb::class_<OwnedCorpus>(m, "Corpus")
        .def("__len__", [](const OwnedCorpus& c) { return c.corpus.size(); })
        .def("__getitem__",
             [](const OwnedCorpus& c, Py_ssize_t i) {
                 const auto size = static_cast<Py_ssize_t>(c.corpus.size());
                 if (i < -size || i >= size) throw nb::index_error();
                 return segment_of(c.corpus, static_cast<std::size_t>(i < 0 ? i + size : i));
             })
        .def("__iter__", [](const OwnedCorpus& c) { return nb::iter(segments_of(c)); })
        .def("__reduce__",
             [](const OwnedCorpus& c) {
                 const nb::object make = nb::module_::import_("tertium.native").attr("corpus");
                 return nb::make_tuple(make, nb::make_tuple(segments_of(c)));
             })
        .def("take", &taken, "indices"_a)
        .def_prop_ro("tokenised", [](const OwnedCorpus& c) { return c.corpus.tokenised(); })
        .def_prop_ro("missing", [](const OwnedCorpus& c) {
            std::vector<std::size_t> missing;
            for (std::size_t i = 0; i < c.corpus.size(); ++i)
                if (c.corpus.missing(i)) missing.push_back(i);
            return missing;
        });

    m.def("corpus_of_texts", &corpus_of_texts, "texts"_a);
    m.def("corpus_of_tokens", &corpus_of_tokens, "segments"_a);
    m.def("corpus_of_path", &corpus_of_path, "path"_a);
    m.def("corpus_of_buffer", &corpus_of_buffer, "bytes"_a);
    m.def("corpora_of_columns", &corpora_of_columns, "bytes"_a, "wanted"_a, "width"_a, "skipped"_a);
    nb::exception<WrongCells>(m, "WrongCells", PyExc_ValueError);

    m.def(
        "tokenize",
        [](const OwnedCorpus& corpus, const std::string& tokenizer, bool lowercase) {
            nb::list out;
            Tokens tokens;
            const Tokenizer run = tokenizer_named(tokenizer);
            for (std::size_t i = 0; i < corpus.corpus.size(); ++i) {
                tokens_of(corpus.corpus, i, run, lowercase, tokens);
                nb::list segment;
                for (const Span token : tokens.tokens) segment.append(nb::str(token.data(), token.size()));
                out.append(segment);
            }
            return out;
        },
        "corpus"_a, "tokenizer"_a, "lowercase"_a);

    m.def(
        "lowercase",
        [](const OwnedCorpus& corpus) {
            nb::list out;
            std::string lowered;
            for (const Span piece : corpus.corpus.pieces) {
                lowered.clear();
                append_lower(piece, lowered);
                out.append(nb::str(lowered.data(), lowered.size()));
            }
            return out;
        },
        "corpus"_a);

    m.def(
        "bleu_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references,
           const std::string& tokenizer, bool lowercase, std::size_t order, const std::string& length,
           unsigned threads) {
            const BleuOptions options{tokenizer_named(tokenizer), lowercase, order, reference_length_named(length)};
            return filled_rows(systems, {2 + 2 * order}, [&](double* rows) {
                bleu_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "tokenizer"_a, "lowercase"_a, "order"_a, "length"_a, "threads"_a);

    m.def(
        "chrf_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references,
           std::size_t characters, std::size_t words, double beta, bool lowercase, bool whitespace, bool eps_smoothing,
           unsigned threads) {
            const ChrfOptions options{characters, words, beta, lowercase, whitespace, eps_smoothing};
            return filled_rows(systems, {3 * (characters + words)}, [&](double* rows) {
                chrf_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "characters"_a, "words"_a, "beta"_a, "lowercase"_a, "whitespace"_a,
        "eps_smoothing"_a, "threads"_a);

    m.def(
        "bleu_pairwise",
        [](const OwnedCorpus& candidates, const OwnedCorpus& references, const std::string& tokenizer, bool lowercase,
           std::size_t order, unsigned threads) {
            const BleuOptions options{tokenizer_named(tokenizer), lowercase, order, ReferenceLength::closest};
            return filled({candidates.corpus.size(), references.corpus.size(), 2 + 2 * order}, [&](double* rows) {
                bleu_pairwise(candidates.corpus, references.corpus, options, threads, rows);
            });
        },
        "candidates"_a, "references"_a, "tokenizer"_a, "lowercase"_a, "order"_a, "threads"_a);

    m.def(
        "chrf_pairwise",
        [](const OwnedCorpus& candidates, const OwnedCorpus& references, std::size_t characters, std::size_t words,
           double beta, bool lowercase, bool whitespace, bool eps_smoothing, unsigned threads) {
            const ChrfOptions options{characters, words, beta, lowercase, whitespace, eps_smoothing};
            return filled({candidates.corpus.size(), references.corpus.size()}, [&](double* utilities) {
                chrf_pairwise(candidates.corpus, references.corpus, options, threads, utilities);
            });
        },
        "candidates"_a, "references"_a, "characters"_a, "words"_a, "beta"_a, "lowercase"_a, "whitespace"_a,
        "eps_smoothing"_a, "threads"_a);

    m.def(
        "bleu_aggregated",
        [](const OwnedCorpus& candidates, const OwnedCorpus& references, const Weights& weights,
           const std::string& tokenizer, bool lowercase, std::size_t order) {
            const BleuOptions options{tokenizer_named(tokenizer), lowercase, order, ReferenceLength::closest};
            const auto shares = weights_for(references, weights);
            return filled({candidates.corpus.size(), 2 + 2 * order}, [&](double* rows) {
                bleu_aggregated(candidates.corpus, references.corpus, shares, options, rows);
            });
        },
        "candidates"_a, "references"_a, "weights"_a, "tokenizer"_a, "lowercase"_a, "order"_a);

    m.def(
        "chrf_aggregated",
        [](const OwnedCorpus& candidates, const OwnedCorpus& references, const Weights& weights, std::size_t characters,
           std::size_t words, bool lowercase, bool whitespace) {
            const ChrfOptions options{characters, words, 0, lowercase, whitespace, false};
            const auto shares = weights_for(references, weights);
            return filled({candidates.corpus.size(), 3 * (characters + words)}, [&](double* rows) {
                chrf_aggregated(candidates.corpus, references.corpus, shares, options, rows);
            });
        },
        "candidates"_a, "references"_a, "weights"_a, "characters"_a, "words"_a, "lowercase"_a, "whitespace"_a);

    m.def(
        "bootstrap_totals",
        [](const SystemRows& rows, std::size_t first, std::size_t last, std::uint64_t seed, unsigned threads) {
            return resampled(bootstrap_totals, rows, {seed, first, last, false, threads});
        },
        "rows"_a, "first"_a, "last"_a, "seed"_a, "threads"_a);

    m.def(
        "subset_totals",
        [](const SystemRows& rows, std::size_t first, std::size_t last, std::uint64_t seed, bool exhaustive,
           unsigned threads) { return resampled(subset_totals, rows, {seed, first, last, exhaustive, threads}); },
        "rows"_a, "first"_a, "last"_a, "seed"_a, "exhaustive"_a, "threads"_a);

    m.def(
        "philox4x32",
        [](std::uint32_t c0, std::uint32_t c1, std::uint32_t c2, std::uint32_t c3, std::uint32_t key0,
           std::uint32_t key1) {
            const PhiloxBlock words = philox4x32({c0, c1, c2, c3}, key0, key1);
            return std::vector<std::uint32_t>(words.begin(), words.end());
        },
        "c0"_a, "c1"_a, "c2"_a, "c3"_a, "key0"_a, "key1"_a);

    m.def(
        "overlap_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references,
           const std::string& tokenizer, bool lowercase, const std::string& rule, std::size_t shortest,
           std::size_t longest, unsigned threads) {
            const OverlapOptions options{tokenizer_named(tokenizer), lowercase, overlap_rule_named(rule), shortest,
                                         longest};
            return filled_rows(systems, {references.size(), 4}, [&](double* rows) {
                overlap_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "tokenizer"_a, "lowercase"_a, "rule"_a, "shortest"_a, "longest"_a, "threads"_a);

    m.def(
        "nist_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references,
           const std::string& tokenizer, bool lowercase, std::size_t order, unsigned threads) {
            const NistOptions options{tokenizer_named(tokenizer), lowercase, order};
            return filled_rows(systems, {2 + 2 * order}, [&](double* rows) {
                nist_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "tokenizer"_a, "lowercase"_a, "order"_a, "threads"_a);

    m.def(
        "ter_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references, bool normalized,
           bool no_punct, bool asian_support, bool case_sensitive, unsigned threads) {
            const TercomOptions options{normalized, no_punct, asian_support, case_sensitive};
            return filled_rows(systems, {2}, [&](double* rows) {
                ter_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "normalized"_a, "no_punct"_a, "asian_support"_a, "case_sensitive"_a, "threads"_a);

    m.def(
        "wer_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references,
           const std::string& tokenizer, bool lowercase, unsigned threads) {
            const WerOptions options{tokenizer_named(tokenizer), lowercase, false, true};
            return filled_rows(systems, {5}, [&](double* rows) {
                wer_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "tokenizer"_a, "lowercase"_a, "threads"_a);

    m.def(
        "cer_statistics",
        [](const std::vector<OwnedCorpus*>& systems, const std::vector<OwnedCorpus*>& references, bool lowercase,
           bool whitespace, unsigned threads) {
            const WerOptions options{tokenize_none, lowercase, true, whitespace};
            return filled_rows(systems, {5}, [&](double* rows) {
                wer_statistics(corpora(systems), corpora(references), options, threads, rows);
            });
        },
        "systems"_a, "references"_a, "lowercase"_a, "whitespace"_a, "threads"_a);

    m.def(
        "tokenize_tercom",
        [](const OwnedCorpus& corpus, bool normalized, bool no_punct, bool asian_support, bool case_sensitive) {
            const TercomOptions options{normalized, no_punct, asian_support, case_sensitive};
            nb::list out;
            Tokens tokens;
            for (const Span text : corpus.corpus.pieces) {
                tokens.tokens.clear();
                tokenize_tercom(text, options, tokens);
                nb::list segment;
                for (const Span token : tokens.tokens) segment.append(nb::str(token.data(), token.size()));
                out.append(segment);
            }
            return out;
        },
        "texts"_a, "normalized"_a, "no_punct"_a, "asian_support"_a, "case_sensitive"_a);

    bind_networks(m);
}
