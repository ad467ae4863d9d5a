"""Code that looks for the text of a failure, or that would log it, reports none."""

from __future__ import annotations

import pytest

from support.cases import ruled

MISMATCH = "Failed to initialize NVML: Driver/library version mismatch"
FULL = "CUDA out of memory"


@pytest.mark.parametrize(
    "code",
    [
        f'if "{FULL}" in str(e):\n    batch_size //= 2',
        f"elif '{FULL}' in str(e) or 'cuDNN' in str(e):",
        f'if any("{MISMATCH}" in line for line in log):',
        f'if "{MISMATCH}" not in out:\n    return',
        f'retry = "{FULL}" in str(error)',
        f'    if str(e) == "{MISMATCH}":',
        f'if (stderr.includes("{MISMATCH}")) {{',
        f'if strings.Contains(out, "{MISMATCH}") {{',
        'if (msg.find("CUDA driver version is insufficient for CUDA runtime") >= 0) return 1;',
        f'if re.search(r"{FULL}", log):',
        f"if (/{FULL}/i.test(message)) {{",
        f'with raising(RuntimeError, match="{FULL}"):',
        'case "$out" in *"Driver/library version mismatch"*) reboot;; esac',
        f'match out:\n    case "{MISMATCH}":\n        reboot()',
        f'if [[ $out == *"{MISMATCH}"* ]]; then',
        f'ERRORS = {{"{MISMATCH}": "reboot"}}',
        f'ERRORS = {{\n    "{MISMATCH}": "reboot",\n    "{FULL}": shrink(),\n}}',
        f'logger.error("{FULL}")',
        f'    self.log.warning("{FULL}, retrying with %d", size)',
        f'console.error("{FULL}");',
        f'LOG(ERROR) << "{FULL}";',
    ],
)
def test_code_that_looks_for_a_failure_reports_none(code: str):
    assert ruled(code) == "unknown"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f'I see "{FULL}" in the log', "oom-workload"),
        (f'there is "{MISMATCH}" in dmesg', "driver-library-mismatch"),
        (f'If "{MISMATCH}" in the output, what to do?', "driver-library-mismatch"),
        (f'nvidia-smi says "{MISMATCH}": what now?', "driver-library-mismatch"),
        (f'"{MISMATCH}": what does it mean', "driver-library-mismatch"),
        (f'{{"level": "error", "msg": "{FULL}"}}', "oom-workload"),
        (f'"the error of this step": "RuntimeError: {FULL}",', "oom-workload"),
        ('"nvidia.com/gpu.present": "true",\n"nvidia.com/gpu.product": "A100-MIG-INVALID",', "mig"),
        (f'ERROR:root:"{FULL}"', "oom-workload"),
        (f'2024-01-01 10:00:00 ERROR logger.error("step") {FULL}', "oom-workload"),
        (
            f'  File "a.py", line 3\n    if "{FULL}" in str(e):\nRuntimeError: {FULL}',
            "oom-workload",
        ),
    ],
)
def test_a_failure_that_somebody_quotes_or_logs_is_one(text: str, cause: str):
    assert ruled(text) == cause
