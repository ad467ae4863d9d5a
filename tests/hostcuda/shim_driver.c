#include "shim_driver.h"

#include "hostcuda.h"

#include <limits.h>
#include <stdint.h>

enum { INVALID_VALUE = 1 }; /* CUDA_ERROR_INVALID_VALUE */

static unsigned int most_blocks = UINT_MAX;
static bool is_last_alone;

void
shim_limit_blocks(unsigned int most)
{
    most_blocks = most;
}

void
shim_run_last_block(void)
{
    is_last_alone = true;
}

static gp_cu_result
launch(gp_cu_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
       gp_cu_stream stream, void **parameters, void **extra)
{
    (void)stream;
    (void)extra;
    const unsigned int grid[] = {grid_x < most_blocks ? grid_x : most_blocks, grid_y, grid_z};
    const unsigned int block[] = {block_x, block_y, block_z};
    const char *name = (const char *)(void *)function;
    const unsigned int last[] = {grid[0] - 1, grid_y - 1, grid_z - 1};
    int result = is_last_alone ? hostcuda_launch_block(name, grid, block, last, parameters)
                               : hostcuda_launch(name, grid, block, shared_bytes, parameters);
    return result == HOSTCUDA_RAN ? GP_CU_SUCCESS : INVALID_VALUE;
}

/* The handle of a function is its name. */
const gp_module *
shim_module(void)
{
    static const char *const names[] = {
#define GP_KERNEL(constant, name) #name,
#include "kernels/gp_kernels.def"
#undef GP_KERNEL
    };
    static const gp_cuda cu = {.cuLaunchKernel = launch};
    static gp_module module = {.cu = &cu};
    for (int i = 0; i < GP_KERNEL_COUNT; i++) {
        module.functions[i] = (gp_cu_function)(uintptr_t)names[i];
    }
    return &module;
}
