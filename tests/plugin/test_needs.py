"""What makes a GPU test, and what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenarios.hardware import NO_DEVICE
from scenarios.healthy import TWO_DIFFERENT_CARDS
from scenarios.mig import MIG_INSTANCE_NAMED, MIG_TWO_INSTANCES
from support.plugin import INSTANCE, NEEDS, Run

if TYPE_CHECKING:
    from support.scenario import Scenario

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("needs", "name"),
    [
        ("", "RTX 4090"),
        ("count=2", "RTX 4090"),
        ("min_capability='8.9'", "RTX 4090"),
        ("min_memory=12 * 2**30", "RTX 4090"),
        ("count=2, min_capability='8.6', min_memory=8 * 2**30", "RTX 4090"),
        ("count=1, min_memory=None, min_capability=None", "RTX 4090"),
    ],
)
def test_met_needs_run(run: Run, needs: str, name: str):
    result = run(TWO_DIFFERENT_CARDS, NEEDS.format(needs=needs), "-rP")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"got *{name}"])


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ("count=3", "needs 3 GPUs"),
        ("count=2, min_capability='8.9'", "needs 2 GPUs of compute capability 8.9"),
        ("min_memory=40 * 2**30", "needs 1 GPU with 40.0 GiB"),
        ("count=3, min_memory=100 * 2**20", "needs 3 GPUs with 100.0 MiB"),
        ("min_capability='9.0'", "needs 1 GPU of compute capability 9.0"),
    ],
)
def test_unmet_needs_say_what_is_there(run: Run, needs: str, told: str):
    result = run(TWO_DIFFERENT_CARDS, NEEDS.format(needs=needs), "-rs", "--gpuprobe=strict")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"SKIPPED*{told}*RTX 3060*RTX 4090*"])


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ("dtype='bfloat16'", "needs_gpu(dtype=*) cannot be judged yet"),
        ("library='cudnn'", "needs_gpu(library=*) cannot be judged yet"),
        ("memory=1", "no argument memory"),
        ("2", "no argument 2"),
        ("count=0", "count=0*expected 1 or more"),
        ("min_memory='8GB'", "min_memory='8GB'*expected bytes"),
        ("min_capability='sm_80'", "min_capability='sm_80'*expected '8.0'"),
    ],
)
def test_needs_that_cannot_be_judged_are_usage_errors(run: Run, needs: str, told: str):
    result = run(NO_DEVICE, NEEDS.format(needs=needs))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*test_gpu*{told}*"])


def test_each_argument_counts_where_it_stands_closest(run: Run):
    text = """
import pytest

pytestmark = pytest.mark.needs_gpu(count=3, min_memory=40 * 2**30)

@pytest.mark.needs_gpu(count=2)
class TestTwo:
    def test_class(self):
        pass

    @pytest.mark.needs_gpu(min_memory=8 * 2**30)
    def test_method(self):
        pass
"""
    result = run(TWO_DIFFERENT_CARDS, text, "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*needs 2 GPUs with 40.0 GiB;*"])


WITH_A_SESSION = """
import pytest

@pytest.fixture(scope="session")
def model():
    raise AssertionError("a model was put on a GPU that is not there")

def test_fixture_last(model, gpu):
    pass

@pytest.mark.usefixtures("gpu")
def test_used(model):
    pass
"""


def test_fixture_ends_a_test_before_those_of_the_session_are_made(run: Run):
    run(NO_DEVICE, WITH_A_SESSION).assert_outcomes(skipped=2)


MARKED_OTHERWISE = """
import pytest

@pytest.mark.skip(reason="of its own")
@pytest.mark.needs_gpu
def test_skipped():
    pass

@pytest.mark.xfail
@pytest.mark.needs_gpu
def test_expected_to_fail():
    pass
"""


def test_marks_of_pytest_go_before(run: Run):
    result = run(NO_DEVICE, MARKED_OTHERWISE, "-rs", "--gpuprobe=require")
    result.assert_outcomes(skipped=1, xfailed=1)
    result.stdout.fnmatch_lines(["1 failed, absent: GP101*", "SKIPPED*: of its own"])


def test_fixture_of_the_project_that_is_built_on_ours_is_ours(run: Run):
    text = """
import pytest

@pytest.fixture
def gpu(gpu):
    return gpu.name

def test_name(gpu, a_session_of):
    pass

@pytest.fixture(scope="session")
def a_session_of():
    raise AssertionError("made without a GPU")
"""
    run(NO_DEVICE, text).assert_outcomes(skipped=1)


def test_ini_key_adopts_a_marker_of_the_project(run: Run, pytester: pytest.Pytester):
    pytester.makeini("[pytest]\ngpuprobe_marker = cuda\nmarkers = cuda: theirs\n")
    text = """
import pytest

@pytest.mark.cuda("their", own="arguments")
def test_theirs():
    pass
"""
    run(NO_DEVICE, text).assert_outcomes(skipped=1)


@pytest.mark.parametrize(
    ("scenario", "got"),
    [
        (MIG_TWO_INSTANCES, "got 0 MIG-6f0a1b2c 4864 None"),
        (MIG_INSTANCE_NAMED, "got 0 MIG-7a1b2c3d 9856 None"),
    ],
    ids=["first", "named"],
)
def test_mig_instance_is_a_gpu(run: Run, scenario: Scenario, got: str):
    result = run(scenario, INSTANCE, "-rP", "--gpuprobe=require")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([got])


def test_memory_of_a_mig_instance_is_its_own(run: Run):
    result = run(MIG_TWO_INSTANCES, NEEDS.format(needs="min_memory=20 * 2**30"), "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*with 20.0 GiB; there is: *MIG 1g.5gb*4.8 GiB*"])
