/* What the parts of the fake libcudnn share.
 *
 * The fake is compiled against NVIDIA's own cudnn_graph.h. It plays the graph interface of cuDNN 9
 * for convolutions forward and additions of a bias: what it takes and refuses was seen of a real
 * 9.28 without a device (support/cudnn_contract.py asks both), and what it computes, it computes in
 * the fake device's memory. Where nothing could be seen a comment says "assumed". */
#ifndef FAKE_CUDNN_H
#define FAKE_CUDNN_H

#include "../common/device.h"
#include "../common/fault.h"
#include "../common/scenario.h"

#include "base/gp_dtype.h"

#include <stdatomic.h>

/* The library is built with hidden visibility; the vendor's declarations alone are exported. */
#pragma GCC visibility push(default)
#include <cudnn_graph.h>
#pragma GCC visibility pop

struct cudnnContext {
    cudaStream_t stream;
};

/* ---- what every call does first ---- */

/* Counts the call and applies the scenario's faults; what fails leaves a text. */
#define FAKE_CALL()                                                \
    do {                                                           \
        const cudnnStatus_t planned_ = fake_cudnn_enter(__func__); \
        if (planned_ != CUDNN_STATUS_SUCCESS) { return planned_; } \
    } while (0)

cudnnStatus_t fake_cudnn_enter(const char *call);

/* Keeps the text for cudnnGetLastErrorString, and returns the code. */
cudnnStatus_t fake_refuse(cudnnStatus_t status, const char *why);

/* ---- descriptors ---- */

enum { FAKE_MOST_ATTRIBUTES = 12, FAKE_MOST_VALUES = 8 };

typedef struct fake_attribute {
    cudnnBackendAttributeName_t name;
    cudnnBackendAttributeType_t type;
    int64_t count;
    _Alignas(8) unsigned char values[FAKE_MOST_VALUES * 8];
} fake_attribute;

typedef struct fake_engine fake_engine;

typedef struct fake_descriptor {
    cudnnBackendDescriptorType_t kind;
    bool is_final;
    unsigned users; /* the caller, and every descriptor that it was given to */
    size_t count;
    fake_attribute attributes[FAKE_MOST_ATTRIBUTES];
    const fake_engine *engine;     /* of an engine or a configuration that a heuristic gave */
    struct fake_descriptor *graph; /* of those; used */
} fake_descriptor;

/* What was set: NULL, and 0, if nothing was. */
const fake_attribute *fake_find(const fake_descriptor *d, cudnnBackendAttributeName_t name);
int64_t fake_count(const fake_descriptor *d, cudnnBackendAttributeName_t name);

/* A descriptor, a number and an enum that were set; NULL and `otherwise` if not. */
fake_descriptor *
fake_part(const fake_descriptor *d, cudnnBackendAttributeName_t name, size_t index);
int64_t fake_number(const fake_descriptor *d, cudnnBackendAttributeName_t name, size_t index,
                    int64_t otherwise);
int fake_enum(const fake_descriptor *d, cudnnBackendAttributeName_t name, int otherwise);

void fake_use(fake_descriptor *d);
void fake_drop(fake_descriptor *d);
extern atomic_size_t fake_live_descriptors, fake_live_handles;

/* What cudnnBackendFinalize checks, by kind. */
cudnnStatus_t fake_check(fake_descriptor *d);

/* An operation graph: its convolution, its addition; NULL where it has none. */
fake_descriptor *fake_forward_of(const fake_descriptor *graph);
fake_descriptor *fake_addition_of(const fake_descriptor *graph);

/* The engine with this number, or NULL. */
const fake_engine *fake_engine_of(int64_t number);

/* What a plan is made of: success, or why this engine cannot compute this graph here. */
cudnnStatus_t fake_engine_check(const fake_engine *engine, const fake_descriptor *graph);

/* Attributes that were not set but follow: of heuristics, configurations, engines, plans. False:
 * the descriptor has no such attribute. */
bool fake_derive(fake_descriptor *d, cudnnBackendAttributeName_t name, int64_t capacity,
                 int64_t *count, void *values);

/* ---- tensors ---- */

typedef struct fake_tensor {
    cudnnDataType_t dtype;
    int64_t extents[4];
    int64_t strides[4]; /* elements */
    int64_t uid;
    int64_t alignment;
    bool is_virtual;
    unsigned char *data; /* on the host */
} fake_tensor;

fake_tensor fake_read_tensor(const fake_descriptor *d);
size_t fake_size_of(cudnnDataType_t dtype); /* 0: none of those that are played */

gp_dtype fake_dtype_of(const fake_tensor *tensor);

/* From the first element to behind the last one. */
size_t fake_span(const fake_tensor *tensor);

/* ---- computing ---- */

/* How an engine treats what it computes with. */
typedef enum fake_habit {
    FAKE_AS_IT_IS,
    FAKE_AS_TF32, /* float32 inputs are read as TF32; others as they are */
    FAKE_AS_HALF, /* inputs are rounded to float16 */
    FAKE_ROUGHLY, /* sums of other products: right, but not to the last bit */
    FAKE_CHANGING /* the last bit changes from run to run */
} fake_habit;

typedef struct fake_convolution {
    fake_tensor x;
    fake_tensor w;
    fake_tensor y;
    fake_tensor bias;
    bool has_bias;
    bool is_double;  /* summed in double, else in float */
    bool is_flipped; /* a convolution of mathematics, not a cross-correlation */
    int64_t before[2];
    int64_t stride[2];
    int64_t dilation[2];
    fake_habit habit;
} fake_convolution;

void fake_convolve(const fake_convolution *conv);

/* y = x + bias, along the second axis. */
void fake_add(const fake_tensor *x, const fake_tensor *bias, const fake_tensor *y);

struct fake_engine {
    int64_t number;
    fake_habit habit;
    int notes[3];
    int64_t note_count;
    int64_t workspace;
    bool adds_bias;       /* takes graphs of two operations */
    bool needs_alignment; /* 16 bytes, and channels in fours: assumed */
    bool takes_double;
    bool takes_narrow; /* float16 and bfloat16 */
};

#endif
