"""What ``nvidia-smi -q -x`` says, of which people paste the beginning."""

from __future__ import annotations

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from gpuprobe.facts.version import Version

XML = """\
# nvidia-smi -q -x
<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v13.dtd">
<nvidia_smi_log>
\t<timestamp>Tue Feb 17 22:43:40 2026</timestamp>
\t<driver_version>591.74</driver_version>
\t<cuda_version>13.1</cuda_version>
\t<attached_gpus>2</attached_gpus>
\t<gpu id="00000000:01:00.0">
\t\t<product_name>NVIDIA GeForce RTX 4090</product_name>
\t\t<mig_mode>
\t\t\t<current_mig>N/A</current_mig>
\t\t</mig_mode>
\t\t<uuid>GPU-11111111-2222-3333-4444-555555555555</uuid>
\t</gpu>
\t<gpu id="00000000:41:00.0">
\t\t<product_name>NVIDIA A100-SXM4-40GB</product_name>
\t\t<mig_mode>
\t\t\t<current_mig>Enabled</current_mig>
"""


def test_driver_and_gpus_are_read():
    facts = read(XML)
    assert facts.known(names.DRIVER_VERSION) == Version("591.74")
    assert facts.known(names.DRIVER_CUDA) == Version("13.1")
    assert facts.known(names.NVML_COUNT) == 2
    assert facts.known(names.GPU_NAME("0")) == "NVIDIA GeForce RTX 4090"
    assert facts.known(names.GPU_PCI("1")) == "0000:41:00.0"
    assert facts.known(names.GPU_UUID("0")) == "GPU-11111111-2222-3333-4444-555555555555"


def test_an_element_belongs_to_the_gpu_above_it():
    facts = read(XML)
    assert facts.known(names.GPU_MIG("0")) is None
    assert facts.known(names.GPU_MIG("1")) is True


def test_each_fact_names_its_line():
    fact = read(XML).fact(names.GPU_NAME("1"))
    assert getattr(fact, "source", None) == "line 17 of the text"


def test_elements_outside_of_a_report_are_another_programs():
    assert read(XML.replace("<nvidia_smi_log>", "<settings>")).known(names.NVML_COUNT) is None


def test_an_element_that_breaks_off_says_nothing():
    assert read(XML.replace("591.74</driver_version>", "591.")).known(names.DRIVER_VERSION) is None
