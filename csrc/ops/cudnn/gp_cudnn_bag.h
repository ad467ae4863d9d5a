/* Descriptors of cuDNN's graph interface that are made together and end together.
 *
 * The first call that fails is remembered, with cuDNN's own words, and what follows does nothing:
 * a graph is written down without a check at every line, and checked once, at its end. */
#ifndef GP_CUDNN_BAG_H
#define GP_CUDNN_BAG_H

#include "api/gp_cudnn.h"

enum { GP_CUDNN_TEXT_SIZE = 256 };

/* A failure: cuDNN keeps its words only until its next one on this thread. */
typedef struct gp_cudnn_failure {
    gp_status status;
    char text[GP_CUDNN_TEXT_SIZE]; /* "" where the failure is not cuDNN's */
} gp_cudnn_failure;

/* The failure that a call of cuDNN's on this thread has just returned; GP_OK is none. */
gp_cudnn_failure gp_cudnn_failure_of(const gp_cudnn *dnn, gp_status status);

typedef struct gp_cudnn_bag {
    const gp_cudnn *dnn;
    gp_cudnn_failure failure;
    gp_cudnn_descriptor *held; /* owned, and what it holds, too */
    size_t count;
    size_t capacity;
} gp_cudnn_bag;

/* Nothing is held yet. `dnn` must outlive the bag. */
void gp_cudnn_bag_begin(gp_cudnn_bag *bag, const gp_cudnn *dnn);

/* A new descriptor, which the bag holds. After a failure NULL. */
gp_cudnn_descriptor gp_cudnn_make(gp_cudnn_bag *bag, gp_cudnn_kind kind);

/* Sets an attribute to `count` values of the type. */
void gp_cudnn_set(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
                  gp_cudnn_type type, int64_t count, const void *values);

/* The same with a single value. */
void gp_cudnn_set_int64(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor,
                        gp_cudnn_attribute attribute, int64_t value);
void gp_cudnn_set_enum(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor,
                       gp_cudnn_attribute attribute, gp_cudnn_type type, unsigned int value);
void gp_cudnn_set_descriptor(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor,
                             gp_cudnn_attribute attribute, gp_cudnn_descriptor value);
void gp_cudnn_set_handle(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor,
                         gp_cudnn_attribute attribute, gp_cudnn_handle handle);

void gp_cudnn_finalize(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor);

/* Reads up to `capacity` values, and how many there are; 0 after a failure. */
int64_t
gp_cudnn_get(gp_cudnn_bag *bag, gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
             gp_cudnn_type type, int64_t capacity, void *values);

/* Queues a plan on the handle's stream. */
void gp_cudnn_execute(gp_cudnn_bag *bag, gp_cudnn_handle handle, gp_cudnn_descriptor plan,
                      gp_cudnn_descriptor pack);

bool gp_cudnn_has_failed(const gp_cudnn_bag *bag);

/* Ends what was made since the bag held `count`, and forgets a failure. */
void gp_cudnn_rewind(gp_cudnn_bag *bag, size_t count);

/* Ends all. */
void gp_cudnn_bag_free(gp_cudnn_bag *bag);

#endif
