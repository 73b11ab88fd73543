// Attention while generating: a few queries look at keys and values that stay where they were written.
//
//     attention(q) = sum over the slots j that q sees of softmax(q . k_j / sqrt(width)) v_j
//
// A slot that a query does not see costs it nothing: the slots of a sentence that hypotheses which were dropped have
// left behind, and the padding of short sources. So there is no need to move keys when a beam goes on, nor to sort
// sentences by length. What a query gets depends on its own slots and their order alone, to the last bit.
//
// Queries of a sentence that see the same slots go through them four at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lanes.hpp"
#include "parallel.hpp"

namespace tertium {

// An array (sentences, heads, rows, width) whose rows are dense; steps count numbers.
struct HeadRows {
    const float* data;
    std::ptrdiff_t sentence, head, row;
    const float* at(std::size_t s, std::size_t h) const {
        return data + static_cast<std::ptrdiff_t>(s) * sentence + static_cast<std::ptrdiff_t>(h) * head;
    }
};

struct Attention {
    std::size_t sentences, heads, queries, slots, width;
    HeadRows query, key, value;
    const std::uint8_t* seen;                             // (sentences, queries, slots), or null: all
    std::ptrdiff_t seen_sentence, seen_query, seen_slot;  // its steps; seen_query is 0 where all queries see the same
    float* out;                                           // (sentences, queries, heads, width)
};

inline constexpr std::size_t most_queries = 4;                // at once
inline constexpr std::size_t products_of_a_thread = 1 << 22;  // fewer are done sooner than a thread is started

struct Seen {
    const std::uint32_t* slots;
    std::size_t count;
};

// weights[r][j] of Queries queries and the slots they see, before the softmax. Parts: of sixteen, that a row has; 0: any.
template <std::size_t Queries, std::size_t Parts>
TERTIUM_INLINE void scores(const float* const* queries, const float* keys, std::ptrdiff_t step, std::size_t width,
                           Seen seen, float scale, float* const* weights) {
    Lanes products[Queries][lanes_wide], query[Queries][Parts ? Parts : 1], sums;
    for (std::size_t r = 0; r < Queries; ++r)
        for (std::size_t p = 0; p < Parts; ++p) load(query[r][p], queries[r] + p * lanes_wide, lanes_wide);
    for (std::size_t j = 0; j < seen.count; j += lanes_wide) {
        const std::size_t some = std::min(lanes_wide, seen.count - j);
        for (std::size_t i = 0; i < some; ++i) {
            const float* key = keys + static_cast<std::ptrdiff_t>(seen.slots[j + i]) * step;
            Lanes sum[Queries], k, q;
#pragma GCC unroll 4
            for (std::size_t r = 0; r < Queries; ++r) sum[r] = Lanes{};
            if constexpr (Parts > 0) {
#pragma GCC unroll 4
                for (std::size_t p = 0; p < Parts; ++p) {
                    load(k, key + p * lanes_wide, lanes_wide);
#pragma GCC unroll 4
                    for (std::size_t r = 0; r < Queries; ++r) sum[r] += query[r][p] * k;
                }
            } else {
                for (std::size_t d = 0; d < width; d += lanes_wide) {
                    load(k, key + d, width - d);
                    for (std::size_t r = 0; r < Queries; ++r) {
                        load(q, queries[r] + d, width - d);
                        sum[r] += q * k;
                    }
                }
            }
#pragma GCC unroll 4
            for (std::size_t r = 0; r < Queries; ++r) products[r][i] = sum[r];
        }
        for (std::size_t r = 0; r < Queries; ++r) {
            for (std::size_t i = some; i < lanes_wide; ++i) products[r][i] = Lanes{};
            sums_of_sixteen(products[r], sums);
            *reinterpret_cast<Lanes*>(weights[r] + j) = sums * scale;
        }
    }
}

// In place; room for sixteen more is needed.
TERTIUM_INLINE void softmax(float* weights, std::size_t count) {
    Lanes part, highest, total;
    set(highest, -INFINITY);
    for (std::size_t j = 0; j < count; j += lanes_wide) {
        load(part, weights + j, count - j, -INFINITY);
        highest = highest < part ? part : highest;
    }
    const float most = largest(highest);
    total = Lanes{};
    for (std::size_t j = 0; j < count; j += lanes_wide) {
        load(part, weights + j, count - j, -INFINITY);
        part -= most;
        exp_of_negative(part);
        total += part;
        *reinterpret_cast<Lanes*>(weights + j) = part;
    }
    const float share = 1.0f / sum(total);
    for (std::size_t j = 0; j < count; ++j) weights[j] *= share;
}

// The first `width` numbers of the values' means, Parts sixteens of them; fewer in the last where `Whole` is not true.
template <std::size_t Queries, std::size_t Parts, bool Whole>
TERTIUM_INLINE void mix(const float* const* weights, const float* values, std::ptrdiff_t step, std::size_t width,
                        Seen seen, float* const* out) {
    Lanes sums[Queries][Parts];
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Queries; ++r)
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Parts; ++p) sums[r][p] = Lanes{};
    for (std::size_t j = 0; j < seen.count; ++j) {
        const float* value = values + static_cast<std::ptrdiff_t>(seen.slots[j]) * step;
        Lanes v;
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Parts; ++p) {
            load(v, value + p * lanes_wide, Whole ? lanes_wide : width);
#pragma GCC unroll 4
            for (std::size_t r = 0; r < Queries; ++r) sums[r][p] += v * weights[r][j];
        }
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Queries; ++r)
#pragma GCC unroll 4
        for (std::size_t p = 0; p < Parts; ++p)
            std::memcpy(out[r] + p * lanes_wide, &sums[r][p], Whole ? sizeof(Lanes) : width * sizeof(float));
}

