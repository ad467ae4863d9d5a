#include "fibers.h"
#include "hostcuda.h"
#include "registry.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

/* Named by the linker after the section; absent if no kernel has shared memory. */
extern "C" unsigned char __start_hostcuda_shared[] __attribute__((weak, visibility("hidden")));
extern "C" unsigned char __stop_hostcuda_shared[] __attribute__((weak, visibility("hidden")));

static const unsigned max_block = 1024;         /* CUDA's own limit */
static const std::uint64_t max_grid = 1u << 24; /* ours: more would take for ever on a host */

static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;

static const hostcuda_kernel *
find_kernel(const char *name)
{
    for (std::size_t i = 0; i < hostcuda_kernel_count; i++) {
        if (std::strcmp(hostcuda_kernels[i].name, name) == 0) { return &hostcuda_kernels[i]; }
    }
    return nullptr;
}

/* The product of the three sizes, 0 if one is 0 or the product exceeds `limit` (below 2^32). */
static unsigned
volume(const unsigned size[3], std::uint64_t limit)
{
    std::uint64_t product = 1;
    for (int i = 0; i < 3; i++) {
        product *= size[i];
        if (product == 0 || product > limit) { return 0; }
    }
    return static_cast<unsigned>(product);
}

static hostcuda_index
index_of(const unsigned size[3])
{
    return {size[0], size[1], size[2]};
}

/* A pattern that is no zero, no small number, and no valid pointer. */
static void
poison_shared_memory()
{
    const auto bytes = static_cast<std::size_t>(__stop_hostcuda_shared - __start_hostcuda_shared);
    if (bytes > 0) { std::memset(__start_hostcuda_shared, 0xA5, bytes); }
}

static hostcuda_result
run_block(crew *threads, order *by, hostcuda_index at, const hostcuda_kernel *kernel, void **params)
{
    blockIdx = at;
    poison_shared_memory();
    return crew_run_block(threads, by, kernel->run, params) ? HOSTCUDA_RAN : HOSTCUDA_DIVERGED;
}

static hostcuda_result
run_grid(crew *threads, order *by, const hostcuda_kernel *kernel, void **params)
{
    const unsigned count = gridDim.x * gridDim.y * gridDim.z;
    auto *blocks = static_cast<unsigned *>(std::calloc(count, sizeof(unsigned)));
    hostcuda_result result = blocks == nullptr ? HOSTCUDA_BAD_LAUNCH : HOSTCUDA_RAN;
    if (blocks != nullptr) { arrange(by, blocks, count); }
    for (unsigned i = 0; i < count && result == HOSTCUDA_RAN; i++) {
        const hostcuda_index at = {blocks[i] % gridDim.x, blocks[i] / gridDim.x % gridDim.y,
                                   blocks[i] / gridDim.x / gridDim.y};
        result = run_block(threads, by, at, kernel, params);
    }
    std::free(blocks);
    return result;
}

/* The whole grid, or one block of it where `only` is not null. */
static hostcuda_result
launch(const hostcuda_kernel *kernel, const unsigned grid[3], const unsigned block[3],
       const unsigned *only, void **params)
{
    order by;
    crew threads = {};
    const unsigned thread_count = volume(block, max_block);
    if (thread_count == 0 || !order_from_environment(&by)) { return HOSTCUDA_BAD_LAUNCH; }
    if (!crew_hire(&threads, thread_count)) { return HOSTCUDA_BAD_LAUNCH; }
    gridDim = index_of(grid);
    blockDim = index_of(block);
    const hostcuda_result result = only == nullptr
                                       ? run_grid(&threads, &by, kernel, params)
                                       : run_block(&threads, &by, index_of(only), kernel, params);
    crew_dismiss(&threads);
    return result;
}

int
hostcuda_launch(const char *name, const unsigned grid[3], const unsigned block[3],
                std::size_t shared_bytes, void **params)
{
    const hostcuda_kernel *kernel = find_kernel(name);
    if (kernel == nullptr) { return HOSTCUDA_NO_KERNEL; }
    if (shared_bytes != 0 || volume(grid, max_grid) == 0) { return HOSTCUDA_BAD_LAUNCH; }
    (void)pthread_mutex_lock(&one_launch);
    const hostcuda_result result = launch(kernel, grid, block, nullptr, params);
    (void)pthread_mutex_unlock(&one_launch);
    return result;
}

int
hostcuda_launch_block(const char *name, const unsigned grid[3], const unsigned block[3],
                      const unsigned at[3], void **params)
{
    const hostcuda_kernel *kernel = find_kernel(name);
    if (kernel == nullptr) { return HOSTCUDA_NO_KERNEL; }
    for (int i = 0; i < 3; i++) {
        if (at[i] >= grid[i]) { return HOSTCUDA_BAD_LAUNCH; }
    }
    (void)pthread_mutex_lock(&one_launch);
    const hostcuda_result result = launch(kernel, grid, block, at, params);
    (void)pthread_mutex_unlock(&one_launch);
    return result;
}

int
hostcuda_spans(const char *name, void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS])
{
    const hostcuda_kernel *kernel = find_kernel(name);
    return kernel == nullptr || kernel->spans == nullptr ? 0 : kernel->spans(params, spans);
}

int
hostcuda_has_kernel(const char *name)
{
    return find_kernel(name) != nullptr;
}
