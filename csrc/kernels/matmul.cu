#include "gp_device.h"
#include "gp_elements.cuh"

/* c[i, j] = sum over p of a[i, p] * b[p, j], in the order of p.
 *
 * Each step is one gp_add_product, rounded once, so a sum of k products errs by at most
 * k u / (1 - k u) * sum(|a||b|), u = 2^-24 for sums in float32 and 2^-53 in float64 (Higham); sums
 * of integers are exact modulo 2^32. Storing a narrow float rounds once more.
 *
 * A block makes tiles of GP_TILE x GP_TILE elements. Of each GP_TILE products of a sum it reads the
 * factors once into shared memory, so that an element of a or b travels from memory once for
 * GP_TILE uses. Reading shared memory is the bound: two numbers for one product and one addition.
 *
 * Launch: block (GP_KERNEL_BLOCK, 1, 1), grid (any number, 1, 1); m, n and batch are not 0, and k
 * may be. Every grid gives the same bits. */

template <class Element> struct gp_matmul_tiles {
    typename Element::sum a[GP_TILE][GP_TILE];
    typename Element::sum b[GP_TILE][GP_TILE];
};

/* Bytes from the start of each input to its matrix number `index`. */
GP_FORMULA void
gp_batch_offsets(const gp_matmul_work &work, int64_t index, int64_t &a, int64_t &b)
{
    GP_ROLLED
    for (int64_t axis = work.batch_ndim - 1; axis >= 0; axis--) {
        const int64_t at = gp_split(index, work.batch_shape[axis]);
        a += at * work.a_batch_strides[axis];
        b += at * work.b_batch_strides[axis];
    }
}

/* One sum for each thread of the block. Outside of the matrices there are zeros. All threads come
 * through all barriers, whether or not their element exists. */
template <class Element>
static __device__ __forceinline__ typename Element::sum
gp_matmul_sum(const gp_matmul_work &work, int64_t product, int64_t first_row, int64_t first_column,
              gp_matmul_tiles<Element> &tiles)
{
    const int x = (int)threadIdx.x % GP_TILE;
    const int y = (int)threadIdx.x / GP_TILE;
    const bool has_row = first_row + y < work.m;
    const bool has_column = first_column + x < work.n;
    int64_t row = has_row ? (first_row + y) * work.a_strides[0] : 0;
    int64_t column = has_column ? (first_column + x) * work.b_strides[1] : 0;
    typename Element::sum sum = 0;
    gp_batch_offsets(work, product, row, column);
    GP_ROLLED
    for (int64_t p = 0; p < work.k; p += GP_TILE) {
        const bool has_a = has_row && p + x < work.k;
        const bool has_b = has_column && p + y < work.k;
        tiles.a[y][x] =
            has_a ? gp_load<Element>(work.a, row + (p + x) * work.a_strides[1], work.a_format) : 0;
        tiles.b[y][x] =
            has_b ? gp_load<Element>(work.b, column + (p + y) * work.b_strides[0], work.b_format)
                  : 0;
        __syncthreads(); /* the tiles are whole */
        for (int i = 0; i < GP_TILE; i++) {
            sum = gp_add_product(sum, tiles.a[y][i], tiles.b[i][x]);
        }
        __syncthreads(); /* nobody reads them any more */
    }
    return sum;
}

template <class Element>
static __device__ __forceinline__ void
gp_matmul(const gp_matmul_work &work, gp_matmul_tiles<Element> &tiles)
{
    const int64_t across = gp_tiles_over(work.n);
    const int64_t down = gp_tiles_over(work.m);
    GP_ROLLED
    for (int64_t tile = blockIdx.x; tile < work.batch * down * across; tile += gridDim.x) {
        int64_t rest = tile;
        const int64_t first_column = gp_split(rest, across) * GP_TILE;
        const int64_t first_row = gp_split(rest, down) * GP_TILE;
        const typename Element::sum sum =
            gp_matmul_sum<Element>(work, rest, first_row, first_column, tiles);
        const int64_t row = first_row + (int)threadIdx.x / GP_TILE;
        const int64_t column = first_column + (int)threadIdx.x % GP_TILE;
        if (row < work.m && column < work.n) {
            gp_store(work.c, (rest * work.m + row) * work.n + column, work.store, sum);
        }
    }
}

#define GP_MATMUL(name, Element)                   \
    GP_KERNEL                                      \
    name(const gp_matmul_work work)                \
    {                                              \
        __shared__ gp_matmul_tiles<Element> tiles; \
        gp_matmul<Element>(work, tiles);           \
    }

GP_MATMUL(gp_matmul_f64, gp_f64)
GP_MATMUL(gp_matmul_f32, gp_f32)
GP_MATMUL(gp_matmul_f16, gp_f16)
GP_MATMUL(gp_matmul_bf16, gp_bf16)
GP_MATMUL(gp_matmul_f8, gp_f8)
GP_MATMUL(gp_matmul_i32, gp_i32)
GP_MATMUL(gp_matmul_i8, gp_i8)
