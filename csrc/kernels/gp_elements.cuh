/* The types of elements: what lies in memory (`stored`), and what it is summed in (`sum`). */
#ifndef GP_ELEMENTS_CUH
#define GP_ELEMENTS_CUH

#include "gp_narrow.h"
#include "gp_work.h"

#include <math.h>

/* `format` tells the two float8 types apart, which have one kernel; no other looks at it. */
#define GP_ELEMENT(name, stored_type, sum_type, widened)     \
    struct name {                                            \
        typedef stored_type stored;                          \
        typedef sum_type sum;                                \
        static __device__ __forceinline__ sum                \
        widen(stored value, [[maybe_unused]] int64_t format) \
        {                                                    \
            return widened;                                  \
        }                                                    \
    }

GP_ELEMENT(gp_f64, double, double, value);
GP_ELEMENT(gp_f32, float, float, value);
GP_ELEMENT(gp_f16, uint16_t, float, gp_f32_of_f16(value));
GP_ELEMENT(gp_bf16, uint16_t, float, gp_f32_of_bf16(value));
GP_ELEMENT(gp_f8, uint8_t, float,
           format == GP_E5M2 ? gp_f32_of_e5m2(value) : gp_f32_of_e4m3(value));
/* Unsigned sums, because those are the arithmetic modulo 2^32. */
GP_ELEMENT(gp_i32, int32_t, uint32_t, (uint32_t)value);
GP_ELEMENT(gp_i8, int8_t, uint32_t, (uint32_t)(int32_t)value);

/* Takes the fastest axis off an index: its place there is returned, the index of the other axes
 * remains. By one division, which is a long piece of code where numbers have 64 bits. */
GP_FORMULA int64_t
gp_split(int64_t &index, int64_t extent)
{
    const int64_t whole = index;
    index = (int64_t)((uint64_t)whole / (uint64_t)extent);
    return whole - index * extent;
}

/* The element `offset` bytes behind `data`. */
template <class Element>
static __device__ __forceinline__ typename Element::sum
gp_load(const void *data, int64_t offset, int64_t format = 0)
{
    const void *address = static_cast<const unsigned char *>(data) + offset;
    return Element::widen(*static_cast<const typename Element::stored *>(address), format);
}

/* sum + a * b, rounded once. Fused by name, and not where a compiler likes to: so the host and
 * every GPU give the same bits. */
GP_FORMULA float
gp_add_product(float sum, float a, float b)
{
    return fmaf(a, b, sum);
}

GP_FORMULA double
gp_add_product(double sum, double a, double b)
{
    return fma(a, b, sum);
}

GP_FORMULA uint32_t
gp_add_product(uint32_t sum, uint32_t a, uint32_t b)
{
    return sum + a * b;
}

/* Element number `i` of a result. */
GP_FORMULA void
gp_store(void *data, int64_t i, int64_t store, float sum)
{
    if (store == GP_STORE_F16) { static_cast<uint16_t *>(data)[i] = gp_f16_of_f32(sum); }
    else if (store == GP_STORE_BF16) {
        static_cast<uint16_t *>(data)[i] = gp_bf16_of_f32(sum);
    }
    else {
        static_cast<float *>(data)[i] = sum;
    }
}

GP_FORMULA void
gp_store(void *data, int64_t i, int64_t, double sum)
{
    static_cast<double *>(data)[i] = sum;
}

GP_FORMULA void
gp_store(void *data, int64_t i, int64_t, uint32_t sum)
{
    static_cast<uint32_t *>(data)[i] = sum;
}

#endif
