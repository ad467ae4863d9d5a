#include "order.h"
#include "pinned.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct fake_lane {
    fake_clock clock;
    CUdevice device;
    bool is_blocking;
} fake_lane;

/* One access: `tick` counts the pieces of work of its lane. */
typedef struct memory_use {
    struct memory_use *next;
    const char *begin;
    size_t bytes;
    size_t lane;
    uint64_t tick;
    bool writes;
} memory_use;

static fake_lane lanes[FAKE_MAX_LANES]; /* all under `lock` */
static size_t lane_count = FAKE_MAX_SEEN;
static fake_clock host;
static memory_use *uses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
join(fake_clock *clock, const fake_clock *other)
{
    for (size_t i = 0; i < lane_count; i++) {
        if (other->at[i] > clock->at[i]) { clock->at[i] = other->at[i]; }
    }
}

static bool
is_default(size_t lane)
{
    return lane < FAKE_MAX_SEEN;
}

static CUdevice
device_of(size_t lane)
{
    return is_default(lane) ? (CUdevice)lane : lanes[lane].device;
}

size_t
fake_order_lane(CUdevice device, bool is_blocking)
{
    pthread_mutex_lock(&lock);
    if (lane_count == FAKE_MAX_LANES) { fake_die("more streams than are modelled"); }
    const size_t made = lane_count++;
    lanes[made].device = device;
    lanes[made].is_blocking = is_blocking;
    pthread_mutex_unlock(&lock);
    return made;
}

/* The default stream and the blocking ones of its device wait for each other. */
static bool
waits_for(size_t lane, size_t other)
{
    if (device_of(lane) != device_of(other)) { return false; }
    return (is_default(lane) && lanes[other].is_blocking) ||
           (lanes[lane].is_blocking && is_default(other));
}

static void
gather(size_t lane)
{
    fake_clock *clock = &lanes[lane].clock;
    join(clock, &host);
    for (size_t i = 0; i < lane_count; i++) {
        if (waits_for(lane, i)) { join(clock, &lanes[i].clock); }
    }
}

void
fake_order_work(size_t lane)
{
    pthread_mutex_lock(&lock);
    gather(lane);
    lanes[lane].clock.at[lane]++;
    pthread_mutex_unlock(&lock);
}

static bool
overlaps(const memory_use *use, const char *begin, size_t bytes)
{
    return use->begin < begin + bytes && begin < use->begin + use->bytes;
}

static bool
is_within(const memory_use *use, const char *begin, size_t bytes)
{
    return begin <= use->begin && use->begin + use->bytes <= begin + bytes;
}

/* Whoever meets the earlier use meets the new one as well: reads of one stream, too, come one after
 * the other, and a program may read the same array for ever. */
static bool
is_replaced(const memory_use *use, size_t lane, const char *begin, size_t bytes, bool writes)
{
    return is_within(use, begin, bytes) && (writes || (!use->writes && use->lane == lane));
}

void
fake_order_use(size_t lane, const void *begin, size_t bytes, bool writes)
{
    memory_use *made = malloc(sizeof *made);
    if (made == NULL) { fake_die("no memory to remember what was used"); }
    pthread_mutex_lock(&lock);
    const fake_clock *now = &lanes[lane].clock;
    memory_use **link = &uses;
    while (*link != NULL) {
        memory_use *use = *link;
        const bool meets = overlaps(use, begin, bytes) && (writes || use->writes);
        if (meets && use->tick > now->at[use->lane]) {
            fake_die("memory at %p is used on one stream before another has done with it", begin);
        }
        if (is_replaced(use, lane, begin, bytes, writes)) {
            *link = use->next;
            free(use);
        }
        else {
            link = &use->next;
        }
    }
    *made = (memory_use){uses, begin, bytes, lane, now->at[lane], writes};
    uses = made;
    pthread_mutex_unlock(&lock);
}

void
fake_order_end(const char *call, const void *begin, size_t bytes)
{
    pthread_mutex_lock(&lock);
    memory_use **link = &uses;
    while (*link != NULL) {
        memory_use *use = *link;
        if (!overlaps(use, begin, bytes)) {
            link = &use->next;
            continue;
        }
        if (use->tick > host.at[use->lane]) {
            fake_die("%s: a stream may still be using the memory at %p", call, begin);
        }
        *link = use->next;
        free(use);
    }
    pthread_mutex_unlock(&lock);
}

fake_clock
fake_order_now(size_t lane)
{
    pthread_mutex_lock(&lock);
    gather(lane);
    const fake_clock now = lanes[lane].clock;
    pthread_mutex_unlock(&lock);
    return now;
}

bool
fake_order_is_done(const fake_clock *clock)
{
    bool is_done = true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < lane_count; i++) {
        is_done = is_done && clock->at[i] <= host.at[i];
    }
    pthread_mutex_unlock(&lock);
    return is_done;
}

void
fake_order_tell_host(const fake_clock *clock)
{
    pthread_mutex_lock(&lock);
    join(&host, clock);
    pthread_mutex_unlock(&lock);
    fake_pinned_settle();
}

void
fake_order_tell_lane(size_t lane, const fake_clock *clock)
{
    pthread_mutex_lock(&lock);
    join(&lanes[lane].clock, clock);
    pthread_mutex_unlock(&lock);
}

void
fake_order_wait_device(CUdevice device)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < lane_count; i++) {
        if (device_of(i) == device) { join(&host, &lanes[i].clock); }
    }
    pthread_mutex_unlock(&lock);
    fake_pinned_settle();
}
