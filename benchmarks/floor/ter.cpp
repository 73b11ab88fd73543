// The floor for TER: how long bare C++ takes that reads, lower-cases, splits, hashes and then searches as the
// definition says.
//
//     ter HYPOTHESES REFERENCE REPEATS
//
// One reference, one thread, no options, no Python. The edit distance is a loop over the cells of the beam; it begins
// at the first row that differs from the hypothesis as it stands. Every candidate is tried; nothing is left out by a
// bound. Words are equal when their 64-bit hashes are. It prints the best CPU time, the sum of edits and the sum of
// reference lengths.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lowercase.hpp"
#include "text.hpp"

using Words = std::vector<std::uint64_t>;
constexpr std::uint32_t infinite = 1u << 30;

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15ull;
    return hash;
}

// The matrix of costs within the beam, row by row.
struct Matrix {
    std::vector<std::uint32_t> cells;
    std::size_t width = 0;

    std::uint32_t* row(std::size_t i) { return cells.data() + i * width; }

    std::uint32_t fill(const Words& words, const Words& reference, std::size_t from) {
        const std::size_t n = words.size(), r = reference.size();
        width = r + 1;
        cells.resize((n + 1) * width);
        if (from == 0)
            for (std::size_t j = 0; j <= r; ++j) cells[j] = static_cast<std::uint32_t>(j);
        const double ratio = n ? static_cast<double>(r) / static_cast<double>(n) : 1.0;
        const double beam = 25 < ratio / 2 ? std::ceil(ratio / 2 + 25) : 25;
        for (std::size_t i = from + 1; i <= n; ++i) {
            const double middle = std::floor(static_cast<double>(i) * ratio);
            const auto low = static_cast<std::size_t>(std::max(0.0, middle - beam));
            const std::size_t high = i == n ? r + 1 : std::min(r + 1, static_cast<std::size_t>(middle + beam));
            std::uint32_t *now = row(i), *above = row(i - 1);
            std::fill(now, now + low, infinite);
            std::fill(now + high, now + width, infinite);
            for (std::size_t j = low; j < high; ++j) {
                if (j == 0) {
                    now[0] = above[0] + 1;
                    continue;
                }
                const std::uint32_t left = j > low ? now[j - 1] : infinite;
                now[j] = std::min({above[j - 1] + (words[i - 1] != reference[j - 1]), above[j] + 1, left + 1});
            }
        }
        return row(n)[r];
    }
};

struct Search {
    Matrix present, tried;
    std::vector<std::size_t> place;
    std::vector<char> hypothesis_error, reference_error;
    Words moved;

    void align(const Words& words, const Words& reference) {
        std::size_t i = words.size(), j = reference.size();
        place.assign(j + 1, 0);
        hypothesis_error.assign(i, 1);
        reference_error.assign(j, 1);
        while (i || j) {
            const std::uint32_t here = present.row(i)[j];
            const bool equal = i && j && words[i - 1] == reference[j - 1];
            if (i && j && here == present.row(i - 1)[j - 1] + !equal) {
                place[j] = i;
                hypothesis_error[--i] = !equal;
                reference_error[--j] = !equal;
            } else if (i && here == present.row(i - 1)[j] + 1) {
                --i;
            } else {
                place[j] = i;
                --j;
            }
        }
    }

    std::size_t edits(Words words, const Words& reference) {
        const std::size_t n = words.size(), r = reference.size();
        if (r == 0) return n;
        std::size_t shifts = 0, checked = 0;
        std::uint32_t distance = present.fill(words, reference, 0);
        for (;;) {
            align(words, reference);
            tried.cells = present.cells;
            std::tuple<long, long, long, long> best{0, 0, 0, 0};
            Words best_words;
            for (std::size_t s = 0; s < n; ++s) {
                for (std::size_t q = s > 50 ? s - 50 : 0; q < r && q <= s + 50; ++q) {
                    bool wrong_words = false, wrong_reference = false;
                    for (std::size_t l = 1;
                         l <= 10 && s + l <= n && q + l <= r && words[s + l - 1] == reference[q + l - 1]; ++l) {
                        wrong_words |= hypothesis_error[s + l - 1];
                        wrong_reference |= reference_error[q + l - 1];
                        if (!wrong_words || !wrong_reference || (place[q + 1] > s && place[q + 1] <= s + l)) continue;
                        for (std::size_t j = q; j <= q + l; ++j) {
                            if (j > q && place[j] == place[j - 1]) continue;
                            ++checked;
                            const std::size_t at = place[j];
                            const std::size_t target = at < s ? at : at > s + l ? at - l : std::min(at, n - l);
                            moved = words;
                            const auto begin = moved.begin();
                            if (target < s) std::rotate(begin + target, begin + s, begin + s + l);
                            else std::rotate(begin + s, begin + s + l, begin + target + l);
                            const std::size_t from = std::min(s, target);
                            tried.width = present.width;
                            std::copy(present.row(from), present.row(from) + present.width, tried.row(from));
                            const long gain = static_cast<long>(distance) - tried.fill(moved, reference, from);
                            const std::tuple<long, long, long, long> key{gain, l, -static_cast<long>(s),
                                                                         -static_cast<long>(at)};
                            if (best_words.empty() || key > best) best = key, best_words = moved;
                        }
                        if (checked >= 1000) return shifts + distance;
                    }
                }
            }
            if (best_words.empty() || std::get<0>(best) <= 0) return shifts + distance;
            ++shifts;
            words = best_words;
            distance = present.fill(words, reference, 0);
        }
    }
};

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
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int main(int count, char** arguments) {
    if (count != 4) return std::fprintf(stderr, "ter HYPOTHESES REFERENCE REPEATS\n"), 2;
    double best = 1e9;
    std::size_t edits = 0, length = 0;
    Search search;
    std::string hypothesis_text, reference_text, lowered;
    std::vector<std::string_view> tokens;
    const auto words_of = [&](std::string_view line) {
        lowered.clear();
        tertium::append_lower(line, lowered);
        tokens.clear();
        tertium::split(lowered, tokens);
        Words words;
        for (const std::string_view token : tokens) words.push_back(hash_of(token));
        return words;
    };
    for (int repeat = std::atoi(arguments[3]); repeat > 0; --repeat) {
        const double start = now();
        const auto hypotheses = read_lines(arguments[1], hypothesis_text);
        const auto references = read_lines(arguments[2], reference_text);
        edits = length = 0;
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            const Words reference = words_of(references[i]);
            edits += search.edits(words_of(hypotheses[i]), reference);
            length += reference.size();
        }
        best = std::min(best, now() - start);
    }
    std::printf("%.9f %zu %zu\n", best, edits, length);
}
