/* What is known to have happened before what. The fakes do all work at once, so a program that
 * uses memory before another stream has done with it would get the right bytes here and wrong ones
 * on a GPU. Each stream has a clock, and so has the host; an access that no event and no wait puts
 * behind an earlier one of another stream ends the process. */
#ifndef FAKE_ORDER_H
#define FAKE_ORDER_H

#include "fake_cuda.h"

/* The first FAKE_MAX_SEEN lanes are the devices' default streams; the others are made one by one
 * and never used again, so that no stream inherits what another one knew. */
enum { FAKE_MAX_LANES = FAKE_MAX_SEEN + 176 };

/* For each lane, up to which of its pieces of work. */
typedef struct fake_clock {
    uint64_t at[FAKE_MAX_LANES];
} fake_clock;

/* A new lane for a stream of this device; a blocking one waits for the default stream, and the
 * default stream for it. */
size_t fake_order_lane(CUdevice device, bool is_blocking);

/* The lane of a stream; NULL: the default stream of the current context. */
size_t fake_lane_of(CUstream stream);

/* A piece of work begins on the lane. */
void fake_order_work(size_t lane);

/* The work that has just begun on the lane touches these bytes. */
void fake_order_use(size_t lane, const void *begin, size_t bytes, bool writes);

/* The bytes go away: the host has to know that all work on them is done. */
void fake_order_end(const char *call, const void *begin, size_t bytes);

/* All that the lane has been given so far, and whether the host knows it to be done. */
fake_clock fake_order_now(size_t lane);
bool fake_order_is_done(const fake_clock *clock);

/* From now on the host, or what is given to the lane later, comes after that moment. */
void fake_order_tell_host(const fake_clock *clock);
void fake_order_tell_lane(size_t lane, const fake_clock *clock);

/* The host has waited for everything on the device. */
void fake_order_wait_device(CUdevice device);

#endif
