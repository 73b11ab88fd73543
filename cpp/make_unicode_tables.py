"""Writes unicode_tables.hpp, the Unicode facts that the core needs. Run it as `python cpp/make_unicode_tables.py`.

Two sources, because the core must agree with two pieces of software:

- general categories N, P and S come from the `regex` package, whose classes mteval-v14's rules are run with elsewhere;
- lower case comes from the running Python, because "lower-cased" means `str.lower`. Whether a character counts as
cased,
  or is ignored between a capital sigma and its neighbours, is read off what `str.lower` makes of a sigma beside it.

Everything is written as sorted ranges; the header's reader turns them into look-up tables at compile time.
"""

import sys
import unicodedata
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import regex

CODE_POINTS = [*range(0xD800), *range(0xE000, 0x110000)]
SIGMA = "\u03a3"

# A character that each version of Unicode added, newest first: tells which version a library knows.
WITNESSES = {"17.0": 0x16EA0, "16.0": 0x10D40, "15.1": 0x2FFC, "15.0": 0x1D2C0, "14.0": 0x1FAC4}


def version_of_regex() -> str:
    """The Unicode version behind the classes of the `regex` package."""
    return next(version for version, point in WITNESSES.items() if not regex.match(r"\p{Cn}", chr(point)))


def category(point: int) -> str:
    """N, P, S, or an empty string for all other categories."""
    return next((name for name in "NPS" if regex.match(rf"\p{{{name}}}", chr(point))), "")


def is_cased(point: int) -> bool:
    """Whether a capital sigma right after the character becomes a final one: it is cased and not ignored."""
    return (chr(point) + SIGMA).lower()[-1] == "ς"


def is_ignored(point: int) -> bool:
    """Whether the search for a cased neighbour of a capital sigma goes on past the character."""
    return not is_cased(point) and ("A" + SIGMA + chr(point) + "A").lower()[1] == "σ"


def ranges(holds: Callable[[int], bool]) -> Iterable[tuple[int, int]]:
    """First and last of every run of code points for which the property holds."""
    held = [point for point in CODE_POINTS if holds(point)]
    firsts = [point for before, point in pairwise([-2, *held]) if point != before + 1]
    lasts = [point for point, after in pairwise([*held, -2]) if after != point + 1]
    return zip(firsts, lasts, strict=True)


def lower_runs() -> Iterable[tuple[int, int, int, int]]:
    """First, last, stride and distance: every stride-th character from first to last has its lower case so far away."""
    distances = {}
    for point in CODE_POINTS:
        lower = chr(point).lower()
        if len(lower) == 1 and ord(lower) != point:
            distances[point] = ord(lower) - point
        elif len(lower) > 1 and (point, lower) != (0x130, "i\u0307"):
            sys.exit(f"U+{point:04X} has a lower case of several characters that lowercase.hpp does not know")
    points = sorted(distances)
    while points:
        first = points.pop(0)
        for stride in (1, 2):
            last = first
            while distances.get(last + stride) == distances[first] and (stride == 1 or last + 1 not in distances):
                last += stride
            if last != first:
                break
        taken = set(range(first, last + 1, stride))
        points = [point for point in points if point not in taken]
        yield first, last, stride if last != first else 1, distances[first]


def rows(items: Iterable[str]) -> str:
    """The items as lines of a C++ initialiser, no longer than 120 characters."""
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join([*lines, line])


def table(kind: str, name: str, items: Iterable[str]) -> str:
    """One array."""
    return f"inline constexpr {kind} {name}[] = {{\n{rows(items)}\n}};\n"


def main() -> None:
    """Write the header beside this file."""
    categories = {point: category(point) for point in CODE_POINTS}
    spans = [
        (first, last, f"Category::{word}")
        for letter, word in (("N", "number"), ("P", "punctuation"), ("S", "symbol"))
        for first, last in ranges(lambda point, letter=letter: categories[point] == letter)
    ]
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    text = f"""\
// Written by make_unicode_tables.py; do not edit.
// Categories: Unicode {version_of_regex()}. Lower case: Unicode {unicodedata.unidata_version} (Python {python}).
#pragma once

#include <cstdint>

namespace tertium {{

// General categories as far as the tokenizers ask: N, P, S, and all others.
enum class Category : std::uint8_t {{ other, number, punctuation, symbol }};

struct CodePointRange {{
    char32_t first, last;
}};

struct CategoryRange {{
    char32_t first, last;
    Category category;
}};

// Every stride-th code point from first to last has its lower case `distance` further on.
struct LowerRange {{
    char32_t first, last;
    std::int32_t stride, distance;
}};

{table("CategoryRange", "category_ranges", (f"{{0x{a:X}, 0x{b:X}, {c}}}" for a, b, c in sorted(spans)))}
{table("LowerRange", "lower_ranges", (f"{{0x{a:X}, 0x{b:X}, {c}, {d}}}" for a, b, c, d in lower_runs()))}
// Characters that make a neighbouring capital sigma a final or an inner one, unless they are ignored.
{table("CodePointRange", "cased_ranges", (f"{{0x{a:X}, 0x{b:X}}}" for a, b in ranges(is_cased)))}
// Characters that are passed over in the search for a cased neighbour.
{table("CodePointRange", "ignored_ranges", (f"{{0x{a:X}, 0x{b:X}}}" for a, b in ranges(is_ignored)))}
}}  // namespace tertium
"""
    Path(__file__).with_name("unicode_tables.hpp").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
