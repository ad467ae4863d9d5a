/* The names without a suffix. A real libcuda still exports them, with the ABI of CUDA 3: 32-bit
 * sizes and pointers. Code that looks them up by the name that it sees in cuda.h corrupts memory
 * in silence there; here it ends at once. cuda.h is not included: it hides these names. */
#include "../common/scenario.h"

#define TRAP(name)                                                                            \
    __attribute__((visibility("default"))) _Noreturn void name(void);                         \
    __attribute__((visibility("default"))) _Noreturn void name(void)                          \
    {                                                                                         \
        fake_die("%s is the ABI of an old CUDA: ask for the name with its suffix", __func__); \
    }

TRAP(cuCtxCreate)
TRAP(cuCtxDestroy)
TRAP(cuCtxPopCurrent)
TRAP(cuCtxPushCurrent)
TRAP(cuDeviceTotalMem)
TRAP(cuEventDestroy)
TRAP(cuMemAlloc)
TRAP(cuMemFree)
TRAP(cuMemGetInfo)
TRAP(cuMemcpy3DAsync)
TRAP(cuMemcpyDtoDAsync)
TRAP(cuMemcpyDtoH)
TRAP(cuMemcpyDtoHAsync)
TRAP(cuMemcpyHtoD)
TRAP(cuMemcpyHtoDAsync)
TRAP(cuMemsetD8)
TRAP(cuStreamDestroy)

#undef TRAP
