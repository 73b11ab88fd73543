// The tokenizers by name, and how a segment of a corpus becomes tokens.
#pragma once

#include <stdexcept>
#include <string>

#include "lines.hpp"
#include "lowercase.hpp"
#include "text.hpp"
#include "tokenizer_13a.hpp"
#include "tokenizer_alphanumeric.hpp"
#include "tokenizer_char.hpp"
#include "tokenizer_intl.hpp"
#include "tokenizer_zh.hpp"

namespace tertium {

// Appends the tokens of `text`. Tokens may point into `text` or into out.buffer.
using Tokenizer = void (*)(Span text, Tokens& out);

inline void tokenize_none(Span text, Tokens& out) {
    split(text, out.tokens);
}

// Each token in lower case.
inline void lower_tokens(Tokens& out) {
    std::size_t most = 0;
    for (const Span token : out.tokens) most += longest_lower(token.size());
    out.lowered.clear();
    out.lowered.reserve(most);  // the tokens point into it: it must not move
    for (Span& token : out.tokens) {
        const std::size_t before = out.lowered.size();
        append_lower(token, out.lowered);
        token = Span(out.lowered).substr(before);
    }
}

inline Tokenizer tokenizer_named(const std::string& name) {
    if (name == "none") return tokenize_none;
    if (name == "13a") return tokenize_13a;
    if (name == "intl") return tokenize_intl;
    if (name == "zh") return tokenize_zh;
    if (name == "alphanumeric") return tokenize_alphanumeric;
    if (name == "char") return tokenize_char;
    throw std::invalid_argument("unknown native tokenizer " + name);
}

// Tokens of segment i of the corpus; text that came tokenised is taken as it is, but for its case.
inline void tokens_of(const Corpus& corpus, std::size_t i, Tokenizer tokenizer, bool lowercase, Tokens& out) {
    out.tokens.clear();
    if (corpus.tokenised()) {
        out.tokens.assign(corpus.pieces.begin() + corpus.starts[i], corpus.pieces.begin() + corpus.starts[i + 1]);
        if (lowercase) lower_tokens(out);
    } else if (lowercase) {
        out.lowered.clear();
        append_lower(text_of(corpus, i, out.copy), out.lowered);
        tokenizer(out.lowered, out);
    } else {
        tokenizer(text_of(corpus, i, out.copy), out);
    }
}

}  // namespace tertium
