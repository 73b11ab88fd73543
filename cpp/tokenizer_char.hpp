// The tokenizer char: every character that is not white space is a token.
#pragma once

#include "text.hpp"

namespace tertium {

inline void tokenize_char(Span text, Tokens& out) {
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p != end;) {
        if (const std::size_t width = space_at(p, end)) {
            p += width;
        } else {
            const std::size_t bytes = character_width(static_cast<unsigned char>(*p));
            out.tokens.emplace_back(p, bytes);
            p += bytes;
        }
    }
}

}  // namespace tertium
