// Sums of rows over resampled segments: what bootstrap and randomisation tests spend their time on.
//
// Bootstrap totals: draw d takes as many segments as there are, with replacement, and sums their rows.
//
// Subset totals: trial t takes each segment with chance 1/2 (or, when enumerating, those whose bit is set in t) and sums
// the rows of those taken. An exchange test of two systems needs no more: exchanging the subset changes system a's total
// by b's subset sum less a's own.
//
// Both are one primitive: add up table rows named by a list.
//
// Bootstrap: the table is the rows themselves. Subsets: the method of four Russians (Arlazarov et al., 1970): for each
// group of six segments the sums of all 64 subsets are tabulated, and a trial then adds one table row for six segments,
// found by six of its random bits.
//
// Rows of small whole numbers (counts nearly always are) are kept in 16 bits, all systems' columns side by side, and
// summed sixteen to an instruction; before a 16-bit sum could overflow (known from the largest values) it is emptied
// into a double. That is exact. Everything else is summed as doubles, in an order that depends on nothing but the draw,
// so the result is the same to the last bit for every number of threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "parallel.hpp"
#include "philox.hpp"

namespace tertium {

// Numbers side by side, 32 bytes: the compiler maps them to the registers there are.
template <class T>
struct SideBySide;
template <>
struct SideBySide<std::int16_t> {
    typedef std::int16_t type __attribute__((vector_size(32), aligned(2), may_alias));
};
template <>
struct SideBySide<double> {
    typedef double type __attribute__((vector_size(32), aligned(8), may_alias));
};
template <class T>
inline constexpr std::size_t lanes = 32 / sizeof(T);

inline constexpr std::size_t most_vectors = 8;  // that many sums are held in registers at once

// For each item: sums += the table rows of its list. `Vectors` vectors of the rows.
template <class T, std::size_t Vectors>
[[gnu::always_inline]] inline void add_rows_wide(const T* table, const std::uint32_t* rows, std::size_t count,
                                                 std::size_t items, T* sums, std::size_t stride) {
    using Vector = typename SideBySide<T>::type;
    for (std::size_t item = 0; item < items; ++item, rows += count, sums += stride) {
        Vector sum[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v) sum[v] = reinterpret_cast<const Vector*>(sums)[v];
        for (std::size_t i = 0; i < count; ++i) {
            const Vector* row = reinterpret_cast<const Vector*>(table + rows[i] * stride);
            for (std::size_t v = 0; v < Vectors; ++v) sum[v] += row[v];
        }
        for (std::size_t v = 0; v < Vectors; ++v) reinterpret_cast<Vector*>(sums)[v] = sum[v];
    }
}

template <class T>
[[gnu::always_inline]] inline void add_rows_any(const T* table, std::size_t vectors, const std::uint32_t* rows,
                                                std::size_t count, std::size_t items, T* sums) {
    const std::size_t stride = vectors * lanes<T>;
    for (; vectors > most_vectors; vectors -= most_vectors) {
        add_rows_wide<T, most_vectors>(table, rows, count, items, sums, stride);
        table += most_vectors * lanes<T>;
        sums += most_vectors * lanes<T>;
    }
    switch (vectors) {
        case 1: return add_rows_wide<T, 1>(table, rows, count, items, sums, stride);
        case 2: return add_rows_wide<T, 2>(table, rows, count, items, sums, stride);
        case 3: return add_rows_wide<T, 3>(table, rows, count, items, sums, stride);
        case 4: return add_rows_wide<T, 4>(table, rows, count, items, sums, stride);
        case 5: return add_rows_wide<T, 5>(table, rows, count, items, sums, stride);
        case 6: return add_rows_wide<T, 6>(table, rows, count, items, sums, stride);
        case 7: return add_rows_wide<T, 7>(table, rows, count, items, sums, stride);
        default: return add_rows_wide<T, 8>(table, rows, count, items, sums, stride);
    }
}

TERTIUM_VECTOR_CLONES inline void add_rows(const std::int16_t* table, std::size_t vectors, const std::uint32_t* rows,
                                           std::size_t count, std::size_t items, std::int16_t* sums) {
    add_rows_any(table, vectors, rows, count, items, sums);
}
TERTIUM_VECTOR_CLONES inline void add_rows(const double* table, std::size_t vectors, const std::uint32_t* rows,
                                           std::size_t count, std::size_t items, double* sums) {
    add_rows_any(table, vectors, rows, count, items, sums);
}

// totals += sums, and sums = 0.
TERTIUM_VECTOR_CLONES inline void empty_into(std::int16_t* sums, std::size_t count, double* totals) {
    for (std::size_t i = 0; i < count; ++i) totals[i] += sums[i];
    std::memset(sums, 0, count * sizeof *sums);
}
TERTIUM_VECTOR_CLONES inline void empty_into(double* sums, std::size_t count, double* totals) {
    for (std::size_t i = 0; i < count; ++i) totals[i] += sums[i];
    std::memset(sums, 0, count * sizeof *sums);
}

// Tables of 64 subsets stay in the first-level cache; with 256 there are fewer additions, but each waits for the
// second.
inline constexpr std::size_t group_size = 6, subsets_of_group = std::size_t{1} << group_size;
inline constexpr std::size_t groups_at_once = 3, trial_block = 512;

// (systems, segments, k) rows as a table with all systems' columns of one segment side by side. Zeros fill up the
// columns to whole vectors and the segments to whole groups.
template <class T>
struct RowTable {
    std::size_t segments, columns, vectors, width;
    std::vector<T> values;

