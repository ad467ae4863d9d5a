/* The streams that use an arena, and how far each that has a lane of its own has come: an event
 * recorded on the stream says that all work given to it up to that moment is done. */
#ifndef GP_FENCES_H
#define GP_FENCES_H

#include "api/gp_cuda.h"
#include "device/gp_lanes.h"

typedef struct gp_fence {
    gp_cu_stream stream;
    gp_cu_event event; /* owned; NULL: none made yet */
    uint64_t moment;   /* when it was recorded */
    bool is_taken;     /* the lane belongs to `stream` */
    bool is_set;       /* the event was recorded, and is not known to have passed */
} gp_fence;

typedef struct gp_fences {
    const gp_cuda *cu;
    gp_fence lanes[GP_CROWD_LANE];
} gp_fences;

/* The functions that record, ask or wait need the device's context to be current. */

/* The lane of a stream; false where it has none. */
bool gp_fences_find(const gp_fences *fences, gp_cu_stream stream, unsigned int *lane);

/* Gives a lane to a stream that has none: a new one, or that of a stream that is not in `in_use`;
 * false where all are in use. */
bool gp_fences_join(gp_fences *fences, gp_cu_stream stream, gp_lanes in_use, unsigned int *lane);

/* Records now, unless an earlier record has not passed yet, or the stream is under capture. */
gp_status gp_fences_set(gp_fences *fences, unsigned int lane, uint64_t moment);

/* Whether there is a record, and it has passed. Waits for nobody. */
gp_status gp_fences_ask(gp_fences *fences, unsigned int lane, bool *has_passed);

/* Records anew and waits for the stream; GP_CAPTURE where that is under capture. */
gp_status gp_fences_wait(gp_fences *fences, unsigned int lane, uint64_t moment);

/* GP_CAPTURE where the host cannot wait for the whole context: the stream of one of `lanes` is
 * under capture, or a blocking one that is in none. */
gp_status gp_fences_check(const gp_fences *fences, gp_lanes lanes);

/* The stream is about to end; its lane is free for another. */
void gp_fences_leave(gp_fences *fences, unsigned int lane);

/* Releases all events. */
gp_status gp_fences_close(gp_fences *fences);

#endif
