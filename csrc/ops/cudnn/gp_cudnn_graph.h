/* A problem written down as a graph of cuDNN's operations. */
#ifndef GP_CUDNN_GRAPH_H
#define GP_CUDNN_GRAPH_H

#include "gp_cudnn_bag.h"
#include "gp_cudnn_problem.h"

typedef enum gp_cudnn_graph {
    GP_CUDNN_GRAPH_CONV,      /* y = x * w */
    GP_CUDNN_GRAPH_CONV_BIAS, /* y = x * w + bias; the product is never stored */
    GP_CUDNN_GRAPH_BIAS       /* y = y + bias, in place: GP_CUDNN_UID_SUM is y's memory, too */
} gp_cudnn_graph;

/* By which a call names a tensor's memory: 1 + its gp_cudnn_place, and one more. */
enum { GP_CUDNN_UID_SUM = GP_CUDNN_PLACES + 1 };

#define GP_CUDNN_UID(place) ((int64_t)(place) + 1)

/* The finalized graph, held by the bag with all that it is made of. After a failure NULL. */
gp_cudnn_descriptor gp_cudnn_graph_make(gp_cudnn_bag *bag, gp_cudnn_handle handle,
                                        const gp_cudnn_problem *problem, gp_cudnn_graph graph);

#endif
