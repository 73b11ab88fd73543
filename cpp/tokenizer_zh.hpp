// The tokenization of Chinese: each Chinese character is a token, the text between them is cut as by 13a.
//
// White space at both ends of the text is taken off and a space put on both sides of every Chinese character; then
// come the rules 2 to 5 of 13a (tokenizer_13a.hpp), but without a space before and after the text and without
// decoding entities.
//
// A character is Chinese here if sacreBLEU's ranges hold it. They were meant for ideographs, Chinese punctuation,
// strokes, radicals, full-width forms and dingbats. Two of them were written for ideographs above U+FFFF but came out
// as U+2001-2A6D and U+2F81-2FA1, so dashes, curly quotes, arrows and mathematical signs count as Chinese, while
// ideographs above U+FFFF do not. All are three bytes long in UTF-8.
//
// The rules consume both characters they look at, but each one's effect depends on the neighbours alone. Let p be a
// period or comma and
//
//     m(p) = there is a character before p, it is no digit, and it is not a period or comma with m itself
//
// Rule 3 separates p if m(p). Afterwards no two of them touch, so rule 4 sees the rest singly and separates p if
// there is a character behind it that is no digit. Rule 5 separates a hyphen after a digit. One pass finds the tokens
// as spans.
#pragma once

#include <array>
#include <cstdint>

#include "text.hpp"
#include "tokenizer_13a.hpp"

namespace tertium {

struct ChineseRange {
    char32_t first, last;
};
inline constexpr ChineseRange chinese_ranges[] = {
    {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31EF},
    {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
    {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
};

constexpr std::array<std::uint64_t, 1024> make_chinese_bits() {
    std::array<std::uint64_t, 1024> bits{};
    for (const ChineseRange range : chinese_ranges)
        for (char32_t point = range.first; point <= range.last; ++point)
            bits[point >> 6] |= std::uint64_t{1} << (point & 63);
    return bits;
}
inline constexpr auto chinese_bits = make_chinese_bits();

// For a code point below U+10000.
inline bool is_chinese(char32_t point) {
    return chinese_bits[point >> 6] >> (point & 63) & 1;
}

enum class ByteZh : std::uint8_t { letter, space, symbol, period, hyphen, maybe_space, chinese, maybe_chinese };

constexpr std::array<ByteZh, 256> make_zh_kinds() {
    std::array<ByteZh, 256> kinds{};
    for (int c = 0; c < 256; ++c) switch (kinds_13a[c]) {
            case Byte13a::letter: break;
            case Byte13a::space: kinds[c] = ByteZh::space; break;
            case Byte13a::maybe_space: kinds[c] = ByteZh::maybe_space; break;
            case Byte13a::symbol: kinds[c] = ByteZh::symbol; break;
            case Byte13a::period: kinds[c] = ByteZh::period; break;
            case Byte13a::hyphen: kinds[c] = ByteZh::hyphen; break;
        }
    for (int c : {0xE2, 0xE3, 0xE4, 0xE9, 0xEF}) kinds[c] = ByteZh::maybe_chinese;
    for (int c : {0xE5, 0xE6, 0xE7, 0xE8}) kinds[c] = ByteZh::chinese;  // U+5000 to U+8FFF
    return kinds;
}
inline constexpr auto kinds_zh = make_zh_kinds();

inline void tokenize_zh(Span text, Tokens& out) {
    text = strip_right(text);
    const char* begin = text.data();
    const char* const end = begin + text.size();
    for (std::size_t width; begin != end && (width = space_at(begin, end));) begin += width;
    const char* start = nullptr;   // of the token at hand
    const char* paired = nullptr;  // the last period or comma that rule 3 separated
    const auto finish = [&](const char* p) {
        if (start) out.tokens.emplace_back(start, p - start);
        start = nullptr;
    };
    const auto token = [&](const char* p, std::size_t width) {
        finish(p);
        out.tokens.emplace_back(p, width);
    };
    for (const char* p = begin; p != end;) {
        std::size_t width = 1;
        bool letter = false;
        switch (kinds_zh[static_cast<unsigned char>(*p)]) {
            case ByteZh::chinese: token(p, width = 3); break;
            case ByteZh::maybe_chinese:
                width = 3;
                if (space_at(p, end)) finish(p);
                else if (is_chinese(code_point(p))) token(p, 3);
                else letter = true;
                break;
            case ByteZh::letter: letter = true; break;
            case ByteZh::space: finish(p); break;
            case ByteZh::maybe_space:
                if (const std::size_t space = wide_space(p, end)) (finish(p), width = space);
                else letter = true;
                break;
            case ByteZh::symbol: token(p, 1); break;
            case ByteZh::period: {
                const bool pair = p != begin && !is_digit(p[-1]) && paired != p - 1;
                if (pair) paired = p;
                if (pair || (p + 1 != end && !is_digit(p[1]))) token(p, 1);
                else letter = true;
                break;
            }
            case ByteZh::hyphen:
                if (p != begin && is_digit(p[-1])) token(p, 1);
                else letter = true;
                break;
        }
        if (letter && !start) start = p;
        p += width;
    }
    finish(end);
}

}  // namespace tertium
