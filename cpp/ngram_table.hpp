// Clipped n-gram matches by counting in a hash table: for segments too long for bit vectors.
//
// The n-grams of the references form a tree: node(prefix, symbol) is a child of its prefix. A child is found in an
// open-addressing table under the exact 64-bit key (prefix node, symbol), so nothing can collide. Each node keeps the
// largest count in any one reference. Time and memory are linear in the text, whatever its length.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace tertium {

class NgramTable {
  public:
    void prepare(std::span<const std::vector<Symbol>> references, std::size_t orders) {
        std::size_t nodes = 1;
        for (const auto& reference : references) nodes += reference.size() * orders;
        slots_.assign(std::bit_ceil(2 * nodes), {empty, 0});
        nodes_.assign(1, {});
        for (std::size_t r = 0; r < references.size(); ++r) {
            const auto& reference = references[r];
            for (std::size_t i = 0; i < reference.size(); ++i) {
                std::uint32_t node = 0;
                const std::size_t most = std::min(orders, reference.size() - i);
                for (std::size_t n = 0; n < most; ++n) {
                    node = child(node, reference[i + n], true);
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
                if (hypothesis[i + n] == unknown || !(node = child(node, hypothesis[i + n], false))) break;
                matches[n] += ++nodes_[node].used <= nodes_[node].clip;
            }
        }
    }

  private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t node;
    };
    struct Node {
        std::size_t reference = 0;  // whose count this is, from 1
        std::uint32_t count = 0, clip = 0, used = 0;
    };
    static constexpr std::uint64_t empty = ~std::uint64_t{0};

    // The child of a node, 0 if there is none and none is to be made.
    std::uint32_t child(std::uint32_t node, Symbol symbol, bool make) {
        const std::uint64_t key = static_cast<std::uint64_t>(node) << 32 | symbol;
        std::uint64_t at = key * 0x9E3779B97F4A7C15ull;
        for (at ^= at >> 32;; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.key == key) return slot.node;
            if (slot.key != empty) continue;
            if (!make) return 0;
            slot = {key, static_cast<std::uint32_t>(nodes_.size())};
            nodes_.push_back({});
            return slot.node;
        }
    }

    std::vector<Slot> slots_;
    std::vector<Node> nodes_;  // nodes_[0] is the empty n-gram
};

}  // namespace tertium
