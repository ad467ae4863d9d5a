/* What the parts of the fake libcublasLt share.
 *
 * The fake is compiled against NVIDIA's own cublasLt.h. What its descriptors take and refuse was
 * seen of a real 13.1 without a device (support/cublaslt_contract.py asks both); what a product
 * needs follows the library's documentation. Where neither says anything a comment says "assumed".
 * It computes in the fake device's memory. */
#ifndef FAKE_CUBLASLT_H
#define FAKE_CUBLASLT_H

#include "../common/device.h"
#include "../common/fault.h"
#include "../common/scenario.h"
#include "product.h"

#include <stdatomic.h>

/* The library is built with hidden visibility; the vendor's declarations alone are exported. The
 * headers of two types are kept out, which nothing here needs and which need one more package. */
#define __CUDA_FP16_H__
#define __CUDA_BF16_H__
#pragma GCC visibility push(default)
#include <cublasLt.h>
#pragma GCC visibility pop

/* Counts the call and applies the scenario's faults. Those that spoil a result pass through. */
int fake_cublaslt_enter(const char *call);

/* The first line of every exported function but cublasLtMatmul, which can be spoiled. */
#define FAKE_CALL()                                                                         \
    do {                                                                                    \
        const int code_ = fake_cublaslt_enter(__func__);                                    \
        if (code_ < 0) { fake_die("%s computes nothing that could be spoiled", __func__); } \
        if (code_ != 0) { return (cublasStatus_t)code_; }                                   \
    } while (0)

/* ---- descriptors: the vendor's pointers point to these ---- */

typedef struct fake_operation {
    int32_t compute;
    int32_t scale;
    int32_t pointer_mode;
    int32_t transposed[3]; /* a, b, c */
    int32_t fill;
    uint32_t epilogue;
} fake_operation;

typedef struct fake_layout {
    uint32_t type;
    int32_t order;
    uint64_t rows;
    uint64_t columns;
    int64_t ld;
    int32_t batch;
    int64_t step;
} fake_layout;

typedef struct fake_preference {
    uint32_t search;
    uint64_t workspace;
    uint32_t reductions;
    uint32_t alignments[4]; /* a, b, c, d */
    float waves;
    uint64_t implementations;
} fake_preference;

const fake_operation *fake_operation_of(cublasLtMatmulDesc_t descriptor);
const fake_layout *fake_layout_of(cublasLtMatrixLayout_t descriptor);
const fake_preference *fake_preference_of(cublasLtMatmulPreference_t descriptor);

extern atomic_size_t fake_live_descriptors;

/* ---- products ---- */

/* The shapes and the types of a product, without the data; or the code for what is wrong. */
cublasStatus_t fake_product_of(const fake_operation *operation, const fake_layout *a,
                               const fake_layout *b, const fake_layout *d, product *made);

/* Whether the current device has a kernel for it where addresses are aligned so. */
bool fake_has_kernel(const fake_operation *operation, const fake_layout *a, const fake_layout *b,
                     const fake_layout *d, const uint32_t alignments[4]);

#endif
