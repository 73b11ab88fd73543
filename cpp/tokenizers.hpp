// The tokenizers by name, and how a segment of a corpus becomes tokens.
#pragma once

#include <stdexcept>
#include <string>

#include "text.hpp"
#include "tokenizer_13a.hpp"

namespace tertium {

// Appends the tokens of `text`. Tokens may point into `text` or into out.buffer.
using Tokenizer = void (*)(Span text, Tokens& out);

inline void tokenize_none(Span text, Tokens& out) { split(text, out.tokens); }

inline Tokenizer tokenizer_named(const std::string& name) {
    if (name == "none") return tokenize_none;
    if (name == "13a") return tokenize_13a;
    throw std::invalid_argument("unknown native tokenizer " + name);
}

// Tokens of segment i of the corpus; text that came tokenised is taken as it is.
inline void tokens_of(const Corpus& corpus, std::size_t i, Tokenizer tokenizer, Tokens& out) {
    out.tokens.clear();
    if (corpus.tokenised())
        out.tokens.assign(corpus.pieces.begin() + corpus.starts[i], corpus.pieces.begin() + corpus.starts[i + 1]);
    else
        tokenizer(corpus.pieces[i], out);
}

}  // namespace tertium
