/* Work on a range of rows, spread over the processors. */
#ifndef GP_PARALLEL_H
#define GP_PARALLEL_H

#include <stddef.h>

enum { GP_MAX_WORKERS = 16 };

/* One worker's part, begin <= i < end. `worker` is below the number of workers. */
typedef void (*gp_parallel_body)(void *context, size_t worker, size_t begin, size_t end);

/* How many processors this process may use, GP_MAX_WORKERS at most. */
size_t gp_parallel_workers(void);

/* Calls `body` on disjoint parts that make up 0 <= i < count, and returns when all are done. No
 * part is empty, and none larger than another one by more than 1. Where a thread cannot be started
 * its part is done by the caller, so this cannot fail. */
void gp_parallel(size_t count, size_t workers, gp_parallel_body body, void *context);

/* Where part `i` of `parts` begins; part `parts` would begin at the end. */
static inline size_t
gp_part_begin(size_t count, size_t parts, size_t i)
{
    size_t rest = count % parts; /* one each for the first parts */
    return count / parts * i + (i < rest ? i : rest);
}

#endif
