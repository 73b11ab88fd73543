// Lower-casing of UTF-8, equal to Python's `str.lower`.
//
// ASCII goes eight bytes at a time. Every other character has a distance to its lower case, nearly always zero, in a
// table. Two characters are special, as in Unicode's SpecialCasing:
//   - U+0130, capital I with dot, becomes "i" and U+0307, the combining dot;
//   - U+03A3, capital sigma, becomes the final sigma U+03C2 at the end of a word: a cased character stands before it
//     and none after it, not counting characters that are ignored (apostrophes, combining marks ...); else U+03C3.
// A lower-case character may need more bytes or fewer: at most 3 for 2 (U+023A, U+0130), so half as many again are
// enough.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "code_point_table.hpp"
#include "text.hpp"
#include "unicode_tables.hpp"

namespace tertium {

inline constexpr auto points_of_lower = [](const LowerRange& range, auto visit) {
    for (char32_t point = range.first; point <= range.last; point += range.stride) visit(point);
};

constexpr auto make_lower_table() {
    CodePointTable<std::int32_t, blocks_touched(lower_ranges, points_of_lower)> table;
    for (const LowerRange& range : lower_ranges)
        points_of_lower(range, [&](char32_t point) { table.set(point, range.distance); });
    return table;
}
inline constexpr auto lower_table = make_lower_table();

// No character from U+3000 to U+9FFF, those whose UTF-8 begins with E3 to E9, has case.
static_assert(std::ranges::none_of(lower_ranges, [](const LowerRange& range) {
    return range.last >= 0x3000 && range.first <= 0x9FFF;
}));

template <std::size_t N>
bool is_in(const CodePointRange (&ranges)[N], char32_t point) {
    const auto* after = std::upper_bound(ranges, ranges + N, point,
                                         [](char32_t p, const CodePointRange& range) { return p < range.first; });
    return after != ranges && point <= after[-1].last;
}

// Whether the capital sigma at p, two bytes long, ends a word of the text.
inline bool is_final_sigma(const char* p, Span text) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const auto cased_before = [&] {
        for (const char* q = p; q != begin;) {
            do --q;
            while ((static_cast<unsigned char>(*q) & 0xC0) == 0x80);
            const char32_t point = code_point(q);
            if (!is_in(ignored_ranges, point)) return is_in(cased_ranges, point);
        }
        return false;
    };
    const auto cased_after = [&] {
        for (const char* q = p + 2; q != end; q += character_width(static_cast<unsigned char>(*q))) {
            const char32_t point = code_point(q);
            if (!is_in(ignored_ranges, point)) return is_in(cased_ranges, point);
        }
        return false;
    };
    return cased_before() && !cased_after();
}

// Writes the character at `out` and returns the place behind it.
inline char* put_code_point(char* out, char32_t point) {
    const auto put = [&](char32_t byte) { *out++ = static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | point >> 6);
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | point >> 12);
        put(0x80 | (point >> 6 & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
        put(0x80 | (point >> 6 & 0x3F));
        put(0x80 | (point & 0x3F));
    }
    return out;
}

// Eight bytes of ASCII in lower case: bit 7 of `upper` marks the capitals; bit 5 is what the cases differ in.
inline std::uint64_t lower_ascii(std::uint64_t bytes) {
    constexpr std::uint64_t each = 0x0101010101010101ull;
    const std::uint64_t from_a = bytes + each * (0x80 - 'A'), beyond_z = bytes + each * (0x7F - 'Z');
    const std::uint64_t upper = from_a & ~beyond_z & each * 0x80;
    return bytes | upper >> 2;
}

inline char* put_lower(char* out, const char* p, Span text) {
    const char32_t point = code_point(p);
    if (point == 0x3A3) return put_code_point(out, is_final_sigma(p, text) ? 0x3C2 : 0x3C3);
    if (point == 0x130) return put_code_point(put_code_point(out, 'i'), 0x307);
    return put_code_point(out, point + static_cast<char32_t>(lower_table[point]));
}

// Room for any text of so many bytes in lower case, and for the last eight bytes written at once.
inline std::size_t longest_lower(std::size_t size) {
    return size + size / 2 + 8;
}

// Appends the lower-cased text, valid UTF-8, to `out`.
inline void append_lower(Span text, std::string& out) {
    const std::size_t before = out.size();
    out.resize(before + longest_lower(text.size()));
    char* to = out.data() + before;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        if (std::uint64_t bytes; end - p >= 8) {
            std::memcpy(&bytes, p, 8);
            if (!(bytes & 0x8080808080808080ull)) {
                bytes = lower_ascii(bytes);
                std::memcpy(to, &bytes, 8);
                p += 8;
                to += 8;
                continue;
            }
        }
        const auto first = static_cast<unsigned char>(*p);
        if (first < 0x80) {
            *to++ = static_cast<char>(first >= 'A' && first <= 'Z' ? first + 32 : first);
            ++p;
        } else if (first >= 0xE3 && first <= 0xE9) {
            std::memcpy(to, p, 3);
            p += 3;
            to += 3;
        } else {
            to = put_lower(to, p, text);
            p += character_width(first);
        }
    }
    out.resize(static_cast<std::size_t>(to - out.data()));
}

}  // namespace tertium
