"""Installed packages and what they were built for, from files only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.installed import packages
from gpuprobe.facts.installed.distributions import normalise, search
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.version import Version
from support.trees import Link

if TYPE_CHECKING:
    from .conftest import Make

SITE = "/venv/lib/python3.11/site-packages"

TORCH_PY = """\
from typing import Optional

__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'xpu']
__version__ = '2.4.1+cu121'
debug = False
cuda: Optional[str] = {cuda}
git_version = '38b96d3399a695e704ed39b60dac733c3fbf20e2'
hip: Optional[str] = {hip}
xpu: Optional[str] = {xpu}
"""
TF_INFO = """\
# Do not edit.
import collections
build_info = collections.OrderedDict([('cpu_compiler', '/usr/lib/llvm-18/bin/clang'),
 ('cuda_compute_capabilities', ['sm_60', 'compute_90']), ('cuda_version', '{cuda}'),
 ('cudnn_version', '9'), ('is_cuda_build', {is_cuda}), ('is_rocm_build', {is_rocm})])
"""


def site(*installed: str, folder: str = SITE, **files: str) -> dict[str, str]:
    """A folder with these "name-version" metadata folders, and files with "/" written "__"."""
    infos = {f"{folder}/{each}.dist-info/METADATA": "Metadata-Version: 2.1\n" for each in installed}
    placed = {f"{folder}/{path.replace('__', '/')}": text for path, text in files.items()}
    return {f"{folder}/README.txt": "", **infos, **placed}


def facts_of(make: Make, files: dict[str, str], *folders: str) -> Facts:
    machine = make(files, search_path=folders or (SITE,))
    return Facts(dict(packages.collect(machine, partial(search, machine))))


def build(facts: Facts, name: str) -> tuple[str | None, str | None]:
    cuda = facts.known(names.PACKAGE_CUDA(name))
    return facts.known(names.PACKAGE_BUILD(name)), str(cuda) if cuda else None


# -- finding them -----------------------------------------------------------------------------


def test_a_package_is_found_with_version_and_place(make: Make):
    facts = facts_of(make, site("torch-2.4.1+cu121"))
    assert facts.fact(names.PACKAGE_VERSION("torch")) == Known(
        "2.4.1+cu121", f"{SITE}/torch-2.4.1+cu121.dist-info"
    )
    assert facts.need(names.PACKAGE_PATH("torch")) == SITE
    assert facts.need(names.PACKAGE_FOLDERS) == (SITE,)


@pytest.mark.parametrize(
    ("spelt", "normal"),
    [
        ("nvidia_cublas_cu12", "nvidia-cublas-cu12"),
        ("Jax-CUDA12_Plugin", "jax-cuda12-plugin"),
        ("a..b__c--D", "a-b-c-d"),
    ],
)
def test_names_have_one_spelling(spelt: str, normal: str):
    assert normalise(spelt) == normal


def test_packages_that_have_nothing_to_do_with_gpus_are_not_recorded(make: Make):
    facts = facts_of(make, site("requests-2.31.0", "torchmetrics-1.0", "jaxtyping-0.2", "cupyx-1"))
    assert facts.subjects(names.PACKAGE_VERSION) == ()


def test_companions_are_recorded_without_a_build(make: Make):
    facts = facts_of(make, site("numpy-2.1.0", "triton-3.0.0", "jax-0.4.30"))
    assert facts.subjects(names.PACKAGE_VERSION) == ("jax", "numpy", "triton")
    assert facts.subjects(names.PACKAGE_BUILD) == ()


@pytest.mark.parametrize(
    "name",
    [
        "cupy-12.1.0-py3.9.egg-info",
        "cupy-12.1.0-py3.9-linux-x86_64.egg-info",
        "cupy-12.1.0.egg-info",
        "cupy-12.1.0.dist-info",
    ],
)
def test_all_forms_of_metadata_folders_are_read(make: Make, name: str):
    facts = facts_of(make, {f"{SITE}/{name}/x": ""})
    assert facts.need(names.PACKAGE_VERSION("cupy")) == "12.1.0"


@pytest.mark.parametrize(
    "name", ["~orch-2.1.0.dist-info", "torch.dist-info", "-.dist-info", "torch-x.dist-info"]
)
def test_the_remains_of_a_package_are_no_package(make: Make, name: str):
    assert facts_of(make, {f"{SITE}/{name}/x": ""}).subjects(names.PACKAGE_VERSION) == ()


def test_the_first_of_two_copies_counts_and_both_are_told(make: Make):
    user = "/home/alice/.local/lib"
    files = {**site("torch-2.1.0+cpu"), **site("torch-2.4.1+cu121", folder=user)}
    facts = facts_of(make, files, user, SITE)
    assert facts.need(names.PACKAGE_VERSION("torch")) == "2.4.1+cu121"
    assert facts.need(names.PACKAGE_COPIES("torch")) == (
        f"2.4.1+cu121 in {user}",
        f"2.1.0+cpu in {SITE}",
    )


def test_a_folder_that_stands_twice_in_the_path_is_one(make: Make):
    facts = facts_of(make, site("torch-2.4.1"), SITE, SITE)
    assert "package.torch.copies" not in facts
    assert facts.need(names.PACKAGE_FOLDERS) == (SITE,)


def test_a_folder_with_two_names_in_the_path_is_one(make: Make):
    """Fedora's Python searches lib64 and lib of a venv, which made one a link to the other."""
    files = {**site("torch-2.4.1"), "/venv/lib64": Link("lib")}
    other = SITE.replace("/lib/", "/lib64/")
    facts = facts_of(make, files, other, SITE)
    assert "package.torch.copies" not in facts
    assert facts.need(names.PACKAGE_FOLDERS) == (other,)


