// NIST's statistics (Doddington, 2002): n-gram matches weighted by how much each n-gram tells. For each segment
//     hypothesis length and reference length, summed over the orders; information matched by order; n-grams by order
//
// The information of an n-gram is log2(occurrences of its first n-1 words / its own occurrences) in all the
// references. They are counted first: an n-gram is a node of a tree whose parent is the n-gram without its last word,
// and a child is found under the exact key (parent, word), see key_table.hpp. Then
// the segments are compared in parallel, each order with each reference; the reference with the highest (information
// / n-grams, information, length) wins, for each order by itself. That is NLTK's definition, and the order of its
// floating-point sums is kept: an n-gram's share is added where the n-gram first stands in the hypothesis. So even
// ties between references fall alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "key_table.hpp"
#include "mapped_file.hpp"
#include "text.hpp"
#include "tokenizers.hpp"

namespace tertium {

struct NistOptions {
    Tokenizer tokenizer;
    bool lowercase = false;
    std::size_t order = 5;
};

// An n-gram of a text: its node in the tree, and where it begins.
struct Gram {
    std::uint32_t node, at;
    bool operator<(const Gram& other) const { return std::tie(node, at) < std::tie(other.node, other.at); }
};

// The n-grams of a text by order: their nodes (0: the references do not have it), and the known ones sorted by node.
struct Grams {
    std::vector<std::vector<std::uint32_t>> nodes;
    std::vector<std::vector<Gram>> sorted;
};

// How often the gram's node is among sorted grams.
inline std::uint32_t occurrences(const std::vector<Gram>& sorted, std::uint32_t node) {
    const auto begin = std::lower_bound(sorted.begin(), sorted.end(), Gram{node, 0});
    const auto end = std::lower_bound(begin, sorted.end(), Gram{node + 1, 0});
    return static_cast<std::uint32_t>(end - begin);
}

// Every n-gram of the references as a node, and how often each stands there. Node 0 is the empty n-gram, once a word.
class NgramTree {
  public:
    explicit NgramTree(std::size_t order) : order_(order), counts_(1) {}

    void add(const std::vector<Span>& tokens) {
        symbols_.clear();
        for (const Span token : tokens) {
            auto found = words_.find(token);
            if (found == words_.end())
                found = words_.emplace(texts_.emplace_back(token), static_cast<Symbol>(words_.size())).first;
            symbols_.push_back(found->second);
        }
        counts_[0] += tokens.size();
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
            std::uint32_t node = 0;
            for (std::size_t n = i; n < std::min(i + order_, symbols_.size()); ++n) {
                node = nodes_.add(ngram_key(node, symbols_[n]));
                if (node == counts_.size()) counts_.push_back(0);
                ++counts_[node];
            }
        }
    }

    void find(const std::vector<Span>& tokens, Grams& grams) const {
        std::vector<Symbol> symbols;
        for (const Span token : tokens) {
            const auto found = words_.find(token);
            symbols.push_back(found == words_.end() ? unknown : found->second);
        }
        grams.nodes.resize(order_);
        grams.sorted.resize(order_);
        for (std::size_t n = 0; n < order_; ++n) {
            auto& nodes = grams.nodes[n];
            nodes.assign(tokens.size() > n ? tokens.size() - n : 0, 0);
            grams.sorted[n].clear();
            for (std::uint32_t i = 0; i < nodes.size(); ++i) {
                const std::uint32_t parent = n ? grams.nodes[n - 1][i] : 0;
                if ((n && !parent) || symbols[i + n] == unknown) continue;
                nodes[i] = nodes_.find(ngram_key(parent, symbols[i + n]));
                if (nodes[i]) grams.sorted[n].push_back({nodes[i], i});
            }
            std::sort(grams.sorted[n].begin(), grams.sorted[n].end());
        }
    }

    double information(std::uint32_t parent, std::uint32_t node) const {
        return std::log(static_cast<double>(counts_[parent]) / static_cast<double>(counts_[node])) / std::log(2.0);
    }

