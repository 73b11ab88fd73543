// The tokenization of mteval-v13a.pl, the default of BLEU since WMT.
//
// The rules, on the text with a space before and after it:
//   1. "<skipped>" and "-\n" are removed, a newline becomes a space; &quot; &amp; &lt; &gt; are decoded, in this order.
//   2. a space on both sides of every { | } ~ [ \ ] ^ _ ` ! " # $ % & ( ) * + : ; < = > ? @ /
//   3. X. -> X .   for a period or comma after anything but a digit X
//   4. .X ->  . X  before anything but a digit X
//   5. 7- -> 7 -   after a digit
// Rules 3 to 5 are regular expressions that consume both characters they look at, so in a run of periods and commas
// only every other one is the second of a pair of rule 3. Worked out for a run p1 .. pk between the characters a and b:
//   - the p's are always separated from each other;
//   - p1 is separated from a, unless k = 1 and both a and b are digits ("3.14");
//   - pk is separated from b, unless b is a digit and pk was not second in a pair: a digit before the run shifts the
//     pairs by one, so that is k even after a non-digit ("x..5" -> "x . .5") and k odd after a digit.
// Hence tokens are spans of the text and one pass finds them. Only texts that rule 1 changes are rewritten first. All
// rules look at ASCII only, so bytes will do. The readable twin runs the five rules one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#ifdef __SSSE3__
#include <tmmintrin.h>
#endif

#include "text.hpp"

namespace tertium {

// Python's `text.replace(from, to)` for a `to` that is no longer than `from`: in place, each byte moved once.
inline void replace_all(std::string& text, Span from, Span to) {
    std::size_t at = text.find(from), kept = at;
    while (at != std::string::npos) {
        to.copy(text.data() + kept, to.size());
        kept += to.size();
        at += from.size();
        const std::size_t next = text.find(from, at), end = std::min(next, text.size());
        std::copy(text.begin() + at, text.begin() + end, text.begin() + kept);
        kept += end - at;
        at = next;
    }
    if (kept != std::string::npos) text.resize(kept);
}

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

enum class Byte13a : std::uint8_t { letter, space, maybe_space, symbol, period, hyphen };

constexpr std::array<Byte13a, 256> make_13a_kinds() {
    std::array<Byte13a, 256> kinds{};
    for (int c = 0; c < 256; ++c) {
        if (byte_kinds[c] == ByteKind::space) kinds[c] = Byte13a::space;
        if (byte_kinds[c] == ByteKind::maybe_space) kinds[c] = Byte13a::maybe_space;
    }
    for (const char c : Span("{|}~[\\]^_`!\"#$%&()*+:;<=>?@/")) kinds[static_cast<unsigned char>(c)] = Byte13a::symbol;
    kinds['.'] = kinds[','] = Byte13a::period;
    kinds['-'] = Byte13a::hyphen;
    return kinds;
}
inline constexpr auto kinds_13a = make_13a_kinds();

// For looking at sixteen bytes together: a byte may be something other than a letter only if the entries of its high
// half in `group` and of its low half in `members` share a bit. There are more rows of the ASCII table with such bytes
// than bits, so some share one, and a letter may be taken for something else: that costs one more call and nothing
// else.
struct HalfByteTables {
    std::array<std::uint8_t, 16> group{1, 2, 4, 8, 16, 32, 16, 64, 0, 0, 0, 0, 128, 0, 128, 0}, members{};
};

constexpr HalfByteTables make_half_byte_tables() {
    HalfByteTables tables;
    for (int c = 0; c < 256; ++c)
        if (kinds_13a[c] != Byte13a::letter) tables.members[c % 16] |= tables.group[c / 16];
    return tables;
}
inline constexpr HalfByteTables half_bytes_13a = make_half_byte_tables();

constexpr bool half_bytes_find_all() {
    for (int c = 0; c < 256; ++c)
        if (kinds_13a[c] != Byte13a::letter && !(half_bytes_13a.members[c % 16] & half_bytes_13a.group[c / 16]))
            return false;
    return true;
}
static_assert(half_bytes_find_all());

// A place in [p, end] before which there are only letters, and which is not a letter itself, or is one taken for
// another.
inline const char* skip_letters(const char* p, const char* end) {
#ifdef __SSSE3__
    const __m128i by_low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(half_bytes_13a.members.data()));
    const __m128i by_high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(half_bytes_13a.group.data()));
    const __m128i half = _mm_set1_epi8(15);
    for (; end - p >= 16; p += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i low = _mm_shuffle_epi8(by_low, _mm_and_si128(bytes, half));
        const __m128i high = _mm_shuffle_epi8(by_high, _mm_and_si128(_mm_srli_epi16(bytes, 4), half));
        const __m128i letters = _mm_cmpeq_epi8(_mm_and_si128(low, high), _mm_setzero_si128());
        const unsigned others = ~static_cast<unsigned>(_mm_movemask_epi8(letters)) & 0xFFFF;
        if (others) return p + std::countr_zero(others);
    }
