// Length of the longest common subsequence, 64 symbols of the reference at a time (Hyyrö, 2004).
//
// Let L(i, j) be the length for the first i symbols of the hypothesis and the first j of the reference. Along j it
// grows by 0 or 1, so a row of the table is a bit string V with a 0 where it grows. The next hypothesis symbol s,
// with a 1 in M wherever s stands in the reference, gives
//
//     U = V & M,   V' = (V + U) | (V & ~M)
//
// and the zeros of the last V are the length. Here one machine word of the reference is taken through the whole
// hypothesis before the next one; all that passes from word to word is the carry of each addition, one byte for each
// hypothesis symbol. So the masks of one word are enough, and long texts need no more memory than short ones for each
// symbol.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace tertium {

class SubsequenceMatcher {
  public:
    // Both texts as symbols below `symbols`, or `unknown` in the hypothesis.
    std::size_t length(std::span<const Symbol> hypothesis, std::span<const Symbol> reference, std::size_t symbols) {
        masks_.assign(symbols, 0);
        carries_.assign(hypothesis.size(), 0);
        std::size_t common = 0;
        for (std::size_t begin = 0; begin < reference.size(); begin += 64) {
            const std::size_t size = std::min<std::size_t>(64, reference.size() - begin);
            for (std::size_t j = 0; j < size; ++j) masks_[reference[begin + j]] |= std::uint64_t{1} << j;
            std::uint64_t row = ~std::uint64_t{0};
            for (std::size_t i = 0; i < hypothesis.size(); ++i) {
                const std::uint64_t mask = hypothesis[i] == unknown ? 0 : masks_[hypothesis[i]];
                const std::uint64_t first = row + (row & mask), sum = first + carries_[i];
                carries_[i] = first < row || sum < first;
                row = sum | (row & ~mask);
            }
            const std::uint64_t used = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
            common += std::popcount(~row & used);
            for (std::size_t j = 0; j < size; ++j) masks_[reference[begin + j]] = 0;
        }
        return common;
    }

  private:
    std::vector<std::uint64_t> masks_;
    std::vector<std::uint8_t> carries_;
};

}  // namespace tertium
