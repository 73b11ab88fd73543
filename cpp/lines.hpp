// The lines of a file in memory (usually a map): a line ends at "\n" and nowhere else, and a last line may lack it.
// The whole text is checked once, here, to be valid UTF-8 without NULs, so nothing behind needs to check again. A NUL is
// no part of any text; where one stands the file is damaged, or is UTF-16, of which each byte can be valid UTF-8.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "text.hpp"

namespace tertium {

// Thrown for bytes that are no text: "line:byte:what", the line and the byte in it counted from 1.
struct NotText : std::runtime_error {
    NotText(std::size_t line, std::size_t byte, bool nul)
        : std::runtime_error(std::to_string(line) + ":" + std::to_string(byte) + (nul ? ":NUL" : ":UTF-8")) {}
};

// Offset of the first byte that is a NUL or not part of valid UTF-8, or text.size(). Surrogates and overlong forms are
// invalid.
inline std::size_t not_text_at(Span text) {
    const auto* p = reinterpret_cast<const unsigned char*>(text.data());
    const std::size_t size = text.size();
    const auto trail = [&](std::size_t i) { return i < size && (p[i] & 0xC0) == 0x80; };
    for (std::size_t i = 0; i < size;) {
        if (size - i >= 8) {  // eight ASCII bytes at once; where one is 0, the subtraction borrows
            std::uint64_t word;
            std::memcpy(&word, p + i, 8);
            if (!((word | (word - 0x0101010101010101ull)) & 0x8080808080808080ull)) {
                i += 8;
                continue;
            }
        }
        const unsigned char c = p[i];
        if (c == 0) return i;
        if (c < 0x80) i += 1;
        else if (c >= 0xC2 && c <= 0xDF && trail(i + 1)) i += 2;
        else if (c >= 0xE0 && c <= 0xEF && trail(i + 1) && trail(i + 2) && !(c == 0xE0 && p[i + 1] < 0xA0) &&
                 !(c == 0xED && p[i + 1] > 0x9F))
            i += 3;
        else if (c >= 0xF0 && c <= 0xF4 && trail(i + 1) && trail(i + 2) && trail(i + 3) &&
                 !(c == 0xF0 && p[i + 1] < 0x90) && !(c == 0xF4 && p[i + 1] > 0x8F))
            i += 4;
        else return i;
    }
    return size;
}

// Thrown where a file was written to while it was read.
struct ChangedFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The text of a segment. That of a mapped file is copied and checked again: whoever writes to the file could make it
// anything between the check of the file and now, and the kernels rely on valid UTF-8.
inline Span text_of(const Corpus& corpus, std::size_t i, std::string& copy) {
    if (!corpus.map) return corpus.pieces[i];
    copy.assign(corpus.pieces[i]);
    if (not_text_at(copy) != copy.size()) throw ChangedFile("line " + std::to_string(i + 1));
    return copy;
}

inline std::vector<Span> lines_of(Span text) {
    const std::size_t bad = not_text_at(text);
    if (bad != text.size()) {
        const std::size_t line = std::count(text.begin(), text.begin() + bad, '\n') + 1;
        const std::size_t start = bad == 0 ? Span::npos : text.rfind('\n', bad - 1);
        throw NotText(line, start == Span::npos ? bad + 1 : bad - start, text[bad] == 0);
    }
    std::vector<Span> lines;
    lines.reserve(std::count(text.begin(), text.end(), '\n') + 1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

}  // namespace tertium
