// Sixteen single-precision numbers at once, on whatever registers a processor has: the compiler splits them.
//
// A function that is to use wider registers than every processor has is compiled several times (`TERTIUM_AVX512`, and
// `TERTIUM_AVX2` where sixteen numbers are not its unit) and chosen when the program runs. Multiplications and additions are not fused, and sums have a fixed
// order, so every version gives the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#if defined(__x86_64__) && defined(__GNUC__)
#define TERTIUM_X86 1
#define TERTIUM_AVX2 __attribute__((target("avx2")))
#define TERTIUM_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,prefer-vector-width=512")))
#endif
#define TERTIUM_INLINE [[gnu::always_inline]] inline

namespace tertium {

// The versions of such functions, in rising order of speed.
enum class Processor { portable, avx2, avx512 };
inline constexpr const char* processors[] = {"portable", "avx2", "avx512"};

inline Processor this_processor() {
#ifdef TERTIUM_X86
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return Processor::avx512;
    if (__builtin_cpu_supports("avx2")) return Processor::avx2;
#endif
    return Processor::portable;
}

// The version of that name, if this processor runs it; for "auto" the fastest.
inline Processor processor_named(const std::string& name) {
    const int most = static_cast<int>(this_processor());
    for (int p = 0; p <= most; ++p)
        if (name == processors[p]) return static_cast<Processor>(p);
    if (name == "auto") return this_processor();
    throw std::invalid_argument("this processor has no " + name);
}

inline constexpr std::size_t lanes_wide = 16;
inline constexpr std::size_t numbers_of_a_thread = 1 << 18;  // fewer are done sooner than a thread is started
typedef float Lanes __attribute__((vector_size(64), aligned(4), may_alias));
typedef std::int32_t IntegerLanes __attribute__((vector_size(64), aligned(4), may_alias));
typedef std::uint32_t BitLanes __attribute__((vector_size(64), aligned(4), may_alias));

TERTIUM_INLINE void set(Lanes& lanes, float value) {
    lanes = Lanes{} + value;
}

// The numbers at `from`; those beyond `count` are `otherwise`.
TERTIUM_INLINE void load(Lanes& lanes, const float* from, std::size_t count, float otherwise = 0.0f) {
    if (count >= lanes_wide) {
        lanes = *reinterpret_cast<const Lanes*>(from);
        return;
    }
    set(lanes, otherwise);
    std::memcpy(&lanes, from, count * sizeof(float));
}

// e to the power of each number that is at most 0, to within 2 in the last place; 0 below -87.
TERTIUM_INLINE void exp_of_negative(Lanes& x) {
    constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: what is added to it is rounded
    const IntegerLanes tiny = x < -87.0f;
    const Lanes shifted = x * 1.44269504f + rounder;
    const Lanes twos = shifted - rounder;
    const Lanes rest = x - twos * (45426.0f / 65536) - twos * 1.42860682e-6f;  // x - twos * log 2, in two parts
    Lanes power = rest * 1.38145985e-3f + 8.36871689e-3f;  // a polynomial fitted to be off by 3e-9 of itself at most
    power = power * rest + 4.1668388e-2f;
    power = power * rest + 1.66665206e-1f;
    power = power * rest + 4.99999934e-1f;
    power = power * (rest * rest) + rest + 1.0f;
    const BitLanes exponent = reinterpret_cast<const BitLanes&>(shifted) << 23;  // of 2 to the power of `twos`
    const BitLanes result = reinterpret_cast<const BitLanes&>(power) + exponent;
    x = reinterpret_cast<const Lanes&>(static_cast<const BitLanes&>(result & ~reinterpret_cast<const BitLanes&>(tiny)));
}

// Whether one of sixteen comparisons holds.
TERTIUM_INLINE bool any(const IntegerLanes& compared) {
    const auto eight = __builtin_shufflevector(compared, compared, 0, 1, 2, 3, 4, 5, 6, 7) |
                       __builtin_shufflevector(compared, compared, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto four =
        __builtin_shufflevector(eight, eight, 0, 1, 2, 3) | __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    return (four[0] | four[1] | four[2] | four[3]) != 0;
}

// Sixteen sums: the l-th of the l-th sixteen numbers, each halves by halves. The rows are overwritten.
TERTIUM_INLINE void sums_of_sixteen(Lanes* rows, Lanes& sums) {
    for (std::size_t i = 0; i < 8; ++i) {
        const Lanes a = rows[2 * i], b = rows[2 * i + 1];
        rows[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
                  __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const Lanes a = rows[2 * i], b = rows[2 * i + 1];
        rows[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
                  __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        const Lanes a = rows[2 * i], b = rows[2 * i + 1];
        rows[i] = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29) +
                  __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
    }
    const Lanes a = rows[0], b = rows[1];
    sums = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
           __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

// The sum of sixteen numbers, halves by halves, and the largest of them.
TERTIUM_INLINE float sum(const Lanes& x) {
    const auto eight = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                       __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto four =
        __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    return (four[0] + four[2]) + (four[1] + four[3]);
}

TERTIUM_INLINE float largest(const Lanes& x) {
    const auto a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
    const auto b = __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto eight = a < b ? b : a;
    const auto c = __builtin_shufflevector(eight, eight, 0, 1, 2, 3);
    const auto d = __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    const auto four = c < d ? d : c;
    return std::max(std::max(four[0], four[2]), std::max(four[1], four[3]));
}

}  // namespace tertium
