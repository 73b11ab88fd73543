// The tokenizer alphanumeric, ROUGE's: the runs of a-z and 0-9 in the lower-cased text; all else is white space.
//
// Lower-casing is Unicode's, so the two letters above ASCII whose lower case begins with an ASCII letter, the Kelvin
// sign and the dotted capital I, count as k and i.
#pragma once

#include "lowercase.hpp"
#include "text.hpp"

namespace tertium {

inline bool is_alphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

inline void tokenize_alphanumeric(Span text, Tokens& out) {
    out.buffer.clear();
    append_lower(text, out.buffer);
    const char* const end = out.buffer.data() + out.buffer.size();
    for (const char* p = out.buffer.data(); p != end;) {
        if (!is_alphanumeric(*p)) {
            ++p;
            continue;
        }
        const char* const start = p;
        while (p != end && is_alphanumeric(*p)) ++p;
        out.tokens.emplace_back(start, p - start);
    }
}

}  // namespace tertium
