#include "shim_driver.h"

#include "hostcuda.h"

/* CUDA_ERROR_NOT_FOUND and CUDA_ERROR_INVALID_VALUE */
enum { NOT_FOUND = 500, INVALID_VALUE = 1 };

/* A function's handle is its name. */
static gp_cu_result
get_function(gp_cu_function *function, gp_cu_module module, const char *name)
{
    (void)module;
    *function = (gp_cu_function)(void *)name;
    return hostcuda_has_kernel(name) ? GP_CU_SUCCESS : NOT_FOUND;
}

static gp_cu_result
launch(gp_cu_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
       gp_cu_stream stream, void **parameters, void **extra)
{
    (void)stream;
    (void)extra;
    const unsigned int grid[] = {grid_x, grid_y, grid_z};
    const unsigned int block[] = {block_x, block_y, block_z};
    const char *name = (const char *)(void *)function;
    int result = hostcuda_launch(name, grid, block, shared_bytes, parameters);
    return result == HOSTCUDA_RAN ? GP_CU_SUCCESS : INVALID_VALUE;
}

const gp_module *
shim_module(void)
{
    static const gp_cuda cu = {.cuModuleGetFunction = get_function, .cuLaunchKernel = launch};
    static const gp_module module = {.cu = &cu};
    return &module;
}
