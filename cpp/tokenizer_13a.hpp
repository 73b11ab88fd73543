// The tokenization of mteval-v13a.pl, the default of BLEU since WMT.
//
// On the text with one space put before and after it:
//   1. &quot; &amp; &lt; &gt; are decoded, in this order; "<skipped>" and "-\n" are removed, a newline becomes a space.
//   2. a space on both sides of every { | } ~ [ \ ] ^ _ ` ! " # $ % & ( ) * + : ; < = > ? @ /
//   3. X. -> X .   for a period or comma X after anything but a digit
//   4. .X ->  . X  before anything but a digit
//   5. 7- -> 7 -   after a digit
// Rules 3 to 5 consume both characters they look at, so the second of two adjacent matches may be left to a later rule:
// they are run one after the other, each over the output of the one before. They look at ASCII only, so bytes will do.
#pragma once

#include <string>

#include "text.hpp"

namespace tertium {

inline void replace_all(std::string& text, Span from, Span to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_period_or_comma(char c) { return c == '.' || c == ','; }
inline bool is_13a_symbol(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
           (c >= ':' && c <= '@') || c == '/';
}

inline void tokenize_13a(Span text, Tokens& out) {
    std::string& a = out.buffer;
    std::string& b = out.scratch;
    a.assign(strip_right(text));
    replace_all(a, "<skipped>", "");
    replace_all(a, "-\n", "");
    replace_all(a, "\n", " ");
    if (a.find('&') != std::string::npos) {
        replace_all(a, "&quot;", "\"");
        replace_all(a, "&amp;", "&");
        replace_all(a, "&lt;", "<");
        replace_all(a, "&gt;", ">");
    }
    b = " ";
    for (const char c : a) {
        if (is_13a_symbol(c)) (b += ' ', b += c, b += ' ');
        else b += c;
    }
    b += ' ';
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {
        a += b[i];
        if (!is_digit(b[i]) && i + 1 < b.size() && is_period_or_comma(b[i + 1])) (a += ' ', a += b[++i], a += ' ');
    }
    b.clear();
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (is_period_or_comma(a[i]) && i + 1 < a.size() && !is_digit(a[i + 1])) (b += ' ', b += a[i], b += ' ', b += a[++i]);
        else b += a[i];
    }
    a.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {
        a += b[i];
        if (is_digit(b[i]) && i + 1 < b.size() && b[i + 1] == '-') (a += ' ', a += b[++i], a += ' ');
    }
    split(a, out.tokens);
}

}  // namespace tertium
