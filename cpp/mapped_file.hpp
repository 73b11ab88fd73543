// A text file in memory: read, where it is small or no regular file (a pipe), else a read-only memory map whose pages
// are given back while it is being read.
//
// A corpus of a mapped file costs 16 bytes a line. Reading it brings its pages into memory; `release` tells the system
// that the lines of a finished block will not be needed again, so a file of any size is scored in little memory. (It is
// safe only for file maps, where a page that is needed after all comes back from the file: hence the pointer in Corpus,
// set here and nowhere else.)
//
// Others may write to a mapped file while it is scored. Each line is copied and checked before it is used, and the
// file's size and time of change are compared in the end, so that is an error and nothing worse. Only a file that is
// made shorter cannot be survived: the system ends the process. A training run that writes its output anew writes small
// files, which are read at once and never touched again.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lines.hpp"
#include "parallel.hpp"
#include "text.hpp"

namespace tertium {

inline constexpr std::size_t smallest_map = 16 << 20;  // bytes

class MappedFile {
  public:
    explicit MappedFile(std::string path) : path_(std::move(path)) {
        file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (file_ < 0) throw std::system_error(errno, std::generic_category(), path_);
        int failure = fstat(file_, &facts_) < 0 ? errno : S_ISDIR(facts_.st_mode) ? EISDIR : 0;
        const auto size = static_cast<std::size_t>(facts_.st_size);
        if (!failure) failure = S_ISREG(facts_.st_mode) && size >= smallest_map ? map(size) : read_all();
        if (!mapped()) close(file_);
        if (failure) throw std::system_error(failure, std::generic_category(), path_);
    }
    ~MappedFile() {
        if (!mapped()) return;
        munmap(map_, size_);
        close(file_);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    bool mapped() const { return size_ > 0; }

    Span text() const { return mapped() ? Span(static_cast<const char*>(map_), size_) : Span(read_); }

    void release() const {
        if (mapped()) madvise(map_, size_, MADV_DONTNEED);
    }

    // Throws if the mapped file was written to since it was opened.
    void check_unchanged() const {
        struct stat now{};
        const bool same = fstat(file_, &now) == 0 && now.st_size == facts_.st_size &&
                          now.st_mtim.tv_sec == facts_.st_mtim.tv_sec && now.st_mtim.tv_nsec == facts_.st_mtim.tv_nsec;
        if (!same) throw ChangedFile(path_);
    }

  private:
    // Both return 0, or the number of the error.
    int map(std::size_t size) {
        map_ = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_, 0);
        if (map_ == MAP_FAILED) return errno;
        size_ = size;
        return 0;
    }
    int read_all() {
        std::size_t filled = 0;
        for (;;) {
            if (filled == read_.size()) read_.resize(std::max<std::size_t>(2 * filled, 1 << 16));
            const ssize_t got = read(file_, read_.data() + filled, read_.size() - filled);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return errno;
            if (got == 0) break;
            filled += static_cast<std::size_t>(got);
        }
        read_.resize(filled);
        return 0;
    }

    std::string path_;
    int file_ = -1;
    struct stat facts_{};
    void* map_ = nullptr;
    std::size_t size_ = 0;
    std::string read_;
};

inline Corpus corpus_of_file(const MappedFile& file) {
    Corpus corpus;
    corpus.pieces = lines_of(file.text());
    if (file.mapped()) corpus.map = &file;
    file.release();
    return corpus;
}

// Gives back the pages of lines [begin, end). A fault brings in up to 64 KiB around it, so as much before is given back
// too.
inline void release(const Corpus& corpus, std::size_t begin, std::size_t end) {
    if (!corpus.map || begin == end) return;
    static const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uintptr_t>(corpus.pieces.front().data()) / page * page;
    auto from = reinterpret_cast<std::uintptr_t>(corpus.pieces[begin].data()) / page * page;
    const Span& last = corpus.pieces[end - 1];
    const auto to = reinterpret_cast<std::uintptr_t>(last.data() + last.size()) / page * page;
    from = from > first + (64 << 10) ? from - (64 << 10) : first;
    if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

// Every kernel needs this to hold; Python's side checks it too, with a better message.
inline void check_sizes(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references) {
    if (systems.empty()) throw std::invalid_argument("there are no systems");
    for (const auto* corpora : {&systems, &references})
        for (const Corpus* corpus : *corpora)
            if (corpus->size() != systems[0]->size())
                throw std::invalid_argument("systems and references have different numbers of segments");
}

inline constexpr std::size_t most_orders = 1 << 20;  // what an order costs in memory is for Python's side to bound

inline void check_orders(std::size_t shortest, std::size_t longest) {
    if (shortest < 1 || shortest > longest || longest > most_orders)
        throw std::invalid_argument("n-gram orders must be from 1 to " + std::to_string(most_orders));
}

// Rows (systems, segments, columns) by threads that each have a counter of their own: `make_counter()` makes an object
// whose count(i, row, stride) writes the rows of segment i. Pages of finished blocks are given back.
template <class MakeCounter>
void each_segment(const std::vector<const Corpus*>& systems, const std::vector<const Corpus*>& references,
                  std::size_t columns, unsigned threads, double* rows, MakeCounter make_counter) {
    check_sizes(systems, references);
    const std::size_t segments = systems[0]->size();
    parallel_blocks(segments, threads, 256, [&] {
        return [&, counter = make_counter()](std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) counter.count(i, rows + i * columns, segments * columns);
            for (const Corpus* corpus : systems) release(*corpus, begin, end);
            for (const Corpus* corpus : references) release(*corpus, begin, end);
        };
    });
    for (const auto* corpora : {&systems, &references})
        for (const Corpus* corpus : *corpora)
            if (corpus->map) corpus->map->check_unchanged();
}

}  // namespace tertium
