/* Variables of NVIDIA's that make cuBLAS compute in another arithmetic than it was asked for. The
 * library reads them when it starts, and tells nobody. */
#ifndef GP_CUBLAS_OVERRIDES_H
#define GP_CUBLAS_OVERRIDES_H

#include "ops/gp_arithmetic.h"

#include "base/gp_status.h"
#include "platform/gp_settings.h"

typedef struct gp_cublas_overrides {
    unsigned int in_force; /* a bit for each row of the table */
} gp_cublas_overrides;

gp_cublas_overrides gp_cublas_overrides_of(const gp_settings *settings);

/* GP_UNSUPPORTED, with the reason: this arithmetic would be another one. */
gp_status gp_cublas_overrides_allow(gp_cublas_overrides overrides, const gp_arithmetic *arithmetic);

#endif
