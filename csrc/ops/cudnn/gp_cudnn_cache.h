/* The plans of the latest problems: to make one asks cuDNN for its ranking, and may compile. */
#ifndef GP_CUDNN_CACHE_H
#define GP_CUDNN_CACHE_H

#include "gp_cudnn_plans.h"

/* A network of more different convolutions makes the plans of the oldest anew. */
enum { GP_CUDNN_MOST_PLANS = 256 };

typedef struct gp_cudnn_entry {
    gp_cudnn_problem problem;
    uint64_t used_at;
    gp_status verdict;    /* GP_OK, or GP_UNSUPPORTED: then there are no plans */
    gp_cudnn_plans plans; /* owned */
} gp_cudnn_entry;

typedef struct gp_cudnn_cache {
    uint64_t
        hashes[GP_CUDNN_MOST_PLANS]; /* of the entries' problems: side by side for the search */
    gp_cudnn_entry *entries[GP_CUDNN_MOST_PLANS]; /* owned, each by itself, so that none moves */
    size_t count;
    uint64_t clock; /* counts the look-ups */
    uint64_t misses;
} gp_cudnn_cache;

#define GP_CUDNN_CACHE_EMPTY ((gp_cudnn_cache){.count = 0})

/* The entry of the problem, or a new one in the place of the one that was not used for longest:
 * its plans are made here. It is the cache's until the next call. What fails in cuDNN is put into
 * words in `text`. */
gp_status gp_cudnn_cache_find(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
                              const gp_cudnn_problem *problem, int64_t most_workspace,
                              const gp_cudnn_entry **entry, char text[GP_CUDNN_TEXT_SIZE]);

/* Forgets all. */
void gp_cudnn_cache_free(gp_cudnn_cache *cache);

#endif
