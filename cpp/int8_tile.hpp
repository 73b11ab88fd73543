// What a linear layer of eight-bit integers (int8_linear.hpp) does again and again: a row of numbers becomes integers,
// and a tile of a few rows by 64 outputs is computed from integers. Three ways, the same bits:
//
//     avx512    AVX512-VNNI multiplies 64 pairs of bytes and adds the products in fours, in one instruction. It takes
//               one side unsigned: rows are stored with 128 added, and 128 times the sum of an output's weights is
//               taken away again. The sums of six rows and 64 outputs stay in 24 registers.
//     avx2      bytes are widened to 16 bits, whose products are added in pairs
//     portable  plain C++
//
// Weights lie as avx512 reads them: for each group of four inputs, the four weights of each of 64 outputs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "lanes.hpp"

#ifdef TERTIUM_X86
#include <immintrin.h>
#endif

namespace tertium {

inline constexpr std::size_t panel_outputs = 64;
inline constexpr std::size_t group_inputs = 4;
inline constexpr std::size_t tile_rows = 6;
inline constexpr float least_magnitude = 1e-36f;  // a row of smaller ones is 0: 127 over it would overflow

// A tile to be computed: `rows` rows of integers by one panel of weights.
struct Int8Tile {
    const std::uint8_t* numbers;  // (rows, 4 * groups), 128 added
    const float* row_scales;
    std::size_t rows, groups;
    const std::int8_t* weights;  // (groups, 64, 4)
    const std::int8_t* soon;     // `groups` lines of 64 bytes that will be wanted after this panel, if they are there
    const float *scales, *biases;
    const std::int32_t* shifts;
    bool relu;
    float* out;  // (rows, stride), the first `width` of a panel are written
    std::size_t stride, width;
};

// A row of numbers as integers in [-127, 127] plus `shift`; returns their scale: NaN where a number is not finite.
template <class Integer>
TERTIUM_INLINE float quantise(const float* row, std::size_t size, int shift, Integer* out) {
    std::uint32_t largest = 0;  // magnitudes compare as their bits do, and what is not finite is above all that is
    for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::bit_cast<std::uint32_t>(row[i]) << 1 >> 1);
    const float magnitude = std::bit_cast<float>(largest);
    if (!(magnitude >= least_magnitude && magnitude <= std::numeric_limits<float>::max())) {
        std::memset(out, shift, size);
        return magnitude < least_magnitude ? 0.0f : std::numeric_limits<float>::quiet_NaN();
    }
    const float factor = 127.0f / magnitude;
    constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: a small number added to it is rounded, halves to even
    const int zero = std::bit_cast<std::int32_t>(rounder) - shift;
    for (std::size_t i = 0; i < size; ++i)
        out[i] = static_cast<Integer>(std::bit_cast<std::int32_t>(row[i] * factor + rounder) - zero);
    return magnitude / 127.0f;
}

// The outputs of a tile's row from its sums.
TERTIUM_INLINE void finish(const Int8Tile& tile, std::size_t row, const std::int32_t* sums) {
    float values[panel_outputs];
    const float scale = tile.row_scales[row];
    for (std::size_t n = 0; n < panel_outputs; ++n)
        values[n] = static_cast<float>(sums[n] - tile.shifts[n]) * (scale * tile.scales[n]) + tile.biases[n];
    if (tile.relu)
        for (std::size_t n = 0; n < panel_outputs; ++n) values[n] = values[n] < 0.0f ? 0.0f : values[n];
    std::memcpy(tile.out + row * tile.stride, values, tile.width * sizeof(float));
}

inline float quantise_portable(const float* row, std::size_t size, std::uint8_t* out) {
    return quantise(row, size, 128, out);
}

inline void tile_portable(const Int8Tile& tile) {
    for (std::size_t m = 0; m < tile.rows; ++m) {
        std::int32_t sums[panel_outputs] = {};
        const std::uint8_t* numbers = tile.numbers + m * tile.groups * group_inputs;
        const std::int8_t* weights = tile.weights;
        for (std::size_t g = 0; g < tile.groups; ++g, numbers += group_inputs, weights += panel_outputs * group_inputs)
            for (std::size_t n = 0; n < panel_outputs; ++n) {
                const std::int8_t* w = weights + n * group_inputs;
                sums[n] += numbers[0] * w[0] + numbers[1] * w[1] + numbers[2] * w[2] + numbers[3] * w[3];
            }
        finish(tile, m, sums);
    }
}

#ifdef TERTIUM_X86

TERTIUM_AVX2 inline float quantise_avx2(const float* row, std::size_t size, std::uint8_t* out) {
    return quantise(row, size, 128, out);
}

TERTIUM_AVX512 inline float quantise_avx512(const float* row, std::size_t size, std::uint8_t* out) {
    return quantise(row, size, 128, out);
}

// Four numbers of a row as one.
inline std::int32_t four_at(const std::uint8_t* numbers) {
    std::int32_t four;
    std::memcpy(&four, numbers, sizeof four);
    return four;
}

