"""The core's kernels for translation models against their readable twins."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium.native.network import PROCESSOR, Floats, Int8Linear, attend, log_softmax, top
from tertium.native.reference import network as twin

PROCESSORS = ("portable", "avx2", "avx512")
HERE = PROCESSORS[: PROCESSORS.index(PROCESSOR) + 1]

finite = st.floats(-(2.0**60), 2.0**60, width=32)
ordinary = st.floats(-4, 4, width=32)


def matrices(rows: int, width: int, elements: Any = ordinary) -> st.SearchStrategy[Floats]:
    return arrays(np.float32, (rows, width), elements=elements)


def applied(layer: Any, x: Floats, outputs: int, *, relu: bool = False, threads: int = 1) -> Floats:
    out = np.full((len(x), outputs), np.float32(-77))
    layer.apply(np.ascontiguousarray(x), out, relu, threads)
    return out


@pytest.mark.parametrize("processor", HERE)
@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    rows=st.integers(0, 20),
    inputs=st.integers(1, 70),
    outputs=st.integers(1, 140),
    relu=st.booleans(),
    biased=st.booleans(),
)
def test_int8_layers_are_the_twins_to_the_last_bit(
    processor: str, data: st.DataObject, rows: int, inputs: int, outputs: int, relu: bool, biased: bool
) -> None:
    """Rounding, integer sums and the order of the scaling are the twin's on every processor, for any shape."""
    x = data.draw(matrices(rows, inputs, finite))
    weight = data.draw(matrices(outputs, inputs))
    bias = data.draw(arrays(np.float32, outputs, elements=ordinary)) if biased else None
    layer = Int8Linear(weight, bias, processor)
    np.testing.assert_array_equal(applied(layer, x, outputs, relu=relu), twin.int8_linear(x, weight, bias, relu=relu))


@pytest.mark.parametrize("processor", HERE)
def test_int8_sums_do_not_saturate(processor: str) -> None:
    """The largest sums there are: all inputs and weights at the ends of their ranges, 4096 of them."""
    x = np.array([[1.0] * 4096, [-1.0] * 4096], np.float32)
    layer = Int8Linear(np.concatenate([x, x[:, ::-1] * np.float32(3)]), None, processor)
    np.testing.assert_allclose(applied(layer, x, 4), 4096 * np.array([[1, -1, 3, -3], [-1, 1, -3, 3]]), rtol=1e-6)


@pytest.mark.parametrize("processor", HERE)
def test_int8_rows_do_not_see_each_other(processor: str) -> None:
    """A row gives the same bits alone and beside rows that are huge, zero, tiny or not finite; what is not finite gives
    NaN and no number."""
    rng = np.random.default_rng(0)
    weight, row = rng.normal(size=(70, 30)).astype(np.float32), rng.normal(size=(1, 30)).astype(np.float32)
    layer = Int8Linear(weight, None, processor)
    others = [row * np.float32(1e30), row * 0, row * np.float32(1e-44), row.copy(), row.copy()]
    others[3][0, 5], others[4][0, 29] = np.nan, -np.inf
    together = applied(layer, np.concatenate([*others, row, row, row]), 70)
    alone = applied(layer, row, 70)
    for same in together[5:]:
        np.testing.assert_array_equal(same, alone[0])
    assert np.isfinite(together[:3]).all()
    assert (together[1:3] == 0).all()
    assert np.isnan(together[3:5]).all()


def test_int8_layers_are_the_same_for_every_number_of_threads() -> None:
    """Work that is split between threads, with a remainder in both directions."""
    rng = np.random.default_rng(1)
    x, weight = rng.normal(size=(401, 600)).astype(np.float32), rng.normal(size=(1001, 600)).astype(np.float32)
    layer = Int8Linear(weight, None, "auto")
    np.testing.assert_array_equal(applied(layer, x, 1001, threads=3), applied(layer, x, 1001))


def test_int8_layers_refuse_shapes_that_do_not_fit() -> None:
    """A wrong width, or too little room, is an error and no access to other memory."""
    layer = Int8Linear(np.ones((3, 4), np.float32), None, "auto")
    for x, out in (((2, 5), (2, 3)), ((2, 4), (2, 4)), ((2, 4), (1, 3))):
        with pytest.raises(ValueError, match="fit the layer"):
            layer.apply(np.ones(x, np.float32), np.ones(out, np.float32), False, 1)
    with pytest.raises(ValueError, match="bias"):
        Int8Linear(np.ones((3, 4), np.float32), np.ones(4, np.float32), "auto")
    with pytest.raises(ValueError, match="no abacus"):
        Int8Linear(np.ones((3, 4), np.float32), None, "abacus")