template <std::size_t Queries>
TERTIUM_INLINE void mix(const float* const* weights, const float* values, std::ptrdiff_t step, std::size_t width,
                        Seen seen, float** out) {
    const auto go_on = [&](std::size_t done) {
        values += done, width -= done;
        for (std::size_t r = 0; r < Queries; ++r) out[r] += done;
    };
    for (; width >= 4 * lanes_wide; go_on(4 * lanes_wide)) mix<Queries, 4, true>(weights, values, step, 0, seen, out);
    for (; width >= 2 * lanes_wide; go_on(2 * lanes_wide)) mix<Queries, 2, true>(weights, values, step, 0, seen, out);
    for (; width >= lanes_wide; go_on(lanes_wide)) mix<Queries, 1, true>(weights, values, step, 0, seen, out);
    if (width) mix<Queries, 1, false>(weights, values, step, width, seen, out);
}

template <std::size_t Queries>
TERTIUM_INLINE void look(const Attention& a, std::size_t s, std::size_t h, std::size_t first, Seen seen,
                         std::vector<float>& scratch) {
    const float* queries[Queries];
    float *weights[Queries], *out[Queries];
    const std::size_t room = seen.count + lanes_wide;
    if (scratch.size() < Queries * room) scratch.resize(2 * Queries * room);
    for (std::size_t r = 0; r < Queries; ++r) {
        queries[r] = a.query.at(s, h) + static_cast<std::ptrdiff_t>(first + r) * a.query.row;
        weights[r] = scratch.data() + r * room;
        out[r] = a.out + ((s * a.queries + first + r) * a.heads + h) * a.width;
    }
    const float scale = 1.0f / std::sqrt(static_cast<float>(a.width));
    if (a.width == 4 * lanes_wide)
        scores<Queries, 4>(queries, a.key.at(s, h), a.key.row, a.width, seen, scale, weights);
    else if (a.width == 2 * lanes_wide)
        scores<Queries, 2>(queries, a.key.at(s, h), a.key.row, a.width, seen, scale, weights);
    else scores<Queries, 0>(queries, a.key.at(s, h), a.key.row, a.width, seen, scale, weights);
    for (std::size_t r = 0; r < Queries; ++r) softmax(weights[r], seen.count);
    mix<Queries>(weights, a.value.at(s, h), a.value.row, a.width, seen, out);
}

// The slots that each query of a sentence sees.
class Sights {
  public:
    void find(const Attention& a, std::size_t s) {
        slots_.clear();
        starts_.assign(1, 0);
        for (std::size_t q = 0; q < (a.seen && a.seen_query ? a.queries : 1); ++q) {
            const std::uint8_t* seen = a.seen + static_cast<std::ptrdiff_t>(s) * a.seen_sentence +
                                       static_cast<std::ptrdiff_t>(q) * a.seen_query;
            for (std::size_t j = 0; j < a.slots; ++j) {
                while (a.seen_slot == 1 && j + 8 <= a.slots && none_of_eight(seen + j)) j += 8;
                if (j < a.slots && (!a.seen || seen[static_cast<std::ptrdiff_t>(j) * a.seen_slot]))
                    slots_.push_back(static_cast<std::uint32_t>(j));
            }
            starts_.push_back(slots_.size());
        }
    }
    Seen of(std::size_t q) const { return {slots_.data() + starts_[q], starts_[q + 1] - starts_[q]}; }
    bool shared() const { return starts_.size() == 2; }

  private:
    static bool none_of_eight(const std::uint8_t* seen) {
        std::uint64_t eight;
        std::memcpy(&eight, seen, sizeof eight);
        return eight == 0;
    }

    std::vector<std::uint32_t> slots_;
    std::vector<std::size_t> starts_;
};

TERTIUM_INLINE void attend(const Attention& a, std::size_t begin, std::size_t end) {
    Sights sights;
    std::vector<float> scratch;
    for (std::size_t s = begin; s < end; ++s) {
        sights.find(a, s);
        for (std::size_t h = 0; h < a.heads; ++h) {
            std::size_t q = 0;
            if (sights.shared())
                for (; q + most_queries <= a.queries; q += most_queries)
                    look<most_queries>(a, s, h, q, sights.of(0), scratch);
            for (; q < a.queries; ++q) look<1>(a, s, h, q, sights.of(sights.shared() ? 0 : q), scratch);
        }
    }
}

inline void attend_portable(const Attention& a, std::size_t begin, std::size_t end) {
    attend(a, begin, end);
}
#ifdef TERTIUM_X86
TERTIUM_AVX512 inline void attend_avx512(const Attention& a, std::size_t begin, std::size_t end) {
    attend(a, begin, end);
}
#endif

// Compute `a.out`.
inline void attend(const Attention& a, Processor processor, unsigned threads) {
    auto run = attend_portable;
#ifdef TERTIUM_X86
    if (processor == Processor::avx512) run = attend_avx512;
#endif
    const std::size_t products = a.sentences * a.heads * a.queries * a.slots * a.width;
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, products / products_of_a_thread + 1));
    if (threads == 1) return run(a, 0, a.sentences);
    parallel_blocks(a.sentences, threads, 1,
                    [&] { return [&](std::size_t begin, std::size_t end) { run(a, begin, end); }; });
}

}  // namespace tertium
