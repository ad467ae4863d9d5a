/* The formula of one element, the same text for the device, the host shim and the plain-C
 * references. Only integer arithmetic and exact conversions: every machine gives the same bits. */
#ifndef GP_FORMULAS_H
#define GP_FORMULAS_H

#include <stdint.h>

#ifdef __CUDACC__
#define GP_FORMULA static __device__ __forceinline__
#else
#define GP_FORMULA static inline
#endif

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014, variant 13 of Stafford): a bijection of
 * the 64-bit words in which every input bit reaches every output bit. */
GP_FORMULA uint64_t
gp_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* 2^64 divided by the golden ratio, made odd: the step of SplitMix64. */
#define GP_GOLDEN_STEP 0x9E3779B97F4A7C15u

/* Output number `i` of SplitMix64 started at `seed`, without the outputs before it. */
GP_FORMULA uint64_t
gp_random_u64(uint64_t seed, uint64_t i)
{
    return gp_mix64(seed + (i + 1) * GP_GOLDEN_STEP);
}

/* A whole number in [-2^22, 2^22). A float holds each of them, and the sum of two, exactly, so
 * neither rounding mode nor flushing of denormals can change a bit of a + b. */
GP_FORMULA float
gp_fill_f32_value(uint64_t seed, uint64_t i)
{
    return (float)((int32_t)(gp_random_u64(seed, i) >> 41) - 4194304);
}

/* What word number `i` adds to the hash. For one `i`, different words add different terms, so one
 * wrong word always changes the hash; `i` takes part, so swapped words change it too. */
GP_FORMULA uint64_t
gp_hash_u64_term(uint64_t i, uint32_t word)
{
    return gp_mix64((i + 1) * GP_GOLDEN_STEP + word);
}

#endif
