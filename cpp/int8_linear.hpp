// A linear layer whose weights are eight-bit integers: y = x W' + b, for translating.
//
// Each output's weights are rounded to [-127, 127] times a scale of that output. The inputs are rounded when they come,
// each row to [-127, 127] times a scale of that row: what a row gives depends on nothing but the row, so a translation
// does not depend on what else is in its batch. Products are summed as 32-bit integers, exact in any order, and
//
//     y[m, n] = float(sum[m, n]) * (row_scale[m] * scale[n]) + bias[n]
//
// is computed in that order in single precision: the same bits on every processor and for every number of threads.
// int8_tile.hpp says how; here are the packing of the weights and the order of the tiles: a panel of 64 outputs, which
// fits into the first cache, meets all rows of a chunk, which fit into the second, and the next panel is fetched meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "int8_tile.hpp"
#include "parallel.hpp"

namespace tertium {

inline constexpr std::size_t chunk_rows = 192;
inline constexpr double work_of_a_thread = 1e8;  // products: less is done sooner than a thread is started

// Memory that begins at a multiple of 64 bytes, as wide registers like it.
template <class T>
class Aligned {
  public:
    explicit Aligned(std::size_t size) : data_(static_cast<T*>(::operator new(size * sizeof(T), alignment))) {}
    T* data() const { return data_.get(); }

  private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(T* data) const { ::operator delete(data, alignment); }
    };
    std::unique_ptr<T, Free> data_;
};

class Int8Linear {
  public:
    // weight (outputs, inputs); bias (outputs) or null.
    Int8Linear(const float* weight, const float* bias, std::size_t outputs, std::size_t inputs, Processor processor)
        : kernels_(int8_kernels(processor)),
          outputs_(outputs),
          inputs_(inputs),
          groups_((inputs + group_inputs - 1) / group_inputs),
          panels_((outputs + panel_outputs - 1) / panel_outputs),
          weights_(panels_ * panel_size()),
          scales_(panels_ * panel_outputs),
          biases_(panels_ * panel_outputs),
          shifts_(panels_ * panel_outputs) {
        std::fill_n(weights_.data(), panels_ * panel_size(), std::int8_t{0});
        for (std::size_t n = 0; n < panels_ * panel_outputs; ++n) {
            scales_.data()[n] = biases_.data()[n] = 0;
            shifts_.data()[n] = 0;
        }
        std::vector<std::int8_t> row(inputs);
        for (std::size_t n = 0; n < outputs; ++n) {
            scales_.data()[n] = quantise(weight + n * inputs, inputs, 0, row.data());
            biases_.data()[n] = bias ? bias[n] : 0.0f;
            std::int8_t* first = weights_.data() + n / panel_outputs * panel_size() + n % panel_outputs * group_inputs;
            for (std::size_t k = 0; k < inputs; ++k) {
                first[k / group_inputs * panel_outputs * group_inputs + k % group_inputs] = row[k];
                shifts_.data()[n] += 128 * row[k];
            }
        }
    }

    std::size_t outputs() const { return outputs_; }
    std::size_t inputs() const { return inputs_; }

    // out (rows, outputs) of x (rows, inputs); with `relu`, what is below 0 becomes 0.
    void apply(const float* x, std::size_t rows, bool relu, unsigned threads, float* out) const {
        const std::size_t stride = groups_ * group_inputs;
        const Aligned<std::uint8_t> numbers(rows * stride);
        const Aligned<float> row_scales(rows);
        for (std::size_t m = 0; m < rows; ++m) {
            std::uint8_t* row = numbers.data() + m * stride;
            row_scales.data()[m] = kernels_.quantise(x + m * inputs_, inputs_, row);
            std::memset(row + inputs_, 0, stride - inputs_);  // their weights are 0
        }
        const auto tile = [&](std::size_t panel, std::size_t row, std::size_t count) {
            const std::size_t first = panel * panel_outputs;
            const std::int8_t* weights = weights_.data() + panel * panel_size();
            const std::size_t part = std::min<std::size_t>(row % chunk_rows / tile_rows, panel_outputs / 16 - 1);
            const std::int8_t* soon = weights + panel_size() + part * groups_ * 64;  // the first tiles fetch all of it
            kernels_.tiles[count - 1]({numbers.data() + row * stride, row_scales.data() + row, count, groups_, weights,
                                       soon, scales_.data() + first, biases_.data() + first, shifts_.data() + first,
                                       relu, out + row * outputs_ + first, outputs_,
                                       std::min(panel_outputs, outputs_ - first)});
        };
        over_tiles(rows, threads, tile);
    }

  private:
    std::size_t panel_size() const { return groups_ * group_inputs * panel_outputs; }

    // Calls tile(panel, row, count) until all rows have met all panels.
    template <class Tile>
    void over_tiles(std::size_t rows, unsigned threads, Tile tile) const {
        const auto work = [&](std::size_t begin, std::size_t end) {
            for (std::size_t item = begin; item < end; ++item) {
                const std::size_t first = item / panels_ * chunk_rows, last = std::min(rows, first + chunk_rows);
                for (std::size_t row = first; row < last; row += tile_rows)
                    tile(item % panels_, row, std::min(tile_rows, last - row));
            }
        };
        const std::size_t items = (rows + chunk_rows - 1) / chunk_rows * panels_;
        const double products = static_cast<double>(rows) * static_cast<double>(outputs_ * inputs_);
        threads = static_cast<unsigned>(std::min<double>(threads, products / work_of_a_thread + 1));
        if (threads == 1) return work(0, items);
        parallel_blocks(items, threads, 4, [&] { return work; });
    }

    const Int8Kernels& kernels_;
    std::size_t outputs_, inputs_, groups_, panels_;
    Aligned<std::int8_t> weights_;  // (panels, groups, 64, 4)
    Aligned<float> scales_, biases_;
    Aligned<std::int32_t> shifts_;  // 128 times the sum of an output's weights
};

}  // namespace tertium
