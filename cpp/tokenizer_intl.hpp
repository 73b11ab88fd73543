// The international tokenization of mteval-v14.pl.
//
// The rules, one after the other, on the text without white space at its end (N numbers, P punctuation, S symbols; _ is
// a space):
//   1. xp -> x_p_    for p in P after an x that is not in N
//   2. px -> _p_x    for p in P before an x that is not in N
//   3. s  -> _s_     for s in S
// Rules 1 and 2 consume both characters they look at. So of several p's in a row after something that is not a
// number, rule 1 separates the first, third, fifth ...; let m(i) say that it separates the character at i:
//
//     m(i) = i is in P, there is a character before it, that one is not in N, and not m(i-1)
//
// After rule 1 no two p's touch any longer (of two that did, the second would have been separated), so rule 2 meets
// each of the remaining ones by itself: it is separated if a character follows and that one is not in N. Hence a p is
// a token unless
//   - the text begins or a number stands before it, or the p before it was separated by rule 1, and
//   - the text ends or a number stands after it.
// Tokens are therefore spans of the text and one pass finds them; the readable twin runs the three rules in turn.
#pragma once

#include <array>

#include "categories.hpp"
#include "text.hpp"

namespace tertium {

enum class IntlKind : std::uint8_t { other, number, punctuation, symbol, space, wide };

constexpr std::array<IntlKind, 256> make_intl_kinds() {
    std::array<IntlKind, 256> kinds{};
    for (int c = 0; c < 128; ++c) {
        kinds[c] = static_cast<IntlKind>(category_table[static_cast<char32_t>(c)]);
        if (byte_kinds[c] == ByteKind::space) kinds[c] = IntlKind::space;
    }
    for (int c = 128; c < 256; ++c) kinds[c] = IntlKind::wide;
    return kinds;
}
inline constexpr auto intl_kinds = make_intl_kinds();

// The kind of the character at p; `wide` is never the answer.
inline IntlKind intl_kind_at(const char* p, const char* end) {
    const IntlKind kind = intl_kinds[static_cast<unsigned char>(*p)];
    if (kind != IntlKind::wide) return kind;
    if (space_at(p, end)) return IntlKind::space;
    return static_cast<IntlKind>(category_of(code_point(p)));
}

inline void tokenize_intl(Span text, Tokens& out) {
    text = strip_right(text);
    const char* const end = text.data() + text.size();
    const char* start = nullptr;  // of the token at hand
    bool first = true;            // no character stands before
    bool after_number = false;
    bool after_separated = false;  // rule 1 separated the character before
    for (const char* p = text.data(); p != end;) {
        const IntlKind kind = intl_kind_at(p, end);
        const std::size_t width = character_width(static_cast<unsigned char>(*p));
        bool separated = false;
        if (kind == IntlKind::other || kind == IntlKind::number) {
            if (!start) start = p;
        } else {
            bool token = kind == IntlKind::symbol;
            if (kind == IntlKind::punctuation) {
                separated = !first && !after_number && !after_separated;
                token = separated || (p + width != end && intl_kind_at(p + width, end) != IntlKind::number);
            }
            if (token || kind == IntlKind::space) {
                if (start) out.tokens.emplace_back(start, p - start);
                start = nullptr;
                if (token) out.tokens.emplace_back(p, width);
            } else if (!start) {
                start = p;
            }
        }
        p += width;
        first = false;
        after_number = kind == IntlKind::number;
        after_separated = separated;
    }
    if (start) out.tokens.emplace_back(start, end - start);
}

}  // namespace tertium
