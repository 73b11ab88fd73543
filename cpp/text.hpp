// Text as bytes: segments, corpora, Python's idea of white space, and splitting on it.
//
// Everything in the core works on UTF-8 spans that somebody else owns: a Python string's own buffer, a memory map, or a
// scratch buffer of the running thread. Nothing here copies text.
//
// White space is Python's `str.split()`: U+0009-000D, U+001C-0020, U+0085, U+00A0, U+1680, U+2000-200A, U+2028, U+2029,
// U+202F, U+205F, U+3000. U+200B is not white space. In UTF-8 all of them above ASCII begin with C2, E1, E2 or E3, so
// one table look-up a byte decides for nearly every character.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

using Span = std::string_view;

class MappedFile;

// The segments of one file or list. Raw text has one piece a segment; text that came already tokenised has one piece a
// token, and `starts` says where each segment's pieces begin. A missing segment (fewer references than elsewhere) is a
// null span, which is not the same as an empty one.
struct Corpus {
    std::vector<Span> pieces;
    std::vector<std::size_t> starts;  // empty for raw text; otherwise size() + 1 offsets into pieces
    std::vector<bool> absent;         // only for tokenised corpora with missing segments

    const MappedFile* map = nullptr;  // the pieces are lines of it (mapped_file.hpp)

    bool tokenised() const { return !starts.empty(); }
    std::size_t size() const { return tokenised() ? starts.size() - 1 : pieces.size(); }
    bool missing(std::size_t i) const {
        return tokenised() ? (!absent.empty() && absent[i]) : pieces[i].data() == nullptr;
    }
};

// Tokens of the segment at hand. They point into the segment itself or into `buffer`.
struct Tokens {
    std::vector<Span> tokens;
    std::string copy;        // of a line whose file others may write to
    std::string buffer;      // rewritten text of a tokenizer
    std::string scratch;     // a second one, for rules that run one after another
    std::string lowered;     // the lower-cased text
    std::string joined;      // tokens put together again
    std::vector<Span> cuts;  // the first cut, for tokenizers that cut twice
};

enum class ByteKind : std::uint8_t { ordinary, space, maybe_space };

constexpr std::array<ByteKind, 256> make_byte_kinds() {
    std::array<ByteKind, 256> kinds{};
    for (int c = 9; c <= 13; ++c) kinds[c] = ByteKind::space;
    for (int c = 28; c <= 32; ++c) kinds[c] = ByteKind::space;
    for (int c : {0xC2, 0xE1, 0xE2, 0xE3}) kinds[c] = ByteKind::maybe_space;
    return kinds;
}
inline constexpr auto byte_kinds = make_byte_kinds();

// Length in bytes of the white-space character at p (known to start with a `maybe_space` byte), or 0.
inline std::size_t wide_space(const char* p, const char* end) {
    const auto byte = [&](int i) { return static_cast<unsigned char>(p[i]); };
    if (byte(0) == 0xC2) return end - p >= 2 && (byte(1) == 0x85 || byte(1) == 0xA0) ? 2 : 0;
    if (end - p < 3) return 0;
    if (byte(0) == 0xE1) return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    if (byte(0) == 0xE3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    if (byte(1) == 0x80) {
        const bool space = byte(2) <= 0x8A || byte(2) == 0xA8 || byte(2) == 0xA9 || byte(2) == 0xAF;
        return space ? 3 : 0;
    }
    return byte(1) == 0x81 && byte(2) == 0x9F ? 3 : 0;
}

// Length in bytes of the white-space character at p, 0 if there is none.
inline std::size_t space_at(const char* p, const char* end) {
    switch (byte_kinds[static_cast<unsigned char>(*p)]) {
        case ByteKind::ordinary: return 0;
        case ByteKind::space: return 1;
        default: return wide_space(p, end);
    }
}

// Python's `text.split()`: appends the tokens of `text`.
inline void split(Span text, std::vector<Span>& tokens) {
    const char* p = text.data();
    const char* const end = p + text.size();
    const char* start = nullptr;
    while (p != end) {
        if (byte_kinds[static_cast<unsigned char>(*p)] == ByteKind::ordinary) {
            if (!start) start = p;
            ++p;
        } else if (const std::size_t width = space_at(p, end)) {
            if (start) tokens.emplace_back(start, p - start);
            start = nullptr;
            p += width;
        } else {
            if (!start) start = p;
            ++p;
        }
    }
    if (start) tokens.emplace_back(start, end - start);
}

// Length in bytes of the UTF-8 character that begins with this byte (the text is known to be valid).
inline std::size_t character_width(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

// The code point at p (the text is known to be valid UTF-8).
inline char32_t code_point(const char* p) {
    const auto byte = [&](int i) { return static_cast<char32_t>(static_cast<unsigned char>(p[i])); };
    switch (character_width(static_cast<unsigned char>(*p))) {
        case 1: return byte(0);
        case 2: return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
        case 3: return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
        default: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    }
}

// Python's `text.rstrip()`.
inline Span strip_right(Span text) {
    while (!text.empty()) {
        std::size_t width = 1;
        while (width < text.size() && (static_cast<unsigned char>(text[text.size() - width]) & 0xC0) == 0x80) ++width;
        const char* last = text.data() + text.size() - width;
        if (!space_at(last, text.data() + text.size())) break;
        text.remove_suffix(width);
    }
    return text;
}

}  // namespace tertium
