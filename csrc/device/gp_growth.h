/* How much memory an arena takes from its device, and when: arithmetic alone. */
#ifndef GP_GROWTH_H
#define GP_GROWTH_H

#include <stddef.h>

/* One arena grows on demand (initial = 0), is filled at once (initial > 0), or has a hard limit
 * (below the device's memory), or both. All in bytes. */
typedef struct gp_growth {
    size_t initial; /* taken when the arena begins */
    size_t limit;   /* never holds more */
    size_t chunk;   /* takes at least this at a time, as far as the limit goes */
} gp_growth;

/* What somebody wants. */
typedef struct gp_growth_wish {
    double fraction; /* of the free memory, to be taken at once; 0: grow on demand */
    size_t limit;    /* bytes; 0: none but the device's memory */
} gp_growth_wish;

/* Small requests share a step of 32 MiB; no step is larger than 1 GiB unless one request is. */
#define GP_GROWTH_CHUNK     ((size_t)32 << 20)
#define GP_GROWTH_MOST_STEP ((size_t)1 << 30)

/* Left free by a preallocation: the libraries load their kernels late, and beside the arena. */
#define GP_GROWTH_HEADROOM ((size_t)64 << 20)

/* `size` rounded up to whole pages, a power of two or not; 0 where that is more than size_t. */
size_t gp_round_up(size_t size, size_t page);

/* initial = fraction * free, at most free - GP_GROWTH_HEADROOM and at most the limit; whole pages.
 */
gp_growth gp_growth_plan(gp_growth_wish wish, size_t free_bytes, size_t total_bytes, size_t page);

/* max(want, min(max(chunk, held / 4), GP_GROWTH_MOST_STEP)), cut to what the limit leaves; 0 where
 * it leaves less than `want`. `want` is in whole pages, and so is the answer. */
size_t gp_growth_step(gp_growth growth, size_t held, size_t want, size_t page);

/* The next try after the device refused `step`: half of it, not less than `want`. */
size_t gp_growth_smaller(size_t step, size_t want, size_t page);

#endif
