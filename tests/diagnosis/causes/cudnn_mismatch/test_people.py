"""A cuDNN of another release than is asked for, in the words of people and of builds."""

from __future__ import annotations

import pytest

from support.cases import ruled

UNREAD = "The find_cuda_config.py script isn't able to detect which cudnn version I have."
NO_HEADER = "Could not find any cudnn.h matching version '8' in any subdirectory:"


@pytest.mark.parametrize(
    ("release", "cudnn", "said_of_it", "cause"),
    [
        ("v2.1.2", "8", UNREAD, "cudnn-mismatch"),
        ("2.2.0", "8.0.4", "configure.py does not find the cuDNN version", "cudnn-mismatch"),
        ("1.15", "8.0.2", NO_HEADER, "cudnn-mismatch"),
        ("2.1.2", "7.6", UNREAD, "unknown"),
        ("2.5.0", "8.2", UNREAD, "unknown"),  # it reads the new header
        ("2.5.0", "8.2", NO_HEADER, "cudnn-missing"),
        ("2.1.2", "8", "Can it detect which cudnn version I have?", "unknown"),
    ],
)
def test_a_build_from_source_cannot_read_the_release_of_a_later_cudnn(
    release: str, cudnn: str, said_of_it: str, cause: str
) -> None:
    form = f"TensorFlow version: {release}, from source\nCUDA: 11.1, cuDNN {cudnn}\n"
    assert ruled(f"{form}{said_of_it}\n") == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("The download has cudnn64_6.dll, and TF asks for cudnn64_5.dll.", "cudnn-mismatch"),
        ("I have libcudnn.so.8, and TensorFlow wants libcudnn.so.9.", "cudnn-mismatch"),
        ("If TF wants cudnn64_7.dll and you have cudnn64_8.dll, rename it.", "unknown"),
        ("TensorFlow wants cudnn64_7.dll.", "unknown"),
    ],
)
def test_the_file_of_a_cudnn_that_is_there_beside_that_which_is_asked_for(said: str, cause: str):
    assert ruled(f"My tensorflow crashes.\n{said}\n") == cause


NO_HANDLE = "could not create cudnn handle: CUDNN_STATUS_NOT_INITIALIZED\n"


@pytest.mark.parametrize(
    ("versions", "cause"),
    [
        ("cuda: 9.0\ncudnn: 6.0\n", "cudnn-mismatch"),
        ("CUDA/cuDNN version: CUDA 11.2, cuDNN 7.6.5\n", "cudnn-mismatch"),
        ("cuda: 8.0\ncudnn: 6.0\n", "oom-preallocation"),
        ("CUDA/cuDNN version: CUDA 10.0, cuDNN 7.6.5\n", "oom-preallocation"),
        ("cuda: 9.1\ncudnn: 7.0.5\n", "oom-preallocation"),  # the table has no 7.0.5
    ],
)
def test_no_cudnn_was_made_for_a_cuda_that_came_after_it(versions: str, cause: str):
    assert ruled(f"GPU: GTX 950M\n{versions}{NO_HANDLE}") == cause
    assert ruled(f"GPU: GTX 950M\n{versions}It installed without a word.\n") == "unknown"


FORM = "OS: {system}\nCUDA: 8\ncuDNN: {cudnn}\n{installed}\n{rest}\n"
CACHED = "  Using cached tensorflow_gpu-{}-cp35-cp35m-win_amd64.whl"
LISTED = "tensorflow-gpu 1.4.0"
WORKS = "Creating TensorFlow device (/device:GPU:0) -> (device: 0, name: GeForce GTX 1080)"


@pytest.mark.parametrize(
    ("system", "cudnn", "installed", "rest", "cause"),
    [
        ("Windows", "7", CACHED.format("1.3.0"), "Then it says that there is none.", True),
        ("Ubuntu 16.04", "7.0.5", LISTED, "How do I get it to work?", True),
        ("Windows", "6", CACHED.format("1.3.0"), "Then it says that there is none.", False),
        ("Windows", "5.1", CACHED.format("1.14.0"), "Then it says that there is none.", False),
        ("Ubuntu 16.04", "7.0.5", "tensorflow 1.4.0", "How do I get it to work?", False),
        ("Ubuntu 16.04", "7.0.5", LISTED, WORKS, False),
        (
            "Ubuntu 16.04",
            "7.0.5",
            LISTED,
            ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."),
            False,
        ),
    ],
)
def test_the_cudnn_of_a_form_is_of_another_major_than_tensorflow_is_made_with(
    system: str, cudnn: str, installed: str, rest: str, cause: bool
) -> None:
    text = FORM.format(system=system, cudnn=cudnn, installed=installed, rest=rest)
    assert (ruled(text) == "cudnn-mismatch") is cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "It was compiled with cuDNN 9.9 while what is installed has cuDNN 9.5.1.",
            "cudnn-mismatch",
        ),
        ("The wheel is built against cuDNN 8.9, but the installed one is 8.4.1.", "cudnn-mismatch"),
        ("There is cuDNN 8.0.5 here, but the wheel was compiled for 8.2.", "cudnn-mismatch"),
        ("It was compiled with cuDNN 9.5, and cuDNN 9.9 is installed.", "unknown"),  # serves it
        ("It was compiled with cuDNN 9.9, and CUDA 12.6 is installed.", "unknown"),
        ("If it was compiled with cuDNN 9.9 but cuDNN 9.5 is there, it warns.", "unknown"),
        ("TensorRT was linked against cuDNN 8.6.0 but loaded cuDNN 8.4.1", "unknown"),
    ],
)
def test_somebody_tells_which_cudnn_it_was_compiled_with_and_which_is_there(told: str, cause: str):
    assert ruled(f"My model on the GPU, with Paddle.\n{told}\n") == cause
