// Python's door to the kernels of translation models: arrays in, arrays that the caller made filled. See bindings.cpp.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "attention.hpp"
#include "int8_linear.hpp"
#include "lanes.hpp"
#include "log_softmax.hpp"
#include "top.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tertium;

namespace {

template <class T, std::size_t Axes>
using Dense = nb::ndarray<T, nb::ndim<Axes>, nb::c_contig, nb::device::cpu>;
template <class T, std::size_t Axes>
using Stepped = nb::ndarray<const T, nb::ndim<Axes>, nb::device::cpu>;

HeadRows head_rows(const Stepped<float, 4>& array) {
    if (array.stride(3) != 1 && array.shape(3) > 1 && array.size() > 0)
        throw std::invalid_argument("the last axis must be dense");
    return {array.data(), array.stride(0), array.stride(1), array.stride(2)};
}

void attend_to(const Stepped<float, 4>& queries, const Stepped<float, 4>& keys, const Stepped<float, 4>& values,
               const std::optional<Stepped<bool, 3>>& seen, const Dense<float, 4>& out, const std::string& processor,
               unsigned threads) {
    Attention a{queries.shape(0),
                queries.shape(1),
                queries.shape(2),
                keys.shape(2),
                queries.shape(3),
                head_rows(queries),
                head_rows(keys),
                head_rows(values),
                nullptr,
                0,
                0,
                0,
                out.data()};
    bool fits = true;
    for (const std::size_t axis : {0, 1, 3})
        fits = fits && keys.shape(axis) == queries.shape(axis) && values.shape(axis) == queries.shape(axis);
    fits = fits && values.shape(2) == a.slots && out.shape(0) == a.sentences && out.shape(1) == a.queries &&
           out.shape(2) == a.heads && out.shape(3) == a.width;
    if (seen) {
        fits = fits && seen->shape(0) == a.sentences && seen->shape(2) == a.slots &&
               (seen->shape(1) == 1 || seen->shape(1) == a.queries);
        a.seen = reinterpret_cast<const std::uint8_t*>(seen->data());
        a.seen_sentence = seen->stride(0);
        a.seen_query = seen->shape(1) == 1 ? 0 : seen->stride(1);
        a.seen_slot = seen->stride(2);
    }
    if (!fits) throw std::invalid_argument("the shapes of queries, keys, values, seen and out do not fit together");
    nb::gil_scoped_release release;
    attend(a, processor_named(processor), threads);
}

}  // namespace

void bind_networks(nb::module_& m) {
    m.def("processor", [] { return processors[static_cast<int>(this_processor())]; });
    m.def("attend", &attend_to, "queries"_a, "keys"_a, "values"_a, "seen"_a, "out"_a, "processor"_a, "threads"_a);
    m.def(
        "log_softmax",
        [](const Dense<float, 2>& rows, const std::string& processor, unsigned threads) {
            nb::gil_scoped_release release;
            log_softmax(rows.data(), rows.shape(0), rows.shape(1), processor_named(processor), threads);
        },
        "rows"_a, "processor"_a, "threads"_a);
    m.def(
        "top",
        [](const Dense<const float, 2>& numbers, const Dense<float, 2>& values, const Dense<std::int64_t, 2>& places,
           const std::string& processor, unsigned threads) {
            const std::size_t rows = numbers.shape(0), k = values.shape(1);
            if (values.shape(0) != rows || places.shape(0) != rows || places.shape(1) != k || k > numbers.shape(1))
                throw std::invalid_argument("the shapes of numbers, values and places do not fit together");
            nb::gil_scoped_release release;
            const Top wanted{numbers.data(), numbers.shape(1), k, values.data(), places.data()};
            if (k > 0) find_top(wanted, rows, processor_named(processor), threads);
        },
        "numbers"_a, "values"_a, "places"_a, "processor"_a, "threads"_a);
    nb::class_<Int8Linear>(m, "Int8Linear")
        .def(
            "__init__",
            [](Int8Linear* self, const Dense<const float, 2>& weight, const std::optional<Dense<const float, 1>>& bias,
               const std::string& processor) {
                if (bias && bias->shape(0) != weight.shape(0)) throw std::invalid_argument("each output needs a bias");
                new (self) Int8Linear(weight.data(), bias ? bias->data() : nullptr, weight.shape(0), weight.shape(1),
                                      processor_named(processor));
            },
            "weight"_a, "bias"_a, "processor"_a)
        .def(
            "apply",
            [](const Int8Linear& self, const Dense<const float, 2>& x, const Dense<float, 2>& out, bool relu,
               unsigned threads) {
                if (x.shape(1) != self.inputs() || out.shape(1) != self.outputs() || out.shape(0) != x.shape(0))
                    throw std::invalid_argument("the shapes of x and out do not fit the layer");
                nb::gil_scoped_release release;
                self.apply(x.data(), x.shape(0), relu, threads, out.data());
            },
            "x"_a, "out"_a, "relu"_a, "threads"_a);
}
