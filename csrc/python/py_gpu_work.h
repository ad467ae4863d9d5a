/* What products and convolutions in an arena's memory share: their arrays, the order of streams,
 * who computes, and how Python is told. */
#ifndef PY_GPU_WORK_H
#define PY_GPU_WORK_H

#include "py_arena.h"
#include "py_device_tensor.h"

enum { GPU_WORK_INPUTS = 3 };

/* The arrays of one call. */
typedef struct gpu_operands {
    const char *call; /* its name, for messages */
    const device_tensor *inputs[GPU_WORK_INPUTS];
    int count;
    const device_tensor *result; /* set last */
} gpu_operands;

/* Who can do it, by the name that Python gives; NULL after the last. */
typedef struct gpu_backend {
    const char *name;
    gp_work work;
} gpu_backend;

/* NULL with ValueError where there is none of that name. */
gp_work gpu_find_work(const gpu_backend *backends, PyObject *py_name);

/* The arithmetic of that name; NULL with ValueError. */
const gp_arithmetic *gpu_find_arithmetic(PyObject *py_name);

/* Where the library of a back end is, for the call that may have to open it. */
typedef struct gpu_library {
    const gp_toolkit_place *place; /* NULL: it was opened before, or cannot be */
    bool is_settled;               /* gp_backends_is_final; set by the work itself */
    gp_toolkit_place found;
    gp_settings settings;
    PyObject *py_path; /* a reference, or NULL */
} gpu_library;

/* Where it is wanted: reads the settings, and asks `py_find`, by the back end's name, for a path,
 * or None. Returns -1 with an exception, and nothing to end. */
int gpu_find_library(bool is_wanted, PyObject *py_find, PyObject *py_name, gpu_library *library);

void gpu_end_library(gpu_library *library);

/* The items of a tuple of `least` to `most`, NULL for those that are not there; borrowed. `name` is
 * for the message. Returns -1 with TypeError. */
int gpu_read_tuple(PyObject *py_tuple, const char *name, int least, int most, PyObject **py_items);

/* Adds an input. Returns its tensor, or NULL with TypeError, or with ValueError where the array is
 * on another GPU than the arena. */
const gp_tensor *
gpu_add_input(arena_object *arena, PyObject *py_array, const char *name, gpu_operands *arrays);

/* A new reference to the result: `py_out`, or an array like the first input where this is None, of
 * the type and shape that are expected. NULL with ArenaFull; or, where `py_out` cannot be written,
 * TypeError or ValueError. Sets the strides that are expected. */
PyObject *gpu_set_result(arena_object *arena, PyObject *py_out, PyObject *py_dtype,
                         gp_tensor *expected, gpu_operands *arrays);

/* Where the back end that computes tells of it; NULL: it is another one. */
typedef struct gpu_told {
    const gp_cudnn_told *cudnn;
    const gp_cublas_told *cublas;
    const gp_text *loader; /* why the library cannot be opened */
} gpu_told;

/* Queues the work on the result's stream, in order with the streams of its inputs. Takes the
 * reference to the result, also where it fails. Returns the result, or, timed, (result,
 * (submit s, kernel s, algorithm)); NULL with ArenaError. */
PyObject *gpu_run(arena_object *arena, gp_work work, const void *what, const gpu_operands *arrays,
                  bool is_timed, const gpu_told *told);

#endif
