/* Device memory for many small owners, taken from the device in few large steps: grows on demand,
 * is filled at once, or has a hard limit (gp_growth.h).
 *
 * Blocks are handed out in stream order. What a stream freed it may have again at once; another
 * stream gets it when an event shows that the first one has done with it. Of more streams than
 * gp_lanes.h has lanes, those that come last share one: what they freed comes back only when the
 * host has waited for the whole context. The addresses of a block
 * belong to the caller's streams: the arena never reads or writes them.
 *
 * A stream whose work is captured into a CUDA graph may have blocks like any other. What it frees
 * waits for the end of the capture, and the arena does nothing that would break it (gp_capture.h).
 * Memory that a graph uses has to be kept for as long as the graph is run.
 *
 * Every function may be called on any thread, with any context current, and leaves that context as
 * it was; none may be called from a host function of a stream, which may not call the driver. A
 * caller that holds the GIL drops it first: the arena waits for its lock, and at the limit for the
 * device. Those that do it at once do not wait and call no driver: they may be called with it. */
#ifndef GP_ARENA_H
#define GP_ARENA_H

#include "device/gp_backing.h"
#include "device/gp_blocks.h"
#include "device/gp_context.h"
#include "device/gp_fences.h"
#include "device/gp_growth.h"
#include "device/gp_staging.h"
#include "platform/gp_mutex.h"

/* All in bytes, but the counts. */
typedef struct gp_arena_stats {
    const char *backing; /* static: how it gets memory, gp_backing_name */
    size_t limit;
    size_t in_use;
    size_t in_use_peak;
    size_t reserved; /* taken from the device, in use or not */
    size_t reserved_peak;
    size_t largest_free; /* block; a stream may still be working on it */
    size_t blocks;       /* in use */
    size_t allocations;
    size_t frees;
    size_t growths;
    size_t growth_bytes;
    size_t shrinks;
    size_t retries; /* smaller steps after the device refused one */
    size_t shortages;
} gp_arena_stats;

/* Why an allocation did not find its memory. */
typedef struct gp_shortage {
    gp_status why; /* GP_OK: no shortage; GP_LIMIT: the arena's own limit; GP_CUDA 2: the device */
    size_t asked;
    size_t limit;
    size_t in_use;
    size_t reserved;
    size_t largest_free;
    size_t device_free; /* both known only if `device_read` is a success */
    size_t device_total;
    gp_status device_read;
} gp_shortage;

typedef struct gp_arena {
    gp_context context;
    gp_mutex *mutex; /* over everything below */
    gp_growth growth;
    gp_backing backing;
    gp_blocks blocks;
    gp_fences fences;
    uint64_t moment; /* counts the frees */
    gp_arena_stats stats;
    gp_staging staging; /* of copies between this memory and the host's */
} gp_arena;

/* Begins an arena on a device of an initialised driver: retains its primary context, and takes what
 * the wish wants taken at once. Fills `shortage` where that is more than there is. A failure leaves
 * nothing behind. `arena` must not move afterwards. */
gp_status gp_arena_open(const gp_cuda *cu, gp_cu_device device, gp_growth_wish wish,
                        gp_arena *arena, gp_shortage *shortage);

/* Waits for the device, gives all memory back, used blocks too, and releases the context. A driver
 * that has ended before is no failure. Nobody else may be using the arena. */
gp_status gp_arena_close(gp_arena *arena);

/* Whether a failure says that memory is short: GP_LIMIT, or GP_CUDA 2 (out of memory). */
bool gp_arena_is_shortage(gp_status st);

/* A block of at least `size` bytes for work on `stream`; 0 gets an address of its own, too. Where
 * memory is short `shortage` says why, and only then. */
gp_status gp_arena_alloc(gp_arena *arena, size_t size, gp_cu_stream stream, gp_block **block,
                         gp_shortage *shortage);

/* The same where a free block of the stream fits, and nobody else is in the arena; else NULL, which
 * says nothing. */
gp_block *gp_arena_alloc_at_once(gp_arena *arena, size_t size, gp_cu_stream stream);

/* Gives a block back once the streams that use it were given their work. Calls no driver and cannot
 * fail, so it may run in any destructor, also while the process ends. */
void gp_arena_free(gp_arena *arena, gp_block *block);

/* The same where nobody else is in the arena; else false, and the block is as it was. */
bool gp_arena_free_at_once(gp_arena *arena, gp_block *block);

/* Another stream works on the block, too. */
gp_status gp_arena_share(gp_arena *arena, gp_block *block, gp_cu_stream stream);

/* To be called before a stream that used the arena is destroyed: waits for its work, unless the
 * arena knows it as one of many that share a lane; GP_CAPTURE where it is under capture. The driver
 * may give the next stream the same handle. */
gp_status gp_arena_forget(gp_arena *arena, gp_cu_stream stream);

/* Waits for all work in the device's context, whoever in the process gave it, and holds nobody else
 * up. GP_CAPTURE: that would break a capture; nothing waited. */
gp_status gp_arena_synchronize(gp_arena *arena);

/* Gives free memory back to the device until no more than `keep` bytes are reserved, or no more can
 * be given: of virtual memory only whole segments at its end. Waits for streams that still work on
 * free blocks. `freed` gets the bytes. */
gp_status gp_arena_trim(gp_arena *arena, size_t keep, size_t *freed);

void gp_arena_stats_read(gp_arena *arena, gp_arena_stats *stats);

/* Peaks begin anew at what is in use and reserved now. */
void gp_arena_reset_peak(gp_arena *arena);

#endif
