/* Runs every kernel beside its reference, as a program: so that the sanitizers, which watch every
 * access to the exactly sized buffers, need no instrumented Python. Prints "clean". */
#include "gp_kernels.h"
#include "hostcuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t sizes[] = {0, 1, 255, 257, 5000};
static void
require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "check: %s\n", what);
        exit(1);
    }
}

static float *
new_floats(uint64_t n)
{
    /* Of exactly this size; malloc(0) may be NULL, which no kernel looks at. */
    float *floats = malloc(n * sizeof *floats);
    require(floats != NULL || n == 0, "no memory");
    return floats;
}

static void
launch(const char *kernel, void **params)
{
    const unsigned grid[3] = {3, 1, 1};
    const unsigned block[3] = {GP_KERNEL_BLOCK, 1, 1};
    require(hostcuda_launch(kernel, grid, block, 0, params) == HOSTCUDA_RAN, kernel);
}

static void
check(uint64_t n)
{
    float *data = new_floats(n);
    float *sum = new_floats(n);
    float *expected = new_floats(n);
    uint64_t seed = 9;
    unsigned long long hash = 0;
    void *result = &hash;
    launch("gp_fill_f32", (void *[]){&data, &n, &seed});
    launch("gp_add_f32", (void *[]){&sum, &data, &data, &n});
    launch("gp_hash_u64", (void *[]){&result, &sum, &n});
    gp_reference_fill_f32(data, n, seed);
    gp_reference_add_f32(expected, data, data, n);
    require(n == 0 || memcmp(sum, expected, n * sizeof *sum) == 0, "another sum");
    require(hash == gp_reference_hash_u64(expected, n), "another hash");
    free(data);
    free(sum);
    free(expected);
}

int
main(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check(sizes[i]);
    }
    puts("clean");
    return 0;
}
