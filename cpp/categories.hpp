// The general category of a character as far as tokenizers ask for it: number, punctuation, symbol, or other.
#pragma once

#include "code_point_table.hpp"
#include "unicode_tables.hpp"

namespace tertium {

inline constexpr auto points_of_category = [](const CategoryRange& range, auto visit) {
    for (char32_t point = range.first; point <= range.last; ++point) visit(point);
};

constexpr auto make_category_table() {
    CodePointTable<Category, blocks_touched(category_ranges, points_of_category)> table;
    for (const CategoryRange& range : category_ranges)
        points_of_category(range, [&](char32_t point) { table.set(point, range.category); });
    return table;
}
inline constexpr auto category_table = make_category_table();

inline Category category_of(char32_t point) {
    return category_table[point];
}

}  // namespace tertium
