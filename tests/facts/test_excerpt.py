"""What is kept of a long line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.excerpt import LIMIT, excerpt
from gpuprobe.facts.pasted import read


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=900), st.data())
def test_what_stands_at_the_position_is_kept(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, max(0, len(text) - 1)))
    kept = excerpt(text, at)
    assert len(kept) <= LIMIT + 2
    assert text[at : at + 40].strip() in kept


def test_what_is_left_out_is_marked() -> None:
    text = "a" * 600 + " the code " + "b" * 600
    assert excerpt("  short  ") == "short"
    assert excerpt(text).endswith("a…")
    middle = excerpt(text, 601)
    assert middle.startswith("…a")
    assert middle.endswith("b…")


def test_an_error_is_shown_with_its_code() -> None:
    text = (
        "UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run "
        "some cuda functions before calling NumCudaDevices() that might have already set an error? "
        "Some more words of the same warning that nobody reads to their end, as there are many. "
        "Error 804: forward compatibility was attempted on non supported HW (Triggered internally)"
    )
    facts = read(text)
    fact = facts["error.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"]
    assert "Error 804" in str(getattr(fact, "value", ""))
