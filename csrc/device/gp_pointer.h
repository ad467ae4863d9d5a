/* Whose memory an address is. The driver tells it of any address, whichever context is current, and
 * where none is. */
#ifndef GP_POINTER_H
#define GP_POINTER_H

#include "api/gp_cuda.h"

#include <stdbool.h>

/* The ordinal of the device. GP_CUDA 1 (invalid value): the address is none of CUDA's. */
gp_status gp_pointer_device(const gp_cuda *cu, gp_cu_deviceptr address, int *ordinal);

/* Whether it is memory of the host that the driver knows as pinned. */
bool gp_pointer_is_pinned(const gp_cuda *cu, const void *host);

#endif
