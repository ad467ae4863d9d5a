/* Copies between host memory and a device, and the order between two streams. The context is made
 * current for the call alone. */
#ifndef GP_COPY_H
#define GP_COPY_H

#include "device/gp_context.h"

#include <stddef.h>

/* Both copy after what the stream was given before, and wait: afterwards the host memory, pinned or
 * not, is the caller's again. A failure leaves the target unspecified. */
gp_status gp_copy_to_device(const gp_context *context, gp_cu_deviceptr to, const void *from,
                            size_t size, gp_cu_stream stream);
gp_status gp_copy_to_host(const gp_context *context, void *to, gp_cu_deviceptr from, size_t size,
                          gp_cu_stream stream);

/* What `later` is given from now on waits for what `earlier` has been given. The host does not. */
gp_status gp_stream_follow(const gp_context *context, gp_cu_stream later, gp_cu_stream earlier);

#endif
