/* Copies between host memory and a device, within a device and between two, and the order between
 * two streams. The context is made current for the call alone. */
#ifndef GP_COPY_H
#define GP_COPY_H

#include "device/gp_context.h"

#include <stddef.h>

/* Both copy after what the stream was given before, and wait: afterwards the host memory, pinned or
 * not, is the caller's again. A failure leaves the target unspecified. GP_CAPTURE, here and below:
 * the stream is under capture, and nothing was done. */
gp_status gp_copy_to_device(const gp_context *context, gp_cu_deviceptr to, const void *from,
                            size_t size, gp_cu_stream stream);
gp_status gp_copy_to_host(const gp_context *context, void *to, gp_cu_deviceptr from, size_t size,
                          gp_cu_stream stream);

/* `planes` times `count` pieces of `width` bytes. In a plane their beginnings are `pitch` bytes
 * apart; from one plane to the next it is `height` times as far. */
typedef struct gp_rows {
    size_t planes;
    size_t count;
    size_t width;
    size_t pitch;  /* of more than one: width <= pitch < 2^31, which every device takes */
    size_t height; /* count <= height */
} gp_rows;

/* Memory of one device and the stream that it is used on. */
typedef struct gp_copy_end {
    const gp_context *context;
    gp_cu_deviceptr address;
    gp_cu_stream stream;
} gp_copy_end;

/* Copies rows that lie apart to where they lie end to end: to the host, waiting as above; or within
 * the device, queued on the stream of `to` after what both streams were given before. What they are
 * given afterwards waits for it. */
gp_status gp_copy_rows_to_host(const gp_context *context, void *to, gp_cu_deviceptr from,
                               gp_rows rows, gp_cu_stream stream);
gp_status gp_copy_rows(gp_copy_end to, gp_copy_end from, gp_rows rows);

/* Copies to another device, after what both streams were given before, and waits. The driver finds
 * the way, also where neither device can reach the other's memory. */
gp_status gp_copy_to_peer(gp_copy_end to, gp_copy_end from, size_t size);

/* What `later` is given from now on waits for what `earlier` has been given. The host does not.
 * Where `earlier` is under capture `later` becomes a part of it. */
gp_status gp_stream_follow(const gp_context *context, gp_cu_stream later, gp_cu_stream earlier);

/* The same for memory of `owner` that `guest` was given work on: after a failure the host has
 * waited for `guest`, as far as the driver let it, so that the memory is the owner's again. */
gp_status gp_stream_give_back(const gp_context *context, gp_cu_stream owner, gp_cu_stream guest);

#endif
