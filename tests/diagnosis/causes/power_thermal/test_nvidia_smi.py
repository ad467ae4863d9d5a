"""A GPU that power, heat or a narrow link slows down, told by nvidia-smi."""

from __future__ import annotations

import pytest

from support.cases import ruled

HEALTH = "ERROR [[Health]] Detected a WARNING: 'Detected {} due to {} violation in GPU 2.'"
CAPPED = """\
GPU 00000000:4B:00.0
    Clocks Event Reasons
        SW Power Cap                      : Active
    Utilization
        Gpu                               : {} %
    GPU Power Readings
        Power Draw                        : {} W
        Current Power Limit               : 400.00 W
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (HEALTH.format("clocks event", "thermal"), "power-thermal"),
        (CAPPED.format(100, 241.3), "power-thermal"),
        (CAPPED.format(100, 396.1), "unknown"),
        (CAPPED.format(3, 61.2), "unknown"),
        ("nvidia-smi gives 'SW Thermal Slowdown' as the reason, at 38 degrees", "power-thermal"),
        ("permanent SW Power Cap: clocks at 210 MHz", "power-thermal"),
        ("SW Power Cap is not the reason here", "unknown"),
        ("on battery nvidia-smi dmon pulls the clock down to 139 MHz\n", "power-thermal"),
        ("The firmware forces its GPU clocks down to only 210 MHz\n", "power-thermal"),
    ],
)
def test_a_gpu_that_is_slowed_down_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


DMON = "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk\n"


@pytest.mark.parametrize(
    "text",
    [
        HEALTH.format("a license", "policy"),
        DMON + "    0    240     70      -     99     50      0      0   9500   1900\n"
        "    0    120     81      -     55     20      0      0   9500   1000\n",
    ],
)
def test_kin_of_a_gpu_that_is_slowed_down_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


STEPS = "step 100 loss 2.31 tokens/s 41877\nstep 200 loss 2.09 tokens/s 41902\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("We capped it at 200 W, by choice.\n", "healthy"),
        ("The boards are limited to 200 W by us.\n", "healthy"),
        ("Why is it capped at 200 W?\n", "power-thermal"),
        ("", "power-thermal"),
    ],
)
def test_a_power_limit_by_choice(told: str, cause: str):
    query = (
        "Clocks Throttle Reasons\n    SW Power Cap                      : Active\n"
        "Power Draw                        : 199.41 W\n"
        "Power Limit                       : 200.00 W\n"
        "Default Power Limit               : 300.00 W\n"
    )
    assert ruled(f"{told}$ nvidia-smi -q\n{query}{STEPS}") == cause


SLOWER = """jax 0.4.23, jaxlib 0.4.23+cuda12.cudnn89
W nvptx_compiler.cc:742] The NVIDIA driver's CUDA version is 12.1 which is older than the ptxas \
CUDA version (12.3.107). Because the driver is older than the ptxas version, XLA is disabling \
parallel compilation, which may slow down compilation.
$ nvidia-smi -q -d PERFORMANCE
    Clocks Event Reasons
        SW Power Cap                      : Not Active
        HW Slowdown                       : {held}
            HW Thermal Slowdown           : Not Active
            HW Power Brake Slowdown       : {held}
"""


@pytest.mark.parametrize(
    ("held", "cause"), [("Active", "power-thermal"), ("Not Active", "driver-too-old")]
)
def test_slower_compilation_explains_no_low_clocks(held: str, cause: str):
    assert ruled(SLOWER.format(held=held)) == cause


NVBENCH = "Warn: {what} (702.11 MHz / 1980.00 MHz) (35% < 75%) on sample 3. Discarding."


@pytest.mark.parametrize(
    ("what", "cause"),
    [("GPU throttled below threshold", "power-thermal"), ("GPU clocks", "unknown")],
)
def test_nvbench_discards_what_it_measured_at_a_low_clock(what: str, cause: str):
    assert ruled(NVBENCH.format(what=what)) == cause


DMON_OF_POWER = (
    "$ nvidia-smi dmon -s pc\n# gpu   pwr gtemp mtemp    sm   mem  mclk  pclk\n"
    "# Idx     W     C     C     %     %   MHz   MHz\n"
    "    0    68    71     -    99    51  5000  1440\n"
    "    0    52    {heat}     -   100    24  5000   {clock}\n"
    "    0     9    {heat}     -     0     0   405   300\n"
)


def test_the_clock_of_a_busy_gpu_falls_while_it_gets_hot():
    assert ruled(DMON_OF_POWER.format(heat=88, clock=645)) == "power-thermal"


def test_a_clock_that_stays_or_a_gpu_that_is_cool():
    assert ruled(DMON_OF_POWER.format(heat=88, clock=1320)) != "power-thermal"
    assert ruled(DMON_OF_POWER.format(heat=62, clock=645)) != "power-thermal"


HOT = """$ nvidia-smi -q -d TEMPERATURE | grep Temp
        GPU Current Temp                  : {now} C
        GPU Slowdown Temp                 : {limit} C
"""


@pytest.mark.parametrize(
    ("now", "limit", "cause"),
    [("95", "93", "power-thermal"), ("70", "93", "unknown"), ("N/A", "93", "unknown")],
)
def test_a_gpu_is_as_hot_as_its_own_limit(now: str, limit: str, cause: str):
    assert ruled(HOT.format(now=now, limit=limit)) == cause


DMON_OF_VIOLATIONS = """$ nvidia-smi dmon -s pucv
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk pviol tviol
# Idx     W     C     C     %     %     %     %   MHz   MHz     %  bool
    0    27    41     -     0     0     0     0   405   210     0     {idle}
    1   140    90     -    99    20     0     0  7001   600     0     {busy}
