/* Chooses and loads one of the embedded kernel images, and finds the kernels in it. */
#ifndef GP_MODULE_H
#define GP_MODULE_H

#include "api/gp_cuda.h"
#include "kernels/images.h"

#include <stddef.h>

/* What decides which image runs. */
typedef struct gp_module_target {
    int capability;  /* 90 for compute capability 9.0 */
    int driver_cuda; /* as cuDriverGetVersion gives it: 12040 */
} gp_module_target;

/* GP_KERNEL_FILL_F32 and so on. */
typedef enum gp_kernel {
#define GP_KERNEL(constant, name) GP_KERNEL_##constant,
#include "kernels/gp_kernels.def"
#undef GP_KERNEL
    GP_KERNEL_COUNT
} gp_kernel;

typedef struct gp_module {
    const gp_cuda *cu;
    gp_cu_module handle;                       /* NULL: not loaded */
    const gp_image *image;                     /* the one that was loaded */
    gp_cu_function functions[GP_KERNEL_COUNT]; /* by gp_kernel, as long as it is loaded */
} gp_module;

/* The best image after `previous` (NULL: the best of all) that can run on the target, or NULL.
 * Machine code of the same major version comes before PTX, the closest capability first. */
const gp_image *gp_image_next(const gp_image *images, size_t count, gp_module_target target,
                              const gp_image *previous);

/* Loads the best image that the driver takes into the current context. An image that the driver
 * refuses as such is passed over; any other failure ends the search, and leaves nothing loaded.
 * All kernels are looked up here: a launch asks the driver for none, and what was loaded does not
 * change, so that any thread may use it. */
gp_status gp_module_load(const gp_cuda *cu, gp_module_target target, gp_module *module);

/* Does nothing if no module was loaded. */
gp_status gp_module_unload(gp_module *module);

#endif
