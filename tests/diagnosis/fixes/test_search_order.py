"""Where the library that is refused comes from, and who has to leave it out."""

from __future__ import annotations

from support.pasted import printed

REFUSED = "{}LD_LIBRARY_PATH=/usr/local/cuda/compat\nError 804: forward compatibility was attempted"
REFUSED += " on non supported HW\nCUDA error"


def test_image_brings_the_library_that_is_refused() -> None:
    assert "In a container the image brings" in printed(REFUSED.format("Environment: docker\n"))
    assert "/etc/ld.so.conf.d" in printed(REFUSED.format(""))


def test_one_sentence_leads_to_the_library_where_nvidia_smi_works() -> None:
    told = printed("CUDA failure 804: forward compatibility was attempted on non supported HW\n")
    assert "is found before the driver's: take the cuda-compat folder out of" in told
