// The tokenization of tercom, as sacreBLEU ports it for TER. Without options a text is lower-cased and split at white
// space.
//
// `normalized`, on the text with a space before and after it:
//   1. "\n-" is removed, a newline becomes a space; &quot; &amp; &lt; &gt; are decoded, in this order.
//   2. a space on both sides of the symbols of 13a (tokenizer_13a.hpp)
//   3. "'s" before a space is set apart
//   4. to 6. periods, commas and hyphens as rules 3 to 5 of 13a
//   7. with `asian`: a space on both sides of every character of `is_asian`
// `no_punct`: . , ? : ; ! " ( ) are removed, and with `asian` the characters of `is_asian_punctuation`.
//
// All that matters is where tokens end, so the rules become cuts:
// - rules 2, 4, 5, 6 are those of 13a: its one pass over the text finds these cuts.
// - rule 3 comes after the symbols and before the periods: it cuts before the "'s" at the end of a token if the text
//   goes on with a space, a newline or a symbol, or ends. It does not for other white space, or for a period. The space
//   it puts in is as good as the apostrophe for rules 4 to 6 (neither a digit nor a period), so it can come last.
// - rule 7 looks at characters one by one. (sacreBLEU has three more expressions for runs of Hiragana and Katakana, but
//   they hold only at the very beginning of the text, and there stands the space put before it: they never do
//   anything.)
// - removing punctuation after splitting is the same as before it, as none of it is white space.
#pragma once

#include <string>

#include "lowercase.hpp"
#include "text.hpp"
#include "tokenizer_13a.hpp"

namespace tertium {

struct TercomOptions {
    bool normalized = false, no_punct = false, asian = false, case_sensitive = false;
};

inline bool is_asian_punctuation(char32_t c) {
    if (c < 0x3001) return false;
    if (c < 0x3100) return c <= 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) || c == 0x30FB;
    if (c < 0xFF01 || c > 0xFF65) return false;
    return c >= 0xFF61 || c == 0xFF01 || c == 0xFF02 || c == 0xFF08 || c == 0xFF09 || c == 0xFF0C || c == 0xFF0E ||
           c == 0xFF1A || c == 0xFF1B || c == 0xFF1F;
}

// Ideographs, strokes, radicals, compatibility forms and enclosed letters; U+3200-3F22 is the range as it stands there.
inline bool is_asian(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3200 && c <= 0x4DBF) || (c >= 0x31C0 && c <= 0x31EF) ||
           (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F) ||
           is_asian_punctuation(c);
}

inline bool is_tercom_punctuation(char c) {
    return Span(".,?:;!\"()").find(c) != Span::npos;
}

// Rule 1, if it has something to do; else the text itself.
inline Span decode_tercom(Span text, std::string& buffer) {
    const bool newline = text.find('\n') != Span::npos, entity = text.find('&') != Span::npos;
    if (!newline && !entity) return text;
    buffer.assign(text);
    if (newline) {
        replace_all(buffer, "\n-", "");
        replace_all(buffer, "\n", " ");
    }
    if (entity) {
        replace_all(buffer, "&quot;", "\"");
        replace_all(buffer, "&amp;", "&");
        replace_all(buffer, "&lt;", "<");
        replace_all(buffer, "&gt;", ">");
    }
    return buffer;
}

// Appends the pieces of a token: rule 7.
inline void cut_asian(Span token, std::vector<Span>& out) {
    const char* start = token.data();
    const char* const end = start + token.size();
    for (const char* p = start; p != end;) {
        const auto first = static_cast<unsigned char>(*p);
        const std::size_t width = character_width(first);
        if (width == 3 && is_asian(code_point(p))) {
            if (p != start) out.emplace_back(start, p - start);
            out.emplace_back(p, width);
            start = p + width;
        }
        p += width;
    }
    if (start != end) out.emplace_back(start, end - start);
}

inline void split_tercom(Span text, bool asian, Tokens& out) {
    std::vector<Span>& cuts = out.cuts;
    cuts.clear();
    split_13a<false>(text, cuts);
    const char* const end = text.data() + text.size();
    for (Span token : cuts) {
        const char* next = token.data() + token.size();
        const bool possessive =
            token.size() > 2 && token.ends_with("'s") &&
            (next == end || *next == ' ' || kinds_13a[static_cast<unsigned char>(*next)] == Byte13a::symbol);
        if (possessive) token.remove_suffix(2);
        if (asian) cut_asian(token, out.tokens);
        else out.tokens.push_back(token);
        if (possessive) out.tokens.emplace_back(next - 2, 2);
    }
}

// Takes the punctuation out of the tokens from `first` on; a token that is nothing else goes.
inline void remove_punctuation(bool asian, std::size_t first, Tokens& out) {
    std::size_t bytes = 0, kept = first;
    for (std::size_t i = first; i < out.tokens.size(); ++i) bytes += out.tokens[i].size();
    out.scratch.clear();
    out.scratch.reserve(bytes);  // the tokens point into it
    for (std::size_t i = first; i < out.tokens.size(); ++i) {
        const Span token = out.tokens[i];
        const std::size_t start = out.scratch.size();
        for (std::size_t at = 0; at < token.size();) {
            const std::size_t width = character_width(static_cast<unsigned char>(token[at]));
            const bool removed = width == 1   ? is_tercom_punctuation(token[at])
                                 : width == 3 ? asian && is_asian_punctuation(code_point(token.data() + at))
                                              : false;
            if (!removed) out.scratch.append(token.substr(at, width));
            at += width;
        }
        if (out.scratch.size() > start) out.tokens[kept++] = Span(out.scratch).substr(start);
    }
    out.tokens.resize(kept);
}

// Appends the tokens of `text`.
inline void tokenize_tercom(Span text, const TercomOptions& options, Tokens& out) {
    if (!options.case_sensitive) {
        out.lowered.clear();
        append_lower(text, out.lowered);
        text = out.lowered;
    }
    const std::size_t first = out.tokens.size();
    if (options.normalized) split_tercom(decode_tercom(text, out.buffer), options.asian, out);
    else split(text, out.tokens);
    if (options.no_punct) remove_punctuation(options.asian, first, out);
}

}  // namespace tertium
