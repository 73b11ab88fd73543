// Numbers 1, 2, 3 ... for 64-bit keys, in an open-addressing table: an exact key cannot collide. It grows with the
// number of distinct keys, so a text that repeats itself costs little.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "vocabulary.hpp"

namespace tertium {

class KeyTable {
  public:
    KeyTable() : slots_(1024) {}

    void clear() {
        slots_.assign(1024, {});
        size_ = 0;
    }

    // The number of a key, a new one if it has none.
    std::uint32_t add(std::uint64_t key) {
        if (2 * (static_cast<std::size_t>(size_) + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(key)];
        if (!slot.number) slot = {key, ++size_};
        return slot.number;
    }

    // The number of a key, 0 if it has none.
    std::uint32_t find(std::uint64_t key) const { return slots_[place(key)].number; }

    std::uint32_t size() const { return size_; }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t number = 0;
    };

    std::size_t place(std::uint64_t key) const {
        std::uint64_t at = key * hash_multiplier;
        for (at ^= at >> 32;; ++at) {
            const Slot& slot = slots_[at & (slots_.size() - 1)];
            if (!slot.number || slot.key == key) return at & (slots_.size() - 1);
        }
    }

    void grow() {
        if (size_ >= 0x7FFFFFFF) throw std::length_error("more than 2^31 distinct n-grams");
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.number) slots_[place(slot.key)] = slot;
    }

    std::vector<Slot> slots_;
    std::uint32_t size_ = 0;
};

// The key of an n-gram: the number of the n-gram without its last word, and that word.
inline std::uint64_t ngram_key(std::uint32_t prefix, Symbol symbol) {
    return static_cast<std::uint64_t>(prefix) << 32 | symbol;
}

}  // namespace tertium