def test_what_setup_py_develop_leaves_among_the_sources_tells_its_version(make: Make):
    info = "Metadata-Version: 2.1\nName: torch\nVersion: 2.4.0a0+gitd990dad\n\nVersion: of a text\n"
    sources = "/home/alice/pytorch"
    files = {f"{sources}/torch.egg-info/PKG-INFO": info,
             f"{sources}/torch/version.py": TORCH_PY.format(cuda="'12.1'", hip=None, xpu=None),
             f"{sources}/numpy.egg-info": "",
             f"{SITE}/torch.egg-link": sources}  # fmt: skip
    facts = facts_of(make, files, SITE, sources)
    assert facts.need(names.PACKAGE_VERSION("torch")) == "2.4.0a0+gitd990dad"
    assert facts.subjects(names.PACKAGE_VERSION) == ("torch",)
    assert build(facts, "torch") == ("cuda", "12.1")


def test_what_is_no_folder_is_passed_over(make: Make):
    facts = facts_of(make, site("torch-2.4.1"), "", "/gone", f"{SITE}/README.txt", SITE)
    assert facts.need(names.PACKAGE_FOLDERS) == (SITE,)


def test_where_nothing_can_be_listed_nothing_is_known(make: Make):
    facts = facts_of(make, site("torch-2.4.1"), "/gone")
    assert facts.fact(names.PACKAGE_FOLDERS) == Unknown("no folder of sys.path can be listed")
    assert facts.subjects(names.PACKAGE_VERSION) == ()


# -- what they were built for -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"cuda": "'12.1'", "hip": "None", "xpu": "None"}, ("cuda", "12.1")),
        ({"cuda": "None", "hip": "None", "xpu": "None"}, ("cpu", None)),
        ({"cuda": "None", "hip": "'6.1.40091'", "xpu": "None"}, ("rocm", None)),
        ({"cuda": "None", "hip": "None", "xpu": "'20240101'"}, ("xpu", None)),
    ],
)
def test_torch_tells_its_build_in_its_version_file(
    make: Make, values: dict[str, str], told: tuple[str, str | None]
):
    """The version in the metadata says nothing: on PyPI it has no tag."""
    files = site("torch-2.4.1", torch__version__py="")
    files[f"{SITE}/torch/version.py"] = TORCH_PY.format(**values)
    facts = facts_of(make, files)
    assert build(facts, "torch") == told
    assert facts.fact(names.PACKAGE_BUILD("torch")) == Known(told[0], f"{SITE}/torch/version.py")


