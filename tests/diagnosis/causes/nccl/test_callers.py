"""What those say that call NCCL, and NCCL itself in its first releases."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "gpu7:331:402 [1] include/socket.h:360 WARN Call to connect failed : "
                "Connection refused\n"
            ),
            "nccl",
        ),
        (
            (
                "n1:88:91 [0] include/socket.h:194 WARN Call to recv failed : Connection reset "
                "by peer\n"
            ),
            "nccl",
        ),
        (
            (
                "n1:88:91 [0] include/socket.h:344 WARN Socket creation failed : Address "
                "family not supported\n"
            ),
            "nccl",
        ),
        ("n1:88:91 [0] include/socket.h:194 INFO Call to recv ended\n", "unknown"),
        ("httpd socket.h:12 WARN call to mind\n", "unknown"),
        ("Caught signal 7 (Bus error)\n 2 0x000000000007587d ncclGroupEnd()  ???:0\n", "nccl"),
        ("Bus error (7) in ncclCommInitRank\n", "nccl"),
        ("Caught signal 7 (Bus error)\n 2 0x000000000007587d memcpy()  ???:0\n", "unknown"),
        ("failed: Unable to load NCCL library. Multi-GPU collectives will not work.\n", "nccl"),
        (
            (
                "W0101 dynamic_loader.cc] You may need to install 'nccl2' from NVIDIA official "
                "website: x\n"
            ),
            "nccl",
        ),
        ("You may need to install numpy from its official website\n", "unknown"),
        (
            (
                "Failed, NCCL error /src/plugins/ncclPlugin/sendPlugin.cpp:91 'unknown result "
                "code'\n"
            ),
            "nccl",
        ),
        ("WARN src/broadcast.cu:77 Cuda failure 'invalid resource handle'\n", "nccl"),
        ("[0] NCCL INFO ncclMaxSharedMem 82240 exceeds device/fn maxSharedMem 79856\n", "nccl"),
        ("The nccl-tests fail on two of our nodes.\n", "nccl"),
        ("If nccl-tests fail, what then?\n", "unknown"),
        (
            (
                "all_gather_perf is fine within a switch, and across the root complex it "
                "always hangs.\n"
            ),
            "nccl",
        ),
        ("failed to enable peer access from 0x2 to 0x1: CUDA_ERROR_TOO_MANY_PEERS\n", "nccl"),
    ],
)
def test_what_nccl_and_its_callers_say_of_a_failure(text: str, cause: str):
    assert ruled(text) == cause
