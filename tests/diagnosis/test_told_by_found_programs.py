"""What a probe, a prompt, a comparison, a fork's folder or a broken line says of a machine."""

from __future__ import annotations

import pytest

from support.cases import ruled

OPERATOR = """Environment: kubernetes
GPU: L40S
$ kubectl describe pod {pod}
  Warning  Unhealthy  3m   kubelet  {probe} probe failed: No devices were found
"""


@pytest.mark.parametrize(
    ("pod", "probe", "cause"),
    [
        ("nvidia-driver-daemonset-x7k2p", "Startup", "device-lost"),
        ("my-training-job", "Liveness", "unknown"),
    ],
)
def test_the_drivers_own_container_is_given_all_gpus(pod: str, probe: str, cause: str):
    assert ruled(OPERATOR.format(pod=pod, probe=probe)) == cause
