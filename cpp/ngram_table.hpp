// Clipped n-gram matches by counting in a hash table: for segments too long for bit vectors.
//
// The n-grams of the references form a tree: node(prefix, symbol) is a child of its prefix, found under the exact key
// (prefix node, symbol) (key_table.hpp). Each node keeps the largest count in any one reference. Time is linear in the
// text, memory in its distinct n-grams.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "key_table.hpp"

namespace tertium {

class NgramTable {
  public:
    void prepare(std::span<const std::vector<Symbol>> references, std::size_t orders) {
        keys_.clear();
        nodes_.assign(1, {});
        for (std::size_t r = 0; r < references.size(); ++r) {
            const auto& reference = references[r];
            for (std::size_t i = 0; i < reference.size(); ++i) {
                std::uint32_t node = 0;
                const std::size_t most = std::min(orders, reference.size() - i);
                for (std::size_t n = 0; n < most; ++n) {
                    node = keys_.add(ngram_key(node, reference[i + n]));
                    if (node == nodes_.size()) nodes_.push_back({});
                    Node& here = nodes_[node];
                    if (here.reference != r + 1) here = {r + 1, 0, here.clip, 0};
                    here.clip = std::max(here.clip, ++here.count);
                }
            }
        }
    }

    void count(std::span<const Symbol> hypothesis, std::size_t orders, std::uint32_t* matches) {
        for (Node& node : nodes_) node.used = 0;
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            std::uint32_t node = 0;
            const std::size_t most = std::min(orders, hypothesis.size() - i);
            for (std::size_t n = 0; n < most; ++n) {
                if (hypothesis[i + n] == unknown || !(node = keys_.find(ngram_key(node, hypothesis[i + n])))) break;
                matches[n] += ++nodes_[node].used <= nodes_[node].clip;
            }
        }
    }

  private:
    struct Node {
        std::size_t reference = 0;  // whose count this is, from 1
        std::uint32_t count = 0, clip = 0, used = 0;
    };

    KeyTable keys_;            // an n-gram's number is its node
    std::vector<Node> nodes_;  // nodes_[0] is the empty n-gram
};

}  // namespace tertium
