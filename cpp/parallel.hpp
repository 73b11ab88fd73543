// Work split over threads, with the same result for every number of them.
//
// Segments are independent and each writes its own rows, so the split cannot be seen in the output. Threads take blocks
// of segments from a shared counter: long and short segments even out. Each thread owns one worker object (its scratch
// memory), made by the caller's factory. The first exception is passed on to the caller. Where the system grants fewer
// threads than wanted, those there are do the work. The calling thread asks ten times a second whether it is to stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tertium {

inline constexpr unsigned most_threads = 256;  // each costs memory, and more than there are cores gain nothing

// Thrown where the work was to stop; whoever set `interrupted` knows why.
struct Interrupted : std::exception {};

// Whether the work of the calling thread is to stop. Set once, by the bindings, before any work.
inline bool (*interrupted)() = [] { return false; };

// Calls `interrupted` in one thread, now and then.
class InterruptWatch {
  public:
    void look() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        if (interrupted()) throw Interrupted();
    }

  private:
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
};

inline unsigned usable_threads(unsigned wanted, std::size_t items, std::size_t block) {
    if (wanted == 0) wanted = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t blocks = (items + block - 1) / block;
    return static_cast<unsigned>(
        std::max<std::size_t>(1, std::min<std::size_t>(std::min(wanted, most_threads), blocks)));
}

// Calls worker(begin, end) for blocks that cover [0, items). `make_worker()` is called once a thread.
template <class MakeWorker>
void parallel_blocks(std::size_t items, unsigned threads, std::size_t block, MakeWorker make_worker) {
    threads = usable_threads(threads, items, block);
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    const std::thread::id caller = std::this_thread::get_id();
    const auto run = [&] {
        try {
            auto worker = make_worker();
            InterruptWatch watch;
            for (;;) {
                const std::size_t begin = next.fetch_add(block);
                if (begin >= items) return;
                worker(begin, std::min(items, begin + block));
                if (std::this_thread::get_id() == caller) watch.look();
            }
        } catch (...) {
            std::lock_guard guard(failure_lock);
            if (!failure) failure = std::current_exception();
            next = items;
        }
    };
    std::vector<std::thread> helpers;
    try {
        helpers.reserve(threads - 1);
        for (unsigned t = 1; t < threads; ++t) helpers.emplace_back(run);
    } catch (...) {  // the system grants no more; an exception here would end the process, as threads are running
    }
    run();
    for (auto& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tertium