    RowTable(const double* rows, std::size_t systems, std::size_t segments, std::size_t k)
        : segments(segments),
          columns(systems * k),
          vectors((columns + lanes<T> - 1) / lanes<T>),
          width(vectors * lanes<T>),
          values((segments + group_size - 1) / group_size * group_size * width) {
        for (std::size_t s = 0; s < systems; ++s)
            for (std::size_t i = 0; i < segments; ++i)
                for (std::size_t c = 0; c < k; ++c)
                    values[i * width + s * k + c] = static_cast<T>(rows[(s * segments + i) * k + c]);
    }
};

inline constexpr double largest_int16 = 32767;
inline constexpr double largest_small = 5461;  // the sum of a group of them fits into 16 bits

// Whether all are whole numbers small enough for the 16-bit path; `largest` becomes their largest absolute value.
TERTIUM_VECTOR_CLONES inline bool small_whole_numbers(const double* rows, std::size_t count, double& largest) {
    std::int32_t top = 0, broken = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = rows[i];
        const bool fits = value >= -largest_small && value <= largest_small;  // false for NaN
        const std::int32_t whole = static_cast<std::int32_t>(fits ? value : 0.0);
        broken |= !fits | (static_cast<double>(whole) != value);
        top = std::max(top, whole < 0 ? -whole : whole);
    }
    largest = top;
    return !broken;
}

// Writes the sums of `count` consecutive draws, (count, width), to (columns, draws) from column `first` on.
inline void store_transposed(const double* totals, std::size_t count, std::size_t width, std::size_t columns,
                             std::size_t first, std::size_t draws, double* out) {
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t d = 0; d < count; ++d) out[c * draws + first + d] = totals[d * width + c];
}

struct ResampleOptions {
    std::uint64_t seed = 0;
    std::size_t first = 0, last = 0;  // the draws or trials wanted
    bool exhaustive = false;          // subsets: trial t is the subset whose bits are those of t
    unsigned threads = 1;
};

inline constexpr std::size_t draw_block = 16;

