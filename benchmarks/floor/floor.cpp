// The floor: how long bare C++ takes for BLEU and chrF when it does nothing but read, tokenize, hash, count and clip.
//
//     floor HYPOTHESES REFERENCE bleu|chrf|chrf++ REPEATS
//
// One reference, one thread, no options, no Python, rows neither kept nor checked: n-grams are taken to be equal when
// their 64-bit hashes are, in one open-addressing table a segment. It prints the best CPU time and the sums of matches,
// which the benchmark compares with Tertium's, so that the floor is known to do the same job.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer_13a.hpp"

using Hash = std::uint64_t;
constexpr Hash multiplier = 0x9E3779B97F4A7C15ull;

struct Slot {
    Hash key;
    std::uint32_t generation, count, used;
};

struct Table {
    std::vector<Slot> slots = std::vector<Slot>(1 << 13, Slot{});
    std::uint32_t generation = 0;

    Slot& find(Hash key) {
        for (std::size_t i = key >> 40;; ++i) {
            Slot& slot = slots[i & (slots.size() - 1)];
            if (slot.generation != generation) return slot = {key, 0, 0, 0}, slot;
            if (slot.key == key) return slot;
        }
    }
};

// Counts the n-grams of the reference, then clips those of the hypothesis.
struct Counter {
    Table table;
    std::vector<std::uint64_t> matches = std::vector<std::uint64_t>(8);

    void segment(const std::vector<Hash>& hypothesis, const std::vector<Hash>& reference, std::size_t orders,
                 std::size_t at) {
        ++table.generation;
        each(reference, orders, [&](Slot& slot, std::size_t) {
            slot.generation = table.generation;
            ++slot.count;
            return true;
        });
        each(hypothesis, orders, [&](Slot& slot, std::size_t n) {
            if (slot.generation != table.generation) return false;
            matches[at + n] += ++slot.used <= slot.count;
            return true;
        });
    }

    template <class Visit>
    void each(const std::vector<Hash>& symbols, std::size_t orders, Visit visit) {
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            Hash hash = 0;
            for (std::size_t n = 0; n < orders && i + n < symbols.size(); ++n) {
                hash = (std::rotl(hash, 23) ^ symbols[i + n] ^ n) * multiplier;
                if (!visit(table.find(hash), n)) break;
            }
        }
    }
};

Hash hash_of(std::string_view text) {
    Hash hash = text.size();
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * multiplier;
    return hash;
}

void hash_tokens(const std::vector<std::string_view>& tokens, std::vector<Hash>& out) {
    out.clear();
    for (const std::string_view token : tokens) out.push_back(hash_of(token));
}

// Characters without white space, as hashes; words with one punctuation mark split off.
void characters(std::string_view line, std::vector<Hash>& out) {
    out.clear();
    for (const char* p = line.data(); p != line.data() + line.size(); p += tertium::character_width(*p))
        if (!tertium::space_at(p, line.data() + line.size())) out.push_back(tertium::code_point(p) * multiplier);
}

bool is_punctuation(char c) {
    return c > ' ' && c < 127 && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
}

void words(std::string_view line, std::vector<std::string_view>& scratch, std::vector<Hash>& out) {
    scratch.clear();
    out.clear();
    tertium::split(line, scratch);
    for (const std::string_view word : scratch) {
        const bool single = word.size() == tertium::character_width(word[0]);
        const std::size_t cut = single                        ? 0
                                : is_punctuation(word.back()) ? word.size() - 1
                                : is_punctuation(word[0])     ? 1
                                                              : 0;
        if (cut) out.push_back(hash_of(word.substr(0, cut)));
        out.push_back(hash_of(word.substr(cut)));
    }
}

std::vector<std::string_view> read_lines(const char* path, std::string& text) {
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(std::string_view(text).substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char** arguments) {
    if (count != 5) return std::fprintf(stderr, "floor HYPOTHESES REFERENCE bleu|chrf|chrf++ REPEATS\n"), 2;
    const std::string metric = arguments[3];
    double best = 1e9;
    Counter counter;
    tertium::Tokens tokens;
    std::vector<Hash> hypothesis, reference;
    std::string hypothesis_text, reference_text;
    for (int repeat = std::atoi(arguments[4]); repeat > 0; --repeat) {
        const double start = now();
        const auto hypotheses = read_lines(arguments[1], hypothesis_text);
        const auto references = read_lines(arguments[2], reference_text);
        counter.matches.assign(8, 0);
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            if (metric == "bleu") {
                for (auto [line, out] : {std::pair(hypotheses[i], &hypothesis), std::pair(references[i], &reference)}) {
                    tokens.tokens.clear();
                    tertium::tokenize_13a(line, tokens);
                    hash_tokens(tokens.tokens, *out);
                }
                counter.segment(hypothesis, reference, 4, 0);
                continue;
            }
            characters(hypotheses[i], hypothesis);
            characters(references[i], reference);
            counter.segment(hypothesis, reference, 6, 0);
            if (metric == "chrf") continue;
            words(hypotheses[i], tokens.tokens, hypothesis);
            words(references[i], tokens.tokens, reference);
            counter.segment(hypothesis, reference, 2, 6);
        }
        best = std::min(best, now() - start);
    }
    std::printf("%.9f", best);
    for (const auto matches : counter.matches) std::printf(" %llu", static_cast<unsigned long long>(matches));
    std::printf("\n");
}
