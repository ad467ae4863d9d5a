"""File names of CUDA libraries, checked against the tables that name them beside a CUDA."""

from __future__ import annotations

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import cuda_libraries, onnxruntime, tensorflow
from gpuprobe.knowledge.tables import load


@pytest.mark.parametrize(
    ("file", "span"),
    [
        ("libcudart.so.11.0", "CUDA 11"),
        ("libcudart.so.7.0", "CUDA 7.0"),
        ("cudart64_70.dll", "CUDA 7.0"),
        ("libnvrtc.so.7.0", "CUDA 7.0"),
        ("nvrtc64_75.dll", "CUDA 7.5"),
        ("/usr/local/cuda/lib64/libcublas.so.12.1.3.1", "CUDA 12"),
        ("libcusolver.so.11", "CUDA 11.1 to 12.9"),
        (r"C:\cuda\bin\cudart64_101.dll", "CUDA 10.1"),
        ("cudart64_12.dll", "CUDA 12"),
        ("libcudart.so.13", "CUDA 13.0 or later"),
        ("nppisu64_10.dll", "CUDA 10.1 to 10.2"),
        ("libnppicc.so.12.0.0.30", "CUDA 12"),
    ],
)
def test_a_file_name_tells_the_releases_that_bring_it(file: str, span: str):
    origin = cuda_libraries.origin(file)
    assert origin is not None
    assert origin.span == span


@pytest.mark.parametrize("file", ["libcuda.so.1", "libcudart.so", "libtorch_cuda.so", ""])
def test_a_name_without_a_release_tells_nothing(file: str):
    assert cuda_libraries.origin(file) is None


@pytest.mark.parametrize("platform", ["linux_x86_64", "windows"])
def test_what_a_tensorflow_opens_belongs_to_the_cuda_that_it_was_built_with(
    platform: tensorflow.Platform,
):
    wrong = []
    for release in tensorflow.releases():
        found = tensorflow.libraries(str(release.tensorflow), platform)
        names = found.names if isinstance(found, tensorflow.Libraries) else ()
        cuda = release.cuda if platform == "linux_x86_64" else release.windows_cuda or release.cuda
        origins = [(name, cuda_libraries.origin(name)) for name in names]
        wrong += [
            (release.tensorflow, name)
            for name, origin in origins
            if origin is not None and not origin.holds(cuda)
        ]
    assert wrong == []


def test_what_onnxruntime_and_torch_load_belongs_to_their_cuda():
    for major in (11, 12, 13):
        found = onnxruntime.libraries(major)
        assert isinstance(found, onnxruntime.Libraries)
        for origin in map(cuda_libraries.origin, found.names):
            assert origin is None or origin.holds(Version.of(major))
    rows = load("pytorch").section("runtime_libraries")
    [old] = [row for row in rows if row.text("variant") == "cu118"]
    for origin in map(cuda_libraries.origin, old.texts("sonames")):
        assert origin is None or origin.holds(Version("11.8"))


def test_two_files_meet_where_one_release_brings_both():
    eleven, twelve = (cuda_libraries.origin(f"libcublas.so.{major}") for major in (11, 12))
    both = cuda_libraries.origin("libcusolver.so.11")
    assert eleven is not None
    assert twelve is not None
    assert both is not None
    assert both.meets(eleven)
    assert both.meets(twelve)
    assert not eleven.meets(twelve)


@pytest.mark.parametrize(
    ("cuda", "held"), [("11.8", True), ("12", True), ("12.4", True), ("11.0", False), ("13", False)]
)
def test_bare_major_asks_for_any_release_of_it(cuda: str, held: bool):
    origin = cuda_libraries.origin("libcusolver.so.11")
    assert origin is not None
    assert origin.holds(Version(cuda)) is held


@pytest.mark.parametrize(
    ("stem", "release", "cuda"),
    [
        ("cusparse", "12.5.4.2", "12.6"),
        ("cusparse", "12.5.1.3", "12.4"),  # at least
        ("cusolver", "11.7.3.90", "12.8"),
        ("cusparse", "12.1.0.106", None),
        ("cufft", "11.3.0.4", None),
    ],
)
def test_the_release_of_a_package_tells_its_cuda(stem: str, release: str, cuda: str | None):
    told = cuda_libraries.cuda_of_release(stem, Version(release))
    assert told == (None if cuda is None else Version(cuda))


@pytest.mark.parametrize(
    ("stem", "cuda", "windows", "file"),
    [
        ("cublas", "8.0", True, "cublas64_80.dll"),
        ("cusolver", "11.4", False, "libcusolver.so.11"),
        ("nvrtc", "11.2", True, "nvrtc64_112_0.dll"),
        ("cublas", "4.2", False, None),
        ("cuda", "12.0", False, None),
    ],
)
def test_a_release_tells_the_name_of_a_file(stem: str, cuda: str, windows: bool, file: str | None):
    assert cuda_libraries.file_for(stem, Version(cuda), windows=windows) == file