@pytest.mark.parametrize(
    ("url", "sources"),
    [
        ("/src/pytorch", "/src/pytorch"),
        ("/home/al%20ice/%E6%BA%90/pytorch", "/home/al ice/\u6e90/pytorch"),
    ],
)
def test_an_editable_torch_tells_of_itself_in_its_sources(make: Make, url: str, sources: str):
    files = site("torch-2.4.1")
    files[f"{SITE}/torch-2.4.1.dist-info/direct_url.json"] = f'{{"url": "file://{url}"}}'
    own = f"{sources}/torch/version.py"
    files[own] = "__version__ = '2.4.1+git12'\ncuda = '12.4'\nhip = None\n"
    facts = facts_of(make, files)
    assert facts.fact(names.PACKAGE_OWN_VERSION("torch")) == Known("2.4.1+git12", own)
    assert facts.fact(names.PACKAGE_BUILD("torch")) == Known("cuda", own)


def test_the_version_file_of_an_old_torch_is_read(make: Make):
    files = site("torch-1.7.1")
    files[f"{SITE}/torch/version.py"] = "__version__ = '1.7.1'\ndebug = False\ncuda = '10.2'\n"
    assert build(facts_of(make, files), "torch") == ("cuda", "10.2")


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("2.4.1+cu121", ("cuda", "12.1")),
        ("2.9.0+cu130", ("cuda", "13.0")),
        ("1.7.0+cu92", ("cuda", "9.2")),
        ("2.4.1+cpu", ("cpu", None)),
        ("2.4.1+cpu.cxx11.abi", ("cpu", None)),
        ("2.4.1+rocm6.1", ("rocm", None)),
        ("2.4.1+xpu", ("xpu", None)),
        ("2.4.1+git1234", (None, None)),
        ("2.4.1", (None, None)),
    ],
)
def test_the_tag_of_a_version_tells_the_build(
    make: Make, version: str, told: tuple[str | None, str | None]
):
    assert build(facts_of(make, site(f"torch-{version}")), "torch") == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Requires-Dist: nvidia-cuda-runtime-cu12==12.1.105; platform_system == 'Linux'", "12.1"),
        ("Requires-Dist: nvidia-cuda-runtime-cu12 (==12.1.105) ; platform_system", "12.1"),
        ("Requires-Dist: nvidia-cuda-runtime==13.0.48", "13.0"),
        ("Requires-Dist: nvidia-cuda-runtime-cu12==12.1.105; extra == 'cuda'", None),
        ("Requires-Dist: nvidia-cuda-nvrtc-cu12==12.1.105", None),
        ("Requires-Dist: numpy==12.1", None),
        ("Requires-Dist: nvidia-cuda-runtime-cu12==12..1", None),
    ],
)
def test_a_required_run_time_tells_torchs_cuda(make: Make, line: str, told: str | None):
    files = site("torch-2.4.1")
    files[f"{SITE}/torch-2.4.1.dist-info/METADATA"] = f"Name: torch\n{line}\n"
    assert build(facts_of(make, files), "torch")[1] == told


NEEDS_12 = '{"depends": ["cuda-version >=12,<13.0a0", "numpy"]}'


@pytest.mark.parametrize(
    ("package", "record", "text", "told"),
    [
        ("onnxruntime-1.20.1", "py311h1234567_5_cuda", NEEDS_12, ("cuda", "12")),
        ("onnxruntime-1.20.1", "py311h1234567_5_cuda", "{}", ("cuda", None)),
        ("onnxruntime-1.20.1", "py311h1234567_5_cpu", NEEDS_12, ("cpu", None)),
        ("jaxlib-0.4.23", "cuda118py311h1234567_201", "{}", ("cuda", "11.8")),
        ("cupy-13.3.0", "py311h1234567_2", NEEDS_12, ("cuda", "12")),
        ("cupy-13.3.0", "py311h1234567_2", "{}", (None, None)),
    ],
)
def test_condas_record_tells_the_build(
    make: Make, package: str, record: str, text: str, told: tuple[str | None, str | None]
):
    files = site(package)
    files[f"/venv/conda-meta/{package}-{record}.json"] = text
    assert build(facts_of(make, files), package.partition("-")[0]) == told


