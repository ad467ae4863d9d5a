/* Which of cuDNN's engines computes a graph: the first one of its own ranking whose arithmetic is
 * allowed, that can be made ready on this device, and whose workspace is not too large. */
#ifndef GP_CUDNN_CHOICE_H
#define GP_CUDNN_CHOICE_H

#include "gp_cudnn_bag.h"

typedef struct gp_cudnn_wish {
    gp_cudnn_handle handle;
    int64_t refused_notes;  /* GP_CUDNN_NOTE_BITs; a note that we do not know is refused, too */
    int64_t most_workspace; /* bytes */
} gp_cudnn_wish;

typedef struct gp_cudnn_plan {
    gp_cudnn_descriptor ready;
    int64_t workspace; /* bytes */
    int64_t engine;    /* cuDNN's number of it */
} gp_cudnn_plan;

/* The plan is held by the bag, and what it was made of. Where no engine will do, or the graph could
 * not be made, the bag's failure is GP_UNSUPPORTED with the reason, or what cuDNN said where it was
 * more than "not supported". */
void gp_cudnn_choose(gp_cudnn_bag *bag, gp_cudnn_descriptor graph, const gp_cudnn_wish *wish,
                     gp_cudnn_plan *plan);

#endif