"""


def test_dmon_shows_a_busy_gpu_at_its_limit_of_heat():
    assert ruled(DMON_OF_VIOLATIONS.format(idle=0, busy=1)) == "power-thermal"
    assert ruled(DMON_OF_VIOLATIONS.format(idle=0, busy=0)) != "power-thermal"
    assert (
        ruled(DMON_OF_VIOLATIONS.format(idle=1, busy=0)) != "power-thermal"
    )  # what rests is not held down


@pytest.mark.parametrize(
    ("reason", "cause"), [("HW_THERMAL_SLOWDOWN", "power-thermal"), ("GPU_IDLE", "unknown")]
)
def test_a_monitor_names_the_reason_for_low_clocks(reason: str, cause: str):
    assert ruled(f'{{"msg": "clocks throttled", "gpu": 3, "reason": "{reason}"}}\n') == cause


ALIKE = """GPUs: 2x {name}
$ nvidia-smi dmon -c 1
# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk
# Idx     W     C     C     %     %     %     %   MHz   MHz
    0   130    61    58    62    20     0     0   877  1380
    1    80    {heat}    86    {busy}    15     0     0   877   {clock}
"""


@pytest.mark.parametrize(
    ("name", "heat", "busy", "clock", "cause"),
    [
        ("Tesla V100-PCIE-16GB", 89, 99, 345, "power-thermal"),
        ("Tesla V100-PCIE-16GB", 89, 99, 1245, "healthy"),
        ("Tesla V100-PCIE-16GB", 52, 99, 345, "healthy"),
        ("Tesla V100-PCIE-16GB", 89, 0, 135, "healthy"),
    ],
)
def test_one_gpu_is_hot_and_far_slower_than_its_like(
    name: str, heat: int, busy: int, clock: int, cause: str
):
    assert ruled(ALIKE.format(name=name, heat=heat, busy=busy, clock=clock)) == cause


def test_clocks_of_two_products_are_not_compared():
    shown = ALIKE.format(name="GPU", heat=89, busy=99, clock=345)
    named = "GPU 0: Tesla V100-PCIE-16GB\nGPU 1: Tesla K80\n"
    assert ruled(named + shown.partition("\n")[2]) != "power-thermal"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("With nvidia-smi -pl the power is cut to 280 W to keep the fuse", "unknown"),
        ("Support says that it is thermal throttling at 93 degrees", "power-thermal"),
        ("Please show thermal throttling in the window", "unknown"),
        ("nv-fabricmanager: error writing the file of its pid, retrying", "unknown"),
        ("My question is about the rate; the GPU has nothing to do with this.", "unknown"),
    ],
)
def test_they_are_told_of_this_gpu_at_work(pasted: str, cause: str):
    assert ruled(f"GPU: RTX 3090\n{pasted}") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("GPU temperature 92C, clocks drop to 600 MHz", "power-thermal"),
        ("it throttles at 83 C", "power-thermal"),
        ("nvidia-smi shows P8 under load", "power-thermal"),
        ("the clock stays at 210 MHz while training at 100 %", "power-thermal"),
        ("the card runs at PCIe x1", "power-thermal"),
        ("the card should throttle at 83 C", "unknown"),
        ("nvidia-smi shows P8 when idle", "unknown"),
        ("the clock stays at 210 MHz until a program starts", "unknown"),
        ("can the card run at PCIe x1?", "unknown"),
        ("Bus Interface: PCIe x16 3.0 @ x1 1.1", "power-thermal"),
        ("Bus Interface: PCIe x16 3.0 @ x16 1.1", "unknown"),  # it rests
        ("GPU-Z shows the card at x1 1.1.", "power-thermal"),
        ("GPU-Z shows the card at x16 3.0.", "unknown"),
        ("Does GPU-Z show the card at x1?", "unknown"),
    ],
)
def test_a_gpu_is_slowed_down(told: str, cause: str):
    assert ruled(f"GPU: RTX 3090\n{told}\n") == cause


QUERY = "$ nvidia-smi --query-gpu={column} --format=csv,noheader\n{value}\n"


@pytest.mark.parametrize(
    ("column", "value", "cause"),
    [
        ("clocks_throttle_reasons.active", "0x0000000000000020", "power-thermal"),
        ("clocks_event_reasons.active", "0x0000000000000048", "power-thermal"),
        ("clocks_throttle_reasons.hw_thermal_slowdown", "Active", "power-thermal"),
        ("clocks_throttle_reasons.active", "0x0000000000000001", "unknown"),  # idle
        ("clocks_throttle_reasons.hw_thermal_slowdown", "Not Active", "unknown"),
    ],
)
def test_a_query_tells_what_holds_the_clocks_down(column: str, value: str, cause: str):
    assert ruled(QUERY.format(column=column, value=value)) == cause


LIMITS = """$ nvidia-smi -q -d POWER,PERFORMANCE
GPU 00000000:01:00.0
    Clocks Event Reasons
        SW Power Cap                      : Active
    GPU Power Readings
        Current Power Limit               : 80.00 W
        Default Power Limit               : {default} W
        Max Power Limit                   : 175.00 W
    Utilization
        Gpu                               : 99 %
"""


@pytest.mark.parametrize(("default", "cause"), [("80.00", "unknown"), ("150.00", "power-thermal")])
def test_a_limit_as_its_maker_set_it_is_no_fault(default: str, cause: str):
    assert ruled(LIMITS.format(default=default)) == cause
