/* How every function that can fail says so: what kind of failure, the native code, and the name
 * of the call that failed. A status is a value: nothing to free, nothing shared. */
#ifndef GP_STATUS_H
#define GP_STATUS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum gp_kind {
    GP_OK,
    GP_BAD_ARGUMENT,
    GP_NO_MEMORY,
    GP_OS,
    GP_LIBRARY_MISSING,
    GP_SYMBOL_MISSING,
    GP_CUDA,
    GP_NVML,
    GP_NO_IMAGE,
    GP_WRONG_RESULT,
    GP_LIMIT, /* a limit that the caller has set */
    GP_CUBLAS,
    GP_CUDNN,
    GP_CAPTURE,    /* `call` was not made: it would have broken the capture of a CUDA graph */
    GP_UNSUPPORTED /* a back end cannot do it, another may: `call` is the reason, in words */
} gp_kind;

typedef struct gp_status {
    gp_kind kind;
    int code;         /* the vendor's or the system's number; 0 where the kind has none */
    const char *call; /* static string: the call that failed; NULL only when kind is GP_OK */
} gp_status;

gp_status gp_ok(void);

/* There is no way to make a failure without the name of its call. `call` must be static. */
gp_status gp_fail(gp_kind kind, int code, const char *call);

bool gp_failed(gp_status status);

/* The failure that came first, so that an error of the clean-up never hides its cause. */
gp_status gp_first_error(gp_status first, gp_status later);

/* The word for a kind in the probe's JSON: "cuda", "library", "no-image" … */
const char *gp_kind_name(gp_kind kind);

/* The vendor's constant, e.g. "CUDA_ERROR_NO_DEVICE"; NULL for a code that our table lacks. */
const char *gp_cuda_error_name(int code);
const char *gp_nvml_error_name(int code);
const char *gp_cublas_error_name(int code);
const char *gp_cudnn_error_name(int code);

/* Whether CUDA is lost to this process: every call fails from now on. */
bool gp_is_sticky(gp_status status);

#define GP_STATUS_NAME_SIZE 64

/* Writes the name of the code, or "CUDA error 12345" where no table has one. Returns false and
 * writes "" for kinds without native names (a missing library, no memory …). */
bool gp_status_name(gp_status status, char name[GP_STATUS_NAME_SIZE]);

#endif