  private:
    std::size_t order_;
    std::deque<std::string> texts_;  // never moves what it holds
    std::unordered_map<std::string_view, Symbol> words_;
    KeyTable nodes_;
    std::vector<std::uint64_t> counts_;
    std::vector<Symbol> symbols_;
};

// Information of the n-grams of one order that hypothesis and reference share.
inline double shared_information(const NgramTree& tree, const Grams& hypothesis, const Grams& reference,
                                 std::size_t n) {
    const auto& nodes = hypothesis.nodes[n];
    const auto& sorted = hypothesis.sorted[n];
    double sum = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i] || std::lower_bound(sorted.begin(), sorted.end(), Gram{nodes[i], 0})->at != i) continue;
        const std::uint32_t shared =
            std::min(occurrences(sorted, nodes[i]), occurrences(reference.sorted[n], nodes[i]));
        if (shared) sum += tree.information(n ? hypothesis.nodes[n - 1][i] : 0, nodes[i]) * shared;
    }
    return sum;
}

inline void nist_row(const NgramTree& tree, const Grams& hypothesis, const std::vector<Grams>& references,
                     std::size_t present, std::size_t order, double* row) {
    std::fill(row, row + 2 + 2 * order, 0.0);
    const double length = static_cast<double>(hypothesis.nodes[0].size());
    for (std::size_t n = 0; n < order; ++n) {
        const double grams = static_cast<double>(hypothesis.nodes[n].size());
        std::tuple<double, double, double> best{-1, 0, 0};  // share, information, reference length
        for (std::size_t r = 0; r < present; ++r) {
            const double found = shared_information(tree, hypothesis, references[r], n);
            best = std::max(
                best, {grams > 0 ? found / grams : 0.0, found, static_cast<double>(references[r].nodes[0].size())});
        }
        row[0] += length;
        row[1] += std::get<2>(best);
        row[2 + n] = std::get<1>(best);
        row[2 + order + n] = grams;
    }
}

// One thread's work: the rows of a segment for every system.
class NistCounter {
  public:
    NistCounter(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                const NgramTree& tree, const NistOptions& options)
        : systems_(systems), references_(references), tree_(tree), options_(options), found_(references.size()) {}

    // Writes the rows of segment i; `stride` is the distance between two systems' rows.
    void count(std::size_t i, double* row, std::size_t stride) {
        std::size_t present = 0;
        for (const Corpus* reference : references_) {
            if (reference->missing(i)) continue;
            tokens_of(*reference, i, options_.tokenizer, options_.lowercase, tokens_);
            tree_.find(tokens_.tokens, found_[present++]);
        }
        for (const Corpus* system : systems_) {
            tokens_of(*system, i, options_.tokenizer, options_.lowercase, tokens_);
            tree_.find(tokens_.tokens, hypothesis_);
            nist_row(tree_, hypothesis_, found_, present, options_.order, row);
            row += stride;
        }
    }

  private:
    const std::vector<const Corpus*>& systems_;
    const std::vector<const Corpus*>& references_;
    const NgramTree& tree_;
    const NistOptions& options_;
    Tokens tokens_;
    Grams hypothesis_;
    std::vector<Grams> found_;
};

// rows: (systems, segments, 2 + 2 order)
inline void nist_statistics(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                            const NistOptions& options, unsigned threads, double* rows) {
    check_orders(1, options.order);
    check_sizes(systems, references);
    NgramTree tree(options.order);
    Tokens scratch;
    for (std::size_t i = 0; i < systems[0]->size(); ++i) {
        for (const Corpus* reference : references) {
            if (reference->missing(i)) continue;
            tokens_of(*reference, i, options.tokenizer, options.lowercase, scratch);
            tree.add(scratch.tokens);
        }
    }
    each_segment(systems, references, 2 + 2 * options.order, threads, rows,
                 [&] { return NistCounter(systems, references, tree, options); });
}

}  // namespace tertium
