/* Our own declarations of the part of the CUDA driver's ABI that we call, so that the core needs no
 * vendor header. tests/conformance compares every line with the real cuda.h.
 *
 * Handles point to the vendor's own incomplete structures: the same C type under another name. An
 * enum of the driver is an unsigned int here, which is how the C ABI passes it. Only 64-bit systems
 * are supported, where the calling convention has one form. */
#ifndef GP_ABI_CUDA_H
#define GP_ABI_CUDA_H

#include <stddef.h>

_Static_assert(sizeof(void *) == 8, "the C core calls the driver on 64-bit systems only");

typedef unsigned int gp_cu_result; /* CUresult */
typedef int gp_cu_device;          /* CUdevice */
typedef struct CUctx_st *gp_cu_context;
typedef struct CUmod_st *gp_cu_module;
typedef struct CUfunc_st *gp_cu_function;
typedef struct CUstream_st *gp_cu_stream;
typedef struct CUevent_st *gp_cu_event;
typedef unsigned long long gp_cu_deviceptr; /* CUdeviceptr, the 64-bit one of the _v2 functions */

/* CUuuid: 16 raw bytes which may hold zeros, never a C string. */
typedef struct gp_cu_uuid {
    char bytes[16];
} gp_cu_uuid;

/* CUmemGenericAllocationHandle: device memory that has no address yet. */
typedef unsigned long long gp_cu_memory;

/* CUmemLocation */
typedef struct gp_cu_location {
    unsigned int type;
    int id;
} gp_cu_location;

/* CUmemAllocationProp; all zero but the first members is what plain device memory needs. */
typedef struct gp_cu_memory_kind {
    unsigned int type;
    unsigned int requested_handle_types;
    gp_cu_location location;
    void *win32_meta_data;
    unsigned char flags[8];
} gp_cu_memory_kind;

/* CUmemAccessDesc */
typedef struct gp_cu_access {
    gp_cu_location location;
    unsigned int flags;
} gp_cu_access;

enum {
    GP_CU_MEMORY_PINNED = 1,
    GP_CU_LOCATION_DEVICE = 1,
    GP_CU_ACCESS_READ_WRITE = 3,
    GP_CU_GRANULARITY_MINIMUM = 0
};

/* CUmemorytype */
enum { GP_CU_ON_HOST = 1, GP_CU_ON_DEVICE = 2 };

/* CUDA_MEMCPY3D, the 64-bit one: rows that are `pitch` bytes apart, and of which `height` lie from
 * one plane to the next. */
typedef struct gp_cu_copy_3d {
    size_t from_x;
    size_t from_y;
    size_t from_z;
    size_t from_lod;
    unsigned int from_kind;
    const void *from_host;
    gp_cu_deviceptr from_device;
    void *from_array;
    void *reserved_0;
    size_t from_pitch;
    size_t from_height;
    size_t to_x;
    size_t to_y;
    size_t to_z;
    size_t to_lod;
    unsigned int to_kind;
    void *to_host;
    gp_cu_deviceptr to_device;
    void *to_array;
    void *reserved_1;
    size_t to_pitch;
    size_t to_height;
    size_t width;
    size_t height;
    size_t depth;
} gp_cu_copy_3d;

/* CUevent_flags: an event without a time costs the device least. */
enum { GP_CU_EVENT_DEFAULT = 0, GP_CU_EVENT_DISABLE_TIMING = 2 };

/* CUstreamCaptureStatus: after an error a stream is out of use until its capture is ended. */
typedef unsigned int gp_cu_capture;
enum { GP_CU_CAPTURE_NONE = 0, GP_CU_CAPTURE_ACTIVE = 1, GP_CU_CAPTURE_INVALIDATED = 2 };

/* CUstreamCaptureMode */
typedef unsigned int gp_cu_capture_mode;
enum { GP_CU_CAPTURE_GLOBAL = 0, GP_CU_CAPTURE_RELAXED = 2 };

enum {
    GP_CU_SUCCESS = 0,
    GP_CU_OUT_OF_MEMORY = 2,
    GP_CU_NOT_INITIALIZED = 3,
    GP_CU_DEINITIALIZED = 4,
    GP_CU_NOT_READY = 600,
    GP_CU_NOT_SUPPORTED = 801,
    GP_CU_CAPTURE_IMPLICIT = 906
};

/* The codes of cuModuleLoadData that mean "not this image": another one may still load. */
enum {
    GP_CU_INVALID_IMAGE = 200,
    GP_CU_NO_BINARY_FOR_GPU = 209,
    GP_CU_INVALID_PTX = 218,
    GP_CU_UNSUPPORTED_PTX_VERSION = 222
};

/* CUdevice_attribute */
typedef unsigned int gp_cu_attribute;
enum {
    GP_CU_MULTIPROCESSOR_COUNT = 16,
    GP_CU_INTEGRATED = 18,
    GP_CU_COMPUTE_MODE = 20,
    GP_CU_COMPUTE_CAPABILITY_MAJOR = 75,
    GP_CU_COMPUTE_CAPABILITY_MINOR = 76,
    GP_CU_VIRTUAL_MEMORY_MANAGEMENT = 102
};

/* CUpointer_attribute */
typedef unsigned int gp_cu_pointer_attribute;
enum { GP_CU_POINTER_KIND = 2, GP_CU_POINTER_ORDINAL = 9 };

/* CUcomputemode */
enum { GP_CU_COMPUTEMODE_PROHIBITED = 2, GP_CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3 };

#endif