template <class T>
void bootstrap_totals_of(const RowTable<T>& table, std::size_t additions_until_full, const ResampleOptions& options,
                         double* out) {
    const std::size_t segments = table.segments, width = table.width, draws = options.last - options.first;
    parallel_blocks(draws, options.threads, draw_block, [&] {
        return [&, drawn = std::vector<std::uint32_t>(segments + 4), sums = std::vector<T>(width),
                totals = std::vector<double>(draw_block * width)](std::size_t begin, std::size_t end) mutable {
            std::fill(totals.begin(), totals.end(), 0.0);
            for (std::size_t d = begin; d < end; ++d) {
                bounded_numbers(options.seed, static_cast<std::uint32_t>(options.first + d),
                                static_cast<std::uint32_t>(segments), segments, drawn.data());
                for (std::size_t i = 0; i < segments; i += additions_until_full) {
                    const std::size_t count = std::min(additions_until_full, segments - i);
                    add_rows(table.values.data(), table.vectors, drawn.data() + i, count, 1, sums.data());
                    empty_into(sums.data(), width, totals.data() + (d - begin) * width);
                }
            }
            store_transposed(totals.data(), end - begin, width, table.columns, begin, draws, out);
        };
    });
}

// The sums of all subsets of a group of rows: row m has those whose bits are set in m.
template <class T>
[[gnu::always_inline]] inline void tabulate_any(const T* rows, std::size_t vectors, T* sums) {
    using Vector = typename SideBySide<T>::type;
    Vector* sum = reinterpret_cast<Vector*>(sums);  // not auto, which would forget the alignment
    std::memset(sums, 0, vectors * sizeof(Vector));
    for (std::size_t bit = 0; bit < group_size; ++bit) {
        const Vector* row = reinterpret_cast<const Vector*>(rows) + bit * vectors;
        const std::size_t known = (std::size_t{1} << bit) * vectors;
        for (std::size_t m = 0; m < known; m += vectors)
            for (std::size_t v = 0; v < vectors; ++v) sum[known + m + v] = sum[m + v] + row[v];
    }
}
TERTIUM_VECTOR_CLONES inline void tabulate(const std::int16_t* rows, std::size_t vectors, std::int16_t* sums) {
    tabulate_any(rows, vectors, sums);
}
TERTIUM_VECTOR_CLONES inline void tabulate(const double* rows, std::size_t vectors, double* sums) {
    tabulate_any(rows, vectors, sums);
}

// Which segments a trial takes, one bit each; `masks` has room for a multiple of 4 words.
inline void trial_bits(const ResampleOptions& options, std::size_t trial, std::size_t segments, std::uint32_t* masks) {
    if (options.exhaustive) {
        std::fill(masks, masks + (segments + 31) / 32, 0u);
        masks[0] = static_cast<std::uint32_t>(trial);
    } else {
        philox_words(options.seed, Purpose::randomisation, static_cast<std::uint32_t>(trial), (segments + 31) / 32,
                     masks);
    }
}

// For each group the largest absolute value that a subset's sum can have.
inline std::vector<double> largest_subset_sums(const RowTable<std::int16_t>& table) {
    std::vector<double> largest((table.segments + group_size - 1) / group_size, 0.0);
    std::vector<std::int32_t> sums(table.width);
    for (std::size_t group = 0; group < largest.size(); ++group) {
        std::fill(sums.begin(), sums.end(), 0);
        const std::size_t end = std::min(table.segments, (group + 1) * group_size);
        for (std::size_t i = group * group_size; i < end; ++i)
            for (std::size_t c = 0; c < table.width; ++c) sums[c] += std::abs(table.values[i * table.width + c]);
        largest[group] = *std::max_element(sums.begin(), sums.end());
    }
    return largest;
}
inline std::vector<double> largest_subset_sums(const RowTable<double>& table) {
    return std::vector<double>((table.segments + group_size - 1) / group_size, 0.0);  // nothing overflows
}

// The scratch memory of one thread that sums subsets.
template <class T>
struct SubsetSums {
    std::vector<std::uint32_t> masks, chosen;
    std::vector<T> tables, sums;
    std::vector<double> totals;
};

