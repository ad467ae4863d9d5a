/* The embedded kernels: how to launch them, and the plain-C reference of each.
 *
 * Launch contract, for every kernel: block (GP_KERNEL_BLOCK, 1, 1), grid (any number >= 1, 1, 1),
 * no dynamic shared memory. The kernels are grid-stride: every grid and every n, 0 and 1 included,
 * gives the same result, only the speed differs. `n` counts elements. Pointers are device
 * addresses, aligned to their element; outputs do not overlap inputs. The kernels of matmul and
 * conv2d take one structure each: see gp_work.h, and for what they need matmul.cu and conv2d.cu.
 *
 *   gp_fill_f32(float *out, uint64_t n, uint64_t seed)
 *   gp_add_f32(float *out, const float *a, const float *b, uint64_t n)
 *   gp_hash_u64(unsigned long long *hash, const uint32_t *words, uint64_t n)
 *       adds to *hash, which the launcher sets to 0 before
 */
#ifndef GP_KERNELS_H
#define GP_KERNELS_H

#include <stdint.h>

enum { GP_KERNEL_BLOCK = 256 };

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = gp_fill_f32_value(seed, i) */
void gp_reference_fill_f32(float *out, uint64_t n, uint64_t seed);

/* out[i] = a[i] + b[i] */
void gp_reference_add_f32(float *out, const float *a, const float *b, uint64_t n);

/* The sum of gp_hash_u64_term(i, word i) modulo 2^64, over the `n` 32-bit words at `words`. */
uint64_t gp_reference_hash_u64(const void *words, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif
