"""CUDA_VISIBLE_DEVICES and its relatives: what CUDA makes of a value, and what others make of it.

Pure: a value and a list of devices go in, typed records come out. `predict` imitates the driver
as far as its behaviour is documented or was seen; where it is neither, the record says so, and
the driver itself is the judge (a process that has never started CUDA is asked).

Sources: the CUDA Programming Guide, appendix "Environment Variables" (PG-env below); NVIDIA's MIG
User Guide, "CUDA visible devices" (MIG-UG); PyTorch's ``test_cuda_nvml_based_avail.py``, whose
cases its authors held against driver 525.60.13 (torch-test).
"""
