// Random numbers by counting: Philox4x32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", SC 2011). Ten rounds of multiply and exchange turn a counter of four words and a key of two into four random
// words.
//
// There is no state, so word i of draw d depends on nothing but (seed, purpose, d, i): the same on every machine, for
// every number of threads and whichever part of the draws is asked for. The counter is
//     (i / 4, attempt, d, purpose),  word i is lane i % 4;   the key is the seed's low and high half.
//
// Whole numbers below n come from the high half of word * n (Lemire, "Fast random integer generation in an interval",
// 2019). A word whose low half falls under 2^32 mod n would be one too many for some outcome; it is drawn again with
// the next attempt, so every outcome has exactly the same chance.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// Two versions of a loop, chosen when the program is loaded; needs GNU libc. Sanitizers do not like that moment.
#if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TERTIUM_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TERTIUM_VECTOR_CLONES
#endif

namespace tertium {

using PhiloxBlock = std::array<std::uint32_t, 4>;

enum class Purpose : std::uint32_t { bootstrap = 0, randomisation = 1 };

inline constexpr std::uint32_t philox_multipliers[2] = {0xD2511F53u, 0xCD9E8D57u};
inline constexpr std::uint32_t philox_increments[2] = {0x9E3779B9u, 0xBB67AE85u};

// The four words of one counter.
inline PhiloxBlock philox4x32(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{philox_multipliers[0]} * counter[0];
        const std::uint64_t b = std::uint64_t{philox_multipliers[1]} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<std::uint32_t>(a)};
        key0 += philox_increments[0];
        key1 += philox_increments[1];
    }
    return counter;
}

inline std::uint32_t philox_word(std::uint64_t seed, Purpose purpose, std::uint32_t draw, std::uint32_t index,
                                 std::uint32_t attempt) {
    const PhiloxBlock counter{index / 4, attempt, draw, static_cast<std::uint32_t>(purpose)};
    return philox4x32(counter, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32))[index % 4];
}

// The first words of a draw; `words` has room for `count` rounded up to a multiple of 4.
inline void philox_words(std::uint64_t seed, Purpose purpose, std::uint32_t draw, std::size_t count,
                         std::uint32_t* words) {
    const auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
    for (std::size_t first = 0; first < count; first += 4) {
        const PhiloxBlock counter{static_cast<std::uint32_t>(first / 4), 0, draw, static_cast<std::uint32_t>(purpose)};
        const PhiloxBlock block = philox4x32(counter, key0, key1);
        std::copy(block.begin(), block.end(), words + first);
    }
}

// Turns random words into whole numbers below `bound`, in place; returns whether one must be drawn again.
TERTIUM_VECTOR_CLONES inline bool bound_words(std::uint32_t bound, std::size_t count, std::uint32_t* words) {
    const std::uint32_t surplus = (0u - bound) % bound;
    std::uint32_t rejected = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t product = std::uint64_t{words[i]} * bound;
        rejected |= static_cast<std::uint32_t>(product) < surplus;
        words[i] = static_cast<std::uint32_t>(product >> 32);
    }
    return rejected;
}

// `count` whole numbers below `bound`, which is not 0: those of a bootstrap draw. `numbers` has room for a multiple of 4.
inline void bounded_numbers(std::uint64_t seed, std::uint32_t draw, std::uint32_t bound, std::size_t count,
                            std::uint32_t* numbers) {
    philox_words(seed, Purpose::bootstrap, draw, count, numbers);
    if (!bound_words(bound, count, numbers)) return;
    // A share of surplus / 2^32 of the words is rejected: nearly every draw of 65,000 segments or more comes here. The
    // words are made again to find which, and only those are drawn again.
    const std::uint32_t surplus = (0u - bound) % bound;
    philox_words(seed, Purpose::bootstrap, draw, count, numbers);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t product = std::uint64_t{numbers[i]} * bound;
        for (std::uint32_t attempt = 1; static_cast<std::uint32_t>(product) < surplus; ++attempt)
            product = philox_word(seed, Purpose::bootstrap, draw, static_cast<std::uint32_t>(i), attempt) *
                      std::uint64_t{bound};
        numbers[i] = static_cast<std::uint32_t>(product >> 32);
    }
}

}  // namespace tertium
