// What must hold for the edit distances and TER's search, whatever the texts: they are compared with plain loops over
// cells.
#pragma once

#include <vector>

#include "demand.hpp"
#include "ter.hpp"
#include "wer.hpp"

namespace tertium::fuzz {

inline constexpr std::size_t out_of_reach = std::size_t{1} << 40;

// The edit distance cell by cell; `beam`: within the beam of TER, in the words of beam_distance.hpp.
inline std::size_t plain_distance(std::span<const Symbol> hypothesis, std::span<const Symbol> reference, bool beam) {
    const std::size_t n = hypothesis.size(), r = reference.size();
    const double ratio = n ? static_cast<double>(r) / static_cast<double>(n) : 1.0;
    const double width = ratio / 2 > 25 ? std::ceil(ratio / 2 + 25) : 25;
    std::vector<std::size_t> above(r + 1), row(r + 1);
    for (std::size_t j = 0; j <= r; ++j) above[j] = j;
    for (std::size_t i = 1; i <= n; ++i, std::swap(above, row)) {
        const double middle = std::floor(static_cast<double>(i) * ratio);
        for (std::size_t j = 0; j <= r; ++j) {
            const double column = static_cast<double>(j);
            const bool inside = !beam || (column >= middle - width && (column < middle + width || i == n));
            row[j] = above[j] + 1;
            if (j) row[j] = std::min({row[j], row[j - 1] + 1, above[j - 1] + (hypothesis[i - 1] != reference[j - 1])});
            if (!inside) row[j] = out_of_reach;
        }
    }
    return above[r];
}

// The first line against the second, bytes as words.
inline void check_distances(Span first, Span second) {
    Vocabulary vocabulary;
    vocabulary.reset(second.size());
    std::vector<Symbol> hypothesis, reference;
    for (const char& c : second) reference.push_back(vocabulary.add({&c, 1}));
    for (const char& c : first) hypothesis.push_back(vocabulary.find({&c, 1}));

    Places places;
    places.set(reference, vocabulary.size());
    const EditCounts counts = Levenshtein{}.count(hypothesis, places);
    demand(counts.edits() == plain_distance(hypothesis, reference, false), "the edits counted are the distance");
    demand(counts.kept + counts.substituted + counts.removed == hypothesis.size(), "every word has its step");
    demand(counts.kept + counts.substituted + counts.inserted == reference.size(), "every reference word has its step");

    TerSearch search;
    search.set_reference(reference, vocabulary.size());
    const std::size_t edits = search.edits(hypothesis, out_of_reach);
    if (hypothesis.empty() || reference.empty()) {
        demand(edits == std::max(hypothesis.size(), reference.size()), "nothing in common, nothing to shift");
        return;
    }
    BeamDistance distances;
    distances.set_reference(reference, vocabulary.size());
    const std::size_t distance = distances.set_hypothesis(hypothesis);
    demand(distance == plain_distance(hypothesis, reference, true),
           "the distance within the beam is that of plain cells");
    demand(edits <= distance, "shifts never make it worse");

    const std::size_t length = 1 + first.size() % 10, n = hypothesis.size();
    if (n <= length) return;
    const std::size_t start = second.size() % (n - length + 1), target = (first.size() * 7) % (n - length + 1);
    const std::size_t promised = distances.if_moved(start, length, target),
                      moved = distances.move(start, length, target);
    const std::vector<Symbol> now(distances.hypothesis().begin(), distances.hypothesis().end());
    demand(moved == plain_distance(now, reference, true), "a block moved for good has the distance of plain cells");
    demand(promised == moved || (promised >= distance && moved >= distance), "a gain is foretold to the edit");
}

}  // namespace tertium::fuzz
