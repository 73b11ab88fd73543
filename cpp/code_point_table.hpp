// A value for every code point, looked up with two array accesses.
//
// The code points are cut into blocks of 256. `blocks_` says for each block where its values stand in `values_`; all
// blocks without any value share the first stretch, which is zero. The table is filled at compile time from sorted
// ranges, so the ranges stay readable in the source (unicode_tables.hpp) and nothing runs when the program starts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tertium {

// There are 0x1100 blocks; `Blocks` of them have values.
template <class Value, std::size_t Blocks>
class CodePointTable {
  public:
    constexpr void set(char32_t point, Value value) {
        std::uint8_t& block = blocks_[point >> 8];
        if (!block) block = static_cast<std::uint8_t>(++used_);
        values_[std::size_t{block} * 256 + (point & 255)] = value;
    }
    constexpr Value operator[](char32_t point) const {
        return values_[std::size_t{blocks_[point >> 8]} * 256 + (point & 255)];
    }

  private:
    static_assert(Blocks < 256);
    std::array<std::uint8_t, 0x1100> blocks_{};
    std::array<Value, (Blocks + 1) * 256> values_{};  // the stretch of block 0 stays zero
    std::size_t used_ = 0;
};

// How many blocks the ranges touch; `points(range, visit)` visits the code points of a range.
template <class Ranges, class Points>
constexpr std::size_t blocks_touched(const Ranges& ranges, Points points) {
    std::array<bool, 0x1100> touched{};
    std::size_t count = 0;
    for (const auto& range : ranges)
        points(range, [&](char32_t point) {
            if (!touched[point >> 8]) ++count;
            touched[point >> 8] = true;
        });
    return count;
}

}  // namespace tertium
