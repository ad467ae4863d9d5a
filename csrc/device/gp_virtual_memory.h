/* Virtual memory management, as far as an arena needs it: memory of one device, for that device.
 * None of these calls needs a context. */
#ifndef GP_VIRTUAL_MEMORY_H
#define GP_VIRTUAL_MEMORY_H

#include "api/gp_cuda.h"

#include <stdbool.h>

/* Whether a failure of any of its functions says that there is none: by the code, or by lacking the
 * function. */
bool gp_virtual_memory_is_refused(gp_status st);

/* Whether device and driver say that they have it; `page` gets the bytes of a page then. That they
 * have not is no failure. */
gp_status
gp_virtual_memory_find(const gp_cuda *cu, gp_cu_device device, bool *is_there, size_t *page);

/* Puts new memory at reserved addresses and opens it to the device. Whole pages. A failure leaves
 * nothing behind. */
gp_status
gp_virtual_memory_map(const gp_cuda *cu, gp_cu_device device, gp_cu_deviceptr address, size_t size);

#endif