@st.composite
def attentions(draw: st.DrawFn) -> tuple[Floats, Floats, Floats, Any]:
    """Queries, keys, values (sentences, heads, rows, width), and what is seen by each query, or by all alike."""
    sentences, heads, width = (
        draw(st.integers(1, 3)),
        draw(st.integers(1, 3)),
        draw(st.sampled_from((3, 16, 32, 40, 64, 120))),
    )
    queries, slots = draw(st.integers(1, 9)), draw(st.integers(1, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    q, k, v = (3 * rng.normal(size=(sentences, heads, n, width)).astype(np.float32) for n in (queries, slots, slots))
    seen = rng.random((sentences, draw(st.sampled_from((1, queries))), slots)) < draw(st.floats(0.1, 1))
    seen[..., draw(st.integers(0, slots - 1))] = True
    return q, k, v, seen


@settings(max_examples=60, deadline=None)
@given(given_arrays=attentions())
def test_attention_is_the_twins(given_arrays: tuple[Floats, Floats, Floats, Any]) -> None:
    """To single precision, with equal bits from every processor."""
    q, k, v, seen = given_arrays
    outs = []
    for processor in HERE:
        outs.append(np.full((q.shape[0], q.shape[2], q.shape[1], q.shape[3]), np.float32(-77)))
        attend(q, k, v, seen, outs[-1], processor=processor)
    for other in outs[1:]:
        np.testing.assert_array_equal(other, outs[0])
    each_sees = np.broadcast_to(seen, (len(q), q.shape[2], k.shape[2]))
    for sentence in range(q.shape[0]):
        for head in range(q.shape[1]):
            of = (sentence, head)
            expected = twin.attend(q[of], k[of], v[of], each_sees[sentence])
            np.testing.assert_allclose(outs[0][sentence, :, head], expected, rtol=1e-4, atol=1e-5)


@settings(max_examples=40, deadline=None)
@given(given_arrays=attentions())
def test_a_querys_attention_depends_on_its_own_slots_alone(given_arrays: tuple[Floats, Floats, Floats, Any]) -> None:
    """The same bits as with the sentence, the query and the slots it sees alone; what it does not see may be NaN."""
    q, k, v, seen = given_arrays
    together = np.empty((q.shape[0], q.shape[2], q.shape[1], q.shape[3]), np.float32)
    each_sees = np.broadcast_to(seen, (len(q), q.shape[2], k.shape[2]))
    unseen = ~each_sees.any(1)[:, None, :, None]
    attend(q, np.where(unseen, np.nan, k), np.where(unseen, np.nan, v), seen, together)
    for sentence in range(q.shape[0]):
        for query in range(q.shape[2]):
            own = each_sees[sentence, query]
            alone = np.empty((1, 1, q.shape[1], q.shape[3]), np.float32)
            some = slice(sentence, sentence + 1)
            attend(q[some, :, query : query + 1], k[some][:, :, own], v[some][:, :, own], None, alone)
            np.testing.assert_array_equal(alone[0, 0], together[sentence, query])


def test_attention_is_the_same_for_every_number_of_threads() -> None:
    """Work that is worth more than one of them."""
    rng = np.random.default_rng(5)
    q, k, v = rng.normal(size=(3, 9, 4, 60, 64)).astype(np.float32)
    seen = rng.random((9, 60, 60)) < 0.5
    one, three = np.empty((2, 9, 60, 4, 64), np.float32)
    attend(q, k, v, seen, one)
    attend(q, k, v, seen, three, threads=3)
    np.testing.assert_array_equal(three, one)


def test_attention_reads_arrays_of_any_steps() -> None:
    """Views into wider arrays, as fused projections and half-filled slots are, give what copies give."""
    rng = np.random.default_rng(2)
    fused = rng.normal(size=(2, 5, 3, 4, 16)).astype(np.float32)  # (sentences, length, parts, heads, width)
    q, k, v = (fused[:, :, part].transpose(0, 2, 1, 3) for part in range(3))
    seen = rng.random((2, 5, 10)) < 0.5
    seen = seen[:, :, ::2]
    seen[..., 0] = True
    views, copies = np.empty((2, 2, 5, 4, 16), np.float32)
    attend(q, k, v, seen, views)
    attend(*(np.ascontiguousarray(each) for each in (q, k, v, seen)), copies)
    np.testing.assert_array_equal(views, copies)


def test_attention_of_no_queries() -> None:
    """Nothing is asked, nothing is written."""
    none, keys = np.empty((2, 3, 0, 8), np.float32), np.ones((2, 3, 4, 8), np.float32)
    attend(none, keys, keys, np.ones((2, 0, 4), bool), np.empty((2, 0, 3, 8), np.float32))


def test_attention_refuses_shapes_that_do_not_fit() -> None:
    """Each array that does not fit the others is an error and no access to other memory."""
    good = {
        "queries": (2, 3, 4, 8), "keys": (2, 3, 6, 8), "values": (2, 3, 6, 8), "seen": (2, 4, 6), "out": (2, 4, 3, 8),
    }  # fmt: skip
    for name, shape in good.items():
        for axis in range(len(shape)):
            wrong = {**good, name: (*shape[:axis], shape[axis] + 1, *shape[axis + 1 :])}
            made = {each: np.ones(size, bool if each == "seen" else np.float32) for each, size in wrong.items()}
            with pytest.raises(ValueError, match="do not fit together"):
                attend(**made)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.tuples(st.integers(0, 4), st.integers(1, 200)).flatmap(
        lambda shape: arrays(np.float32, shape, elements=st.floats(-1000, 1000, width=32) | st.just(-np.inf))
    ),
    shift=st.sampled_from((0, -3e38, 3e5)),
)
def test_log_probabilities_are_the_twins(rows: Floats, shift: float) -> None:
    """To single precision where some are minus infinity, and where exp would overflow; equal bits from every
    processor."""
    rows[:, :1] = 0  # one at least is finite
    rows = (rows.astype(float) + shift).astype(np.float32)
    found = [rows.copy() for _ in HERE]
    for processor, own in zip(HERE, found, strict=True):
        log_softmax(own, processor=processor)
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])
    for ours, row in zip(found[0], rows, strict=True):
        np.testing.assert_allclose(ours, twin.log_softmax(row), rtol=1e-6, atol=1e-6)