#endif
    while (p != end && kinds_13a[static_cast<unsigned char>(*p)] == Byte13a::letter) ++p;
    return p;
}

// Whether rule 1 has something to do at the symbol or newline p.
inline bool rule_1_applies(const char* p, const char* begin, const char* end) {
    const Span rest(p, end - p);
    if (*p == '<') return rest.starts_with("<skipped>");
    if (*p == '&')
        return rest.starts_with("&quot;") || rest.starts_with("&amp;") || rest.starts_with("&lt;") ||
               rest.starts_with("&gt;");
    return *p == '\n' && p != begin && p[-1] == '-';
}

inline void apply_rule_1(Span text, std::string& out) {
    out.assign(strip_right(text));
    replace_all(out, "<skipped>", "");
    replace_all(out, "-\n", "");
    replace_all(out, "\n", " ");
    replace_all(out, "&quot;", "\"");
    replace_all(out, "&amp;", "&");
    replace_all(out, "&lt;", "<");
    replace_all(out, "&gt;", ">");
}

// Rules 2 to 5. Returns false, at once, if `watch` is set and rule 1 would have something to do.
template <bool watch>
bool split_13a(Span text, std::vector<Span>& tokens) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* start = nullptr;  // of the token at hand
    const auto finish = [&](const char* p) {
        if (start) tokens.emplace_back(start, p - start);
        start = nullptr;
    };
    for (const char* p = begin; p != end;) {
        switch (kinds_13a[static_cast<unsigned char>(*p)]) {
            case Byte13a::letter:
                if (!start) start = p;
                p = skip_letters(p + 1, end);
                if (p != end && *p == ' ') finish(p++);  // the usual case, without the switch
                break;
            case Byte13a::space:
                if (watch && *p == '\n' && rule_1_applies(p, begin, end)) return false;
                finish(p++);
                break;
            case Byte13a::maybe_space:
                if (const std::size_t width = wide_space(p, end)) {
                    finish(p);
                    p += width;
                } else {
                    if (!start) start = p;
                    ++p;
                }
                break;
            case Byte13a::symbol:
                if (watch && (*p == '&' || *p == '<') && rule_1_applies(p, begin, end)) return false;
                finish(p);
                tokens.emplace_back(p++, 1);
                break;
            case Byte13a::hyphen:
                if (p != begin && is_digit(p[-1])) {
                    finish(p);
                    tokens.emplace_back(p, 1);
                } else if (!start) {
                    start = p;
                }
                ++p;
                break;
            case Byte13a::period: {
                const char* last = p;  // the run is p .. last
                while (last + 1 != end && kinds_13a[static_cast<unsigned char>(last[1])] == Byte13a::period) ++last;
                const bool after_digit = p != begin && is_digit(p[-1]);
                const bool before_digit = last + 1 != end && is_digit(last[1]);
                const bool odd = (last - p) % 2 == 0;
                if (after_digit && before_digit && p == last) {
                    ++p;
                    break;
                }
                finish(p);
                for (; p != last; ++p) tokens.emplace_back(p, 1);
                if (before_digit && odd == after_digit) start = p;
                else tokens.emplace_back(p, 1);
                ++p;
                break;
            }
        }
    }
    finish(end);
    return true;
}

inline void tokenize_13a(Span text, Tokens& out) {
    const std::size_t before = out.tokens.size();
    if (split_13a<true>(text, out.tokens)) return;
    out.tokens.resize(before);
    apply_rule_1(text, out.buffer);
    split_13a<false>(out.buffer, out.tokens);
}

}  // namespace tertium
