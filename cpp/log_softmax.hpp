// Log probabilities from logits, in place: x - max - log(sum of exp(x - max)), row by row.
//
// A row of a vocabulary fits into the processor's second cache, where the largest number is found, the sum is made and
// the difference is written in turn. Sixteen partial sums, added halves by halves: the same bits on every processor.
#pragma once

#include <cmath>
#include <cstddef>

#include "lanes.hpp"
#include "parallel.hpp"

namespace tertium {

inline constexpr std::size_t chains = 4;  // of operations that wait for each other's results

// Calls each(sixteen numbers, chain) for all numbers of a row, which is filled up with minus infinity.
template <class Each>
TERTIUM_INLINE void over_row(const float* row, std::size_t size, Each each) {
    Lanes x;
    std::size_t i = 0;
    for (; i + chains * lanes_wide <= size; i += chains * lanes_wide)
#pragma GCC unroll 4
        for (std::size_t c = 0; c < chains; ++c) {
            x = *reinterpret_cast<const Lanes*>(row + i + c * lanes_wide);
            each(x, c);
        }
    for (std::size_t c = 0; i < size; i += lanes_wide, ++c) {
        load(x, row + i, size - i, -INFINITY);
        each(x, c);
    }
}

TERTIUM_INLINE void log_softmax(float* row, std::size_t size) {
    Lanes most[chains], total[chains] = {};
    for (std::size_t c = 0; c < chains; ++c) set(most[c], -INFINITY);
    over_row(row, size,
             [&](Lanes& x, std::size_t c) __attribute__((always_inline)) { most[c] = most[c] < x ? x : most[c]; });
    float shift = -INFINITY;
    for (std::size_t c = 0; c < chains; ++c) shift = std::max(shift, largest(most[c]));
    over_row(row, size, [&](Lanes& x, std::size_t c) __attribute__((always_inline)) {
        x -= shift;
        exp_of_negative(x);
        total[c] += x;
    });
    const float log_total = std::log(sum((total[0] + total[1]) + (total[2] + total[3])));
    for (std::size_t i = 0; i < size; ++i) row[i] = row[i] - shift - log_total;
}

inline void log_softmax_portable(float* rows, std::size_t size, std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) log_softmax(rows + r * size, size);
}
#ifdef TERTIUM_X86
TERTIUM_AVX512 inline void log_softmax_avx512(float* rows, std::size_t size, std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) log_softmax(rows + r * size, size);
}
#endif

inline void log_softmax(float* rows, std::size_t count, std::size_t size, Processor processor, unsigned threads) {
    auto run = log_softmax_portable;
#ifdef TERTIUM_X86
    if (processor == Processor::avx512) run = log_softmax_avx512;
#endif
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, count * size / numbers_of_a_thread + 1));
    if (threads == 1) return run(rows, size, 0, count);
    parallel_blocks(count, threads, 1,
                    [&] { return [&](std::size_t begin, std::size_t end) { run(rows, size, begin, end); }; });
}

}  // namespace tertium
