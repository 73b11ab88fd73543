// Small numbers for the distinct symbols of one segment.
//
// N-gram counting needs to know only which tokens of a segment are equal, so each segment gets its own numbering 0, 1, 2 ...
// of the reference's tokens; a hypothesis token that no reference has is `unknown`. Equality is decided by the bytes, never
// by the hash alone. The table is emptied in O(1): an entry counts only if it carries the current generation.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text.hpp"

namespace tertium {

using Symbol = std::uint32_t;
inline constexpr Symbol unknown = 0xFFFFFFFF;

inline std::uint64_t hash_bytes(const char* p, std::size_t size) {
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ull;
    std::uint64_t hash = size * multiplier;
    while (size >= 8) {
        std::uint64_t part;
        std::memcpy(&part, p, 8);
        hash = (hash ^ part) * multiplier;
        hash ^= hash >> 32;
        p += 8;
        size -= 8;
    }
    std::uint64_t tail = 0;
    if (size >= 4) {  // two overlapping reads cover 4 to 7 bytes
        std::uint32_t low, high;
        std::memcpy(&low, p, 4);
        std::memcpy(&high, p + size - 4, 4);
        tail = static_cast<std::uint64_t>(high) << 32 | low;
    } else if (size) {
        tail = static_cast<std::uint64_t>(static_cast<unsigned char>(p[0])) |
               static_cast<std::uint64_t>(static_cast<unsigned char>(p[size / 2])) << 8 |
               static_cast<std::uint64_t>(static_cast<unsigned char>(p[size - 1])) << 16;
    }
    hash = (hash ^ tail) * multiplier;
    return hash ^ hash >> 29;
}

class Vocabulary {
  public:
    Vocabulary() : slots_(256) {}

    // Forgets all symbols and makes room for `most` of them.
    void reset(std::size_t most) {
        if (slots_.size() < 2 * most) {
            slots_.assign(std::bit_ceil(4 * most), {});
            generation_ = 0;
        }
        if (++generation_ == 0) {  // the counter went round: old entries must not look new
            slots_.assign(slots_.size(), {});
            generation_ = 1;
        }
        words_.clear();
    }

    std::size_t size() const { return words_.size(); }

    Symbol add(Span word) {
        Slot& slot = find_slot(word);
        if (slot.generation != generation_) {
            slot = {generation_, static_cast<Symbol>(words_.size()), last_hash_};
            words_.push_back(word);
        }
        return slot.symbol;
    }

    Symbol find(Span word) {
        const Slot& slot = find_slot(word);
        return slot.generation == generation_ ? slot.symbol : unknown;
    }

  private:
    struct Slot {
        std::uint32_t generation = 0;
        Symbol symbol = 0;
        std::uint64_t hash = 0;
    };

    Slot& find_slot(Span word) {
        last_hash_ = hash_bytes(word.data(), word.size());
        for (std::size_t i = last_hash_ >> 7;; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.generation != generation_) return slot;
            if (slot.hash == last_hash_ && words_[slot.symbol] == word) return slot;
        }
    }

    std::vector<Slot> slots_;
    std::vector<Span> words_;
    std::uint32_t generation_ = 0;
    std::uint64_t last_hash_ = 0;
};

}  // namespace tertium