template <class T>
void subset_totals_of(const RowTable<T>& table, const ResampleOptions& options, double* out) {
    const std::size_t segments = table.segments, width = table.width, trials = options.last - options.first;
    const std::vector<double> largest = largest_subset_sums(table);
    const std::size_t groups = largest.size(), words = ((segments + 31) / 32 + 4) / 4 * 4;
    const auto work = [&](SubsetSums<T>& scratch, std::size_t begin, std::size_t end) {
        auto& [masks, chosen, tables, sums, totals] = scratch;
        std::fill(totals.begin(), totals.end(), 0.0);
        for (std::size_t t = begin; t < end; ++t)
            trial_bits(options, options.first + t, segments, masks.data() + (t - begin) * words);
        double filled = 0;
        for (std::size_t group = 0, count = 0; group < groups; group += count) {
            if (filled + largest[group] > largest_int16) {
                empty_into(sums.data(), sums.size(), totals.data());
                filled = 0;
            }
            for (count = 0; count < groups_at_once && group + count < groups; ++count) {
                if (filled + largest[group + count] > largest_int16) break;
                filled += largest[group + count];
                tabulate(table.values.data() + (group + count) * group_size * width, table.vectors,
                         tables.data() + count * subsets_of_group * width);
            }
            for (std::size_t t = 0; t < end - begin; ++t)
                for (std::size_t g = 0; g < count; ++g) {
                    const std::size_t bit = (group + g) * group_size, word = t * words + bit / 32;
                    const std::uint64_t bits = masks[word] | std::uint64_t{masks[word + 1]} << 32;
                    const std::uint64_t subset = bits >> bit % 32 & (subsets_of_group - 1);
                    chosen[t * count + g] = static_cast<std::uint32_t>(g * subsets_of_group + subset);
                }
            add_rows(tables.data(), table.vectors, chosen.data(), count, end - begin, sums.data());
        }
        empty_into(sums.data(), sums.size(), totals.data());
        store_transposed(totals.data(), end - begin, width, table.columns, begin, trials, out);
    };
    parallel_blocks(trials, options.threads, trial_block, [&] {
        SubsetSums<T> scratch{std::vector<std::uint32_t>(trial_block * words),
                              std::vector<std::uint32_t>(trial_block * groups_at_once),
                              std::vector<T>(groups_at_once * subsets_of_group * width),
                              std::vector<T>(trial_block * width), std::vector<double>(trial_block * width)};
        return [&work, scratch = std::move(scratch)](std::size_t begin, std::size_t end) mutable {
            work(scratch, begin, end);
        };
    });
}

// rows: (systems, segments, k); out: (systems, k, draws)
inline void bootstrap_totals(const double* rows, std::size_t systems, std::size_t segments, std::size_t k,
                             const ResampleOptions& options, double* out) {
    if (!segments || !k) throw std::invalid_argument("there are no rows to draw from");
    double largest = 0;
    if (small_whole_numbers(rows, systems * segments * k, largest))
        bootstrap_totals_of(RowTable<std::int16_t>(rows, systems, segments, k),
                            static_cast<std::size_t>(largest_int16 / std::max(largest, 1.0)), options, out);
    else bootstrap_totals_of(RowTable<double>(rows, systems, segments, k), segments, options, out);
}

// rows: (systems, segments, k); out: (systems, k, trials)
inline void subset_totals(const double* rows, std::size_t systems, std::size_t segments, std::size_t k,
                          const ResampleOptions& options, double* out) {
    double largest = 0;
    if (small_whole_numbers(rows, systems * segments * k, largest))
        subset_totals_of(RowTable<std::int16_t>(rows, systems, segments, k), options, out);
    else subset_totals_of(RowTable<double>(rows, systems, segments, k), options, out);
}

}  // namespace tertium
