/* Modules and the functions in them. A launch runs the kernel itself, compiled for the host. */
#include "capture.h"
#include "image.h"
#include "order.h"
#include "spoiled.h"

#include <hostcuda.h>

#include <stdlib.h>
#include <string.h>

struct CUfunc_st {
    struct CUfunc_st *next;
    struct CUmod_st *module;
    char name[FAKE_TEXT];
};

struct CUmod_st {
    const void *image; /* a driver copies it; assumed that callers keep theirs, as gpuprobe does */
    struct CUfunc_st *functions;
    fake_clock launched; /* its kernels, by the streams that they run on */
};

atomic_size_t fake_live_modules;

CUresult CUDAAPI
cuModuleLoadData(CUmodule *module, const void *image)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const CUresult allowed = fake_capture_allows();
    if (allowed != CUDA_SUCCESS) { return allowed; }
    if (module == NULL || image == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    const fake_gpu *gpu = fake_device_at(fake_current()->device)->gpu;
    const uint64_t driver_cuda = fake_machine()->driver.cuda_version;
    const CUresult verdict = fake_image_check(image, gpu->capability, driver_cuda);
    if (verdict != CUDA_SUCCESS) { return verdict; }
    *module = calloc(1, sizeof **module);
    if (*module == NULL) { fake_die("no memory for a module"); }
    (*module)->image = image;
    fake_live_modules++;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuModuleUnload(CUmodule module)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (module == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    if (!fake_order_is_done(&module->launched)) {
        fake_die("cuModuleUnload: a stream may still be running a kernel of the module");
    }
    while (module->functions != NULL) {
        struct CUfunc_st *function = module->functions;
        module->functions = function->next;
        free(function);
    }
    free(module);
    fake_live_modules--;
    return CUDA_SUCCESS;
}

static struct CUfunc_st *
known_function(const struct CUmod_st *module, const char *name)
{
    struct CUfunc_st *function = module->functions;
    while (function != NULL && strcmp(function->name, name) != 0) {
        function = function->next;
    }
    return function;
}

static struct CUfunc_st *
new_function(struct CUmod_st *module, const char *name)
{
    struct CUfunc_st *made = calloc(1, sizeof *made);
    if (made == NULL) { fake_die("no memory for a function"); }
    strcpy(made->name, name);
    made->module = module;
    made->next = module->functions;
    module->functions = made;
    return made;
}

CUresult CUDAAPI
cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (function == NULL || module == NULL || name == NULL || strlen(name) >= FAKE_TEXT) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct CUfunc_st *known = known_function(module, name);
    if (known == NULL) {
        if (!fake_image_has_kernel(module->image, name)) { return CUDA_ERROR_NOT_FOUND; }
        known = new_function(module, name);
    }
    *function = known;
    return CUDA_SUCCESS;
}

static bool
is_launchable(const unsigned grid[3], const unsigned block[3])
{
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    return grid[0] > 0 && grid[1] > 0 && grid[2] > 0 && threads > 0 && threads <= 1024 &&
           grid[1] <= 65535 && grid[2] <= 65535 && block[2] <= 64;
}

/* A piece of work on the stream that uses what the kernel uses. Memory that is not the device's
 * would be an illegal address there: the caller is wrong. */
static void
begin_work(CUstream stream, CUfunction function, void **params)
{
    hostcuda_span spans[HOSTCUDA_MOST_SPANS];
    const char *kernel = function->name;
    const int count = hostcuda_spans(kernel, params, spans);
    const size_t lane = fake_lane_of(stream);
    fake_order_work(lane);
    function->module->launched.at[lane] = fake_order_now(lane).at[lane];
    for (int i = 0; i < count; i++) {
        const CUdeviceptr begin = (CUdeviceptr)(uintptr_t)spans[i].begin;
        if (spans[i].bytes == 0) { continue; }
        if (fake_range(begin, spans[i].bytes) == NULL) {
            fake_die("%s uses %zu bytes at %p, which are not the device's", kernel, spans[i].bytes,
                     spans[i].begin);
        }
        fake_order_use(lane, spans[i].begin, spans[i].bytes, spans[i].writes != 0);
    }
}

CUresult CUDAAPI
cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
               CUstream stream, void **params, void **extra)
{
    const int fault = fake_cuda_enter(__func__, FAKE_IN_CONTEXT);
    if (fault > 0) { return (CUresult)fault; }
    const unsigned grid[3] = {grid_x, grid_y, grid_z}, block[3] = {block_x, block_y, block_z};
    if (extra != NULL) { fake_die("cuLaunchKernel: `extra` is not modelled yet"); }
    if (function == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    if (!is_launchable(grid, block)) { return CUDA_ERROR_INVALID_VALUE; }
    begin_work(stream, function, params);
    kept_inputs kept;
    fake_before_launch(fault, function->name, params, &kept);
    const int result = hostcuda_launch(function->name, grid, block, shared_bytes, params);
    fake_after_launch(fault, function->name, params, &kept);
    if (result != HOSTCUDA_RAN) {
        fake_die("%s did not run on the host: hostcuda_result %d", function->name, result);
    }
    return CUDA_SUCCESS;
}