template <std::size_t Rows>
TERTIUM_AVX2 void tile_avx2(const Int8Tile& tile) {
    alignas(32) std::int32_t sums[Rows][panel_outputs];
    for (std::size_t n = 0; n < panel_outputs; n += 8) {  // eight outputs: two registers of sums a row
        const std::int8_t* weights = tile.weights + n * group_inputs;
        const std::uint8_t* numbers = tile.numbers;
        __m256i sum[Rows][2];
#pragma GCC unroll 8
        for (std::size_t m = 0; m < Rows; ++m) sum[m][0] = sum[m][1] = _mm256_setzero_si256();
        for (std::size_t g = 0; g < tile.groups; ++g) {
            const auto* four = reinterpret_cast<const __m128i*>(weights + g * panel_outputs * group_inputs);
            const __m256i low = _mm256_cvtepi8_epi16(_mm_load_si128(four));
            const __m256i high = _mm256_cvtepi8_epi16(_mm_load_si128(four + 1));
#pragma GCC unroll 8
            for (std::size_t m = 0; m < Rows; ++m) {
                const std::int32_t bytes = four_at(numbers + (m * tile.groups + g) * group_inputs);
                const __m256i number = _mm256_broadcastq_epi64(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(bytes)));
                sum[m][0] = _mm256_add_epi32(sum[m][0], _mm256_madd_epi16(number, low));
                sum[m][1] = _mm256_add_epi32(sum[m][1], _mm256_madd_epi16(number, high));
            }
        }
#pragma GCC unroll 8
        for (std::size_t m = 0; m < Rows; ++m) {  // an output's sum is still in two halves side by side
            const __m256i halves = _mm256_hadd_epi32(sum[m][0], sum[m][1]);
            _mm256_store_si256(reinterpret_cast<__m256i*>(sums[m] + n), _mm256_permute4x64_epi64(halves, 0xd8));
        }
    }
    for (std::size_t m = 0; m < Rows; ++m) finish(tile, m, sums[m]);
}

template <std::size_t Rows>
TERTIUM_AVX512 void tile_avx512(const Int8Tile& tile) {
    constexpr std::size_t registers = panel_outputs / 16;
    const std::uint8_t* numbers = tile.numbers;
    const std::int8_t* weights = tile.weights;
    const std::size_t stride = tile.groups * group_inputs;
    __m512i sum[Rows][registers];
#pragma GCC unroll 8
    for (std::size_t m = 0; m < Rows; ++m)
#pragma GCC unroll 8
        for (std::size_t r = 0; r < registers; ++r) sum[m][r] = _mm512_setzero_si512();
    for (std::size_t g = 0; g < tile.groups; ++g, numbers += group_inputs, weights += panel_outputs * group_inputs) {
        __m512i weight[registers];
        _mm_prefetch(tile.soon + g * 64, _MM_HINT_T1);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < registers; ++r) weight[r] = _mm512_load_si512(weights + r * 64);
#pragma GCC unroll 8
        for (std::size_t m = 0; m < Rows; ++m) {
            const __m512i number = _mm512_set1_epi32(four_at(numbers + m * stride));
#pragma GCC unroll 8
            for (std::size_t r = 0; r < registers; ++r) sum[m][r] = _mm512_dpbusd_epi32(sum[m][r], number, weight[r]);
        }
    }
    alignas(64) std::int32_t sums[Rows][panel_outputs];
#pragma GCC unroll 8
    for (std::size_t m = 0; m < Rows; ++m)
#pragma GCC unroll 8
        for (std::size_t r = 0; r < registers; ++r) _mm512_store_si512(sums[m] + 16 * r, sum[m][r]);
    for (std::size_t m = 0; m < Rows; ++m) finish(tile, m, sums[m]);
}

#endif

// One of the three ways. `tiles[rows - 1]` computes a tile of so many rows.
struct Int8Kernels {
    float (*quantise)(const float* row, std::size_t size, std::uint8_t* out);
    void (*tiles[tile_rows])(const Int8Tile&);
};

inline const Int8Kernels& int8_kernels(Processor processor) {
    constexpr auto p = tile_portable;
    static const Int8Kernels portable{quantise_portable, {p, p, p, p, p, p}};
#ifdef TERTIUM_X86
    static const Int8Kernels avx2{quantise_avx2,
                                  {tile_avx2<1>, tile_avx2<2>, tile_avx2<3>, tile_avx2<4>, tile_avx2<5>, tile_avx2<6>}};
    static const Int8Kernels avx512{
        quantise_avx512,
        {tile_avx512<1>, tile_avx512<2>, tile_avx512<3>, tile_avx512<4>, tile_avx512<5>, tile_avx512<6>}};
    if (processor == Processor::avx2) return avx2;
    if (processor == Processor::avx512) return avx512;
#endif
    return portable;
}

}  // namespace tertium
