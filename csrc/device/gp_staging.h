/* Copies of large host memory that the driver has not pinned, through two pinned pieces: while the
 * device copies one, the host fills or empties the other. Small and pinned memory is copied as it
 * is, and so is everything where another thread is using the pieces or there is no memory to pin.
 * Whether that pays was not measured on a GPU yet. */
#ifndef GP_STAGING_H
#define GP_STAGING_H

#include "device/gp_context.h"
#include "platform/gp_mutex.h"

#include <stdbool.h>

/* Bytes of a piece; larger copies go through them. */
#define GP_STAGING_PIECE ((size_t)4 << 20)

typedef struct gp_staging_piece {
    void *memory;       /* owned, pinned; NULL: none yet */
    gp_cu_event passed; /* owned; the last copy of the piece */
} gp_staging_piece;

/* All zero but the first two members at first. */
typedef struct gp_staging {
    const gp_context *context; /* the owner's, like the lock; both outlive this */
    gp_mutex *mutex;           /* over `is_taken` */
    bool is_taken;             /* stays true where nobody knows whether the device has done */
    gp_staging_piece pieces[2];
} gp_staging;

/* As gp_copy_to_device and gp_copy_to_host. */
gp_status gp_staging_to_device(gp_staging *staging, gp_cu_deviceptr to, const void *from,
                               size_t size, gp_cu_stream stream);
gp_status gp_staging_to_host(gp_staging *staging, void *to, gp_cu_deviceptr from, size_t size,
                             gp_cu_stream stream);

/* Gives the pieces back. The device has done all its work, and its context is current. */
gp_status gp_staging_close(gp_staging *staging);

#endif
