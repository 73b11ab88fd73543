// Small numbers for the distinct symbols of one segment.
//
// N-gram counting needs to know only which tokens of a segment are equal, so each segment gets its own numbering 0, 1,
// 2 ... of the reference's tokens; a hypothesis token that no reference has is `unknown`. Equality is decided by the
// bytes, never by the hash alone. The table is emptied in O(1): an entry counts only if it carries the current
// generation.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text.hpp"

namespace tertium {

using Symbol = std::uint32_t;
inline constexpr Symbol unknown = 0xFFFFFFFF;

// A word of up to eight bytes as a number: its bytes, then zeros. Together with its length it *is* the word. Eight
// bytes are read at once where that stays on the word's page (what lies behind the word is masked away), because the
// length of a word is unpredictable and a branch on it is dear. The address sanitizer would object, so it gets the
// copy.
inline std::uint64_t short_key(const char* p, std::size_t size) {
    std::uint64_t word = 0;
#if !defined(__SANITIZE_ADDRESS__)
    constexpr std::uintptr_t smallest_page = 4096;
    if (std::endian::native == std::endian::little && size &&
        reinterpret_cast<std::uintptr_t>(p) % smallest_page <= smallest_page - 8) {
        std::memcpy(&word, p, 8);
        return word & ~std::uint64_t{0} >> (64 - 8 * size);
    }
#endif
    if (size) std::memcpy(&word, p, size);
    return word;
}

inline constexpr std::uint64_t hash_multiplier = 0x9E3779B97F4A7C15ull;

// A hash of a longer word: eight bytes at a time, the last eight may overlap.
inline std::uint64_t long_key(const char* p, std::size_t size) {
    std::uint64_t hash = 0;
    const auto mix = [&](const char* at) {
        std::uint64_t part;
        std::memcpy(&part, at, 8);
        hash = (hash ^ part) * hash_multiplier;
        hash ^= hash >> 32;
    };
    for (std::size_t at = 0; at + 8 < size; at += 8) mix(p + at);
    mix(p + size - 8);
    return hash;
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
        size_ = 0;
    }

    std::size_t size() const { return size_; }

    Symbol add(Span word) {
        Slot& slot = find_slot(word);
        if (slot.generation != generation_) {
            slot.generation = generation_;
            slot.symbol = size_++;
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
        std::uint64_t key = 0;
        Span word;
    };

    // The slot of a word, or the free one where it belongs, with key and word already entered.
    Slot& find_slot(Span word) {
        const bool is_short = word.size() <= 8;
        const std::uint64_t key = is_short ? short_key(word.data(), word.size()) : long_key(word.data(), word.size());
        const std::uint64_t hash = (key ^ word.size()) * hash_multiplier;
        for (std::size_t i = hash ^ hash >> 32;; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.generation != generation_) {
                slot.key = key;
                slot.word = word;
                return slot;
            }
            if (slot.key == key && slot.word.size() == word.size() && (is_short || slot.word == word)) return slot;
        }
    }

    std::vector<Slot> slots_;
    std::uint32_t generation_ = 0;
    Symbol size_ = 0;
};

}  // namespace tertium
