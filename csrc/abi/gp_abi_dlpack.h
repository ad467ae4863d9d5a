/* DLPack 1.x, https://dmlc.github.io/dlpack: how libraries lend each other arrays without a copy.
 * Who gets one calls its deleter once, on any thread. */
#ifndef GP_ABI_DLPACK_H
#define GP_ABI_DLPACK_H

#include <stdint.h>

enum { GP_DL_MAJOR = 1, GP_DL_MINOR = 1 };
enum { GP_DL_READ_ONLY = 1, GP_DL_IS_COPIED = 2 };

typedef struct gp_dl_device {
    int32_t type;
    int32_t id;
} gp_dl_device;

typedef struct gp_dl_type {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} gp_dl_type;

typedef struct gp_dl_tensor {
    void *data;
    gp_dl_device device;
    int32_t ndim;
    gp_dl_type dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: no gaps */
    uint64_t byte_offset;
} gp_dl_tensor;

/* DLManagedTensor: before 1.0. */
typedef struct gp_dl_managed {
    gp_dl_tensor tensor;
    void *owner;
    void (*deleter)(struct gp_dl_managed *self);
} gp_dl_managed;

typedef struct gp_dl_version {
    uint32_t major;
    uint32_t minor;
} gp_dl_version;

/* DLManagedTensorVersioned: of another major version nothing but the deleter may be touched. */
typedef struct gp_dl_managed_versioned {
    gp_dl_version version;
    void *owner;
    void (*deleter)(struct gp_dl_managed_versioned *self);
    uint64_t flags;
    gp_dl_tensor tensor;
} gp_dl_managed_versioned;

#endif