def test_log_probabilities_of_many_rows() -> None:
    """Rows that are split between threads, of a vocabulary that no register divides."""
    rows = np.random.default_rng(3).normal(size=(150, 8001)).astype(np.float32)
    one, three = rows.copy(), rows.copy()
    log_softmax(one)
    log_softmax(three, threads=3)
    np.testing.assert_array_equal(three, one)
    np.testing.assert_allclose(np.exp(one.astype(float)).sum(1), 1, rtol=1e-5)


def test_what_is_not_finite_is_no_probability() -> None:
    """A NaN, an infinite logit, or a row in which nothing is possible make a row of NaN, not of numbers."""
    rows = np.zeros((4, 100), np.float32)
    rows[0, 7], rows[1, 99], rows[2] = np.nan, np.inf, -np.inf
    log_softmax(rows)
    assert np.isnan(rows[0]).all()
    assert np.isnan(rows[1, 99])
    assert not (rows[1, :99] > -np.inf).any()
    assert np.isnan(rows[2]).all()
    np.testing.assert_allclose(rows[3], -np.log(100), rtol=1e-6)


@settings(max_examples=80, deadline=None)
@given(
    numbers=st.tuples(st.integers(0, 4), st.integers(1, 300)).flatmap(
        lambda shape: arrays(
            np.float32, shape, elements=st.integers(-40, 40) | st.sampled_from((-np.inf, np.inf, np.nan))
        )
    ),
    k=st.integers(0, 20),
)
def test_the_largest_numbers_are_the_twins(numbers: Floats, k: int) -> None:
    """Also with many ties, infinities and what is no number; from every processor."""
    k = min(k, numbers.shape[1])
    for processor in HERE:
        values, places = np.empty((len(numbers), k), np.float32), np.empty((len(numbers), k), np.int64)
        top(numbers, values, places, processor=processor)
        assert places.tolist() == [twin.top(row, k) for row in numbers]
        counted = np.where(np.isnan(numbers), -np.inf, numbers)
        np.testing.assert_array_equal(values, np.take_along_axis(counted, places, 1))


def test_the_largest_of_a_vocabulary() -> None:
    """Rows that are split between threads, against NumPy's sort."""
    numbers = np.random.default_rng(4).normal(size=(90, 9001)).astype(np.float32)
    values, places = np.empty((90, 8), np.float32), np.empty((90, 8), np.int64)
    top(numbers, values, places, threads=3)
    np.testing.assert_array_equal(places, np.argsort(-numbers, kind="stable")[:, :8])
    with pytest.raises(ValueError, match="do not fit together"):
        top(numbers[:, :7].copy(), values, places)
