// The k largest of many numbers, largest first; of equal ones those that stand first.
//
// The k largest so far are kept in order. Most blocks of 64 numbers have none that is larger than the last of them: that
// is seen from the largest of the block, which costs a few instructions. What is no number counts as minus infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "lanes.hpp"
#include "parallel.hpp"

namespace tertium {

struct Top {
    const float* numbers;  // (rows, size)
    std::size_t size, k;   // k <= size
    float* values;         // (rows, k)
    std::int64_t* places;  // (rows, k)
};

// Puts a number into its place among the `count` kept, of which the last is pushed out when there are k.
TERTIUM_INLINE void keep(float number, std::size_t place, std::size_t count, const Top& top, float* values,
                         std::int64_t* places) {
    std::size_t at = std::min(count, top.k - 1);
    for (; at > 0 && values[at - 1] < number; --at) values[at] = values[at - 1], places[at] = places[at - 1];
    values[at] = number;
    places[at] = static_cast<std::int64_t>(place);
}

TERTIUM_INLINE void top_of_row(const Top& top, std::size_t row) {
    constexpr std::size_t block = 4 * lanes_wide;
    const float* numbers = top.numbers + row * top.size;
    float* values = top.values + row * top.k;
    std::int64_t* places = top.places + row * top.k;
    std::size_t i = 0;
    for (; i < top.k; ++i) keep(std::isnan(numbers[i]) ? -INFINITY : numbers[i], i, i, top, values, places);
    while (i < top.size) {
        if (i + block <= top.size) {
            Lanes part, most;
            set(most, -INFINITY);
#pragma GCC unroll 4
            for (std::size_t p = 0; p < block; p += lanes_wide) {
                load(part, numbers + i + p, lanes_wide);
                most = most < part ? part : most;
            }
            if (!any(most > values[top.k - 1])) {
                i += block;
                continue;
            }
        }
        for (const std::size_t end = std::min(top.size, i + block); i < end; ++i)
            if (numbers[i] > values[top.k - 1]) keep(numbers[i], i, top.k, top, values, places);
    }
}

inline void top_portable(const Top& top, std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) top_of_row(top, r);
}
#ifdef TERTIUM_X86
TERTIUM_AVX512 inline void top_avx512(const Top& top, std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) top_of_row(top, r);
}
#endif

inline void find_top(const Top& top, std::size_t rows, Processor processor, unsigned threads) {
    auto run = top_portable;
#ifdef TERTIUM_X86
    if (processor == Processor::avx512) run = top_avx512;
#endif
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, rows * top.size / numbers_of_a_thread + 1));
    if (threads == 1) return run(top, 0, rows);
    parallel_blocks(rows, threads, 1,
                    [&] { return [&](std::size_t begin, std::size_t end) { run(top, begin, end); }; });
}

}  // namespace tertium