def test_a_cuda_library_inside_torch_tells_a_build_of_unknown_cuda(make: Make):
    files = site("torch-2.4.1")
    files[f"{SITE}/torch/lib/libtorch_cuda.so"] = ""
    facts = facts_of(make, files)
    assert facts.need(names.PACKAGE_BUILD("torch")) == "cuda"
    assert isinstance(facts.fact(names.PACKAGE_CUDA("torch")), Unknown)


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("tensorflow", ("12.5.1", True, False), ("cuda", "12.5.1")),
        ("tensorflow-gpu", ("64_112", True, False), ("cuda", "11.2")),
        ("tensorflow", ("64_11.2", True, False), ("cuda", None)),
        ("tensorflow", ("", False, False), ("cpu", None)),
        ("tensorflow", ("", False, True), ("rocm", None)),
        ("tf-nightly", ("12.5.1", True, False), ("cuda", "12.5.1")),
    ],
)
def test_tensorflow_tells_its_build_in_its_build_info(
    make: Make, name: str, values: tuple[str, bool, bool], told: tuple[str, str | None]
):
    files = site(f"{name.replace('-', '_')}-2.17.0")
    text = TF_INFO.format(cuda=values[0], is_cuda=values[1], is_rocm=values[2])
    files[f"{SITE}/tensorflow/python/platform/build_info.py"] = text
    assert build(facts_of(make, files), name) == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tensorflow_cpu", ("cpu", None)),
        ("tensorflow_intel", ("cpu", None)),
        ("cupy_cuda12x", ("cuda", "12")),
        ("cupy_cuda118", ("cuda", "11.8")),
        ("cupy_cuda102", ("cuda", "10.2")),
        ("cupy_rocm_5_0", ("rocm", None)),
        ("cupy", (None, None)),
        ("jax_cuda12_plugin", ("cuda", "12")),
        ("jax_cuda13_pjrt", ("cuda", "13")),
        ("onnxruntime", ("cpu", None)),
        ("onnxruntime_directml", ("directml", None)),
        ("onnxruntime_gpu", ("cuda", None)),
    ],
)
def test_the_name_of_a_package_tells_its_build(
    make: Make, name: str, told: tuple[str | None, str | None]
):
    assert build(facts_of(make, site(f"{name}-1.2.3")), name.replace("_", "-")) == told


def test_onnxruntime_gpu_tells_its_cuda_in_its_own_file(make: Make):
    files = site("onnxruntime_gpu-1.20.0")
    path = f"{SITE}/onnxruntime/capi/build_and_package_info.py"
    files[path] = (
        "package_name = 'onnxruntime-gpu'\n__version__ = '1.20.0'\ncuda_version = '12.4'\n"
    )
    facts = facts_of(make, files)
    assert facts.fact(names.PACKAGE_CUDA("onnxruntime-gpu")) == Known(Version("12.4"), path)


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ((), ("cpu", None)),
        (("jax_cuda12_pjrt-0.4.30",), ("cpu", None)),
        (("jax_cuda12_pjrt-0.4.30", "jax_cuda12_plugin-0.4.30"), ("cuda", "12")),
        (("cupy_cuda12x-13.0",), ("cpu", None)),
    ],
)
def test_jaxlib_is_a_cuda_build_where_a_plugin_is_beside_it(
    make: Make, others: tuple[str, ...], told: tuple[str, str | None]
):
    assert build(facts_of(make, site("jaxlib-0.4.30", *others)), "jaxlib") == told


def test_an_old_jaxlib_tells_its_cuda_in_its_tag(make: Make):
    facts = facts_of(make, site("jaxlib-0.4.13+cuda12.cudnn89"))
    assert build(facts, "jaxlib") == ("cuda", "12")


def test_a_library_wheel_tells_the_cuda_that_it_is_for(make: Make):
    facts = facts_of(make, site("nvidia_cublas_cu12-12.1.3.1", "nvidia_cublas-13.1.0.3"))
    assert facts.need(names.PACKAGE_CUDA("nvidia-cublas-cu12")) == Version("12")
    assert "package.nvidia-cublas.cuda" not in facts
    assert "package.nvidia-cublas-cu12.build" not in facts


def test_a_cpu_build_has_no_cuda_and_an_unclear_one_an_unknown(make: Make):
    facts = facts_of(make, site("torch-2.4.1+cpu", "torchvision-0.19.1"))
    assert isinstance(facts.fact(names.PACKAGE_CUDA("torch")), Absent)
    assert isinstance(facts.fact(names.PACKAGE_CUDA("torchvision")), Unknown)
