#define _GNU_SOURCE /* sched_getaffinity */

#include "platform/gp_parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct part {
    gp_parallel_body body;
    void *context;
    size_t worker;
    size_t begin;
    size_t end;
    pthread_t thread;
    bool is_started;
} part;

static void *
run_part(void *argument)
{
    const part *own = argument;
    own->body(own->context, own->worker, own->begin, own->end);
    return NULL;
}

size_t
gp_parallel_workers(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    /* A container or taskset may allow fewer than there are. */
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) { count = CPU_COUNT(&allowed); }
#endif
    if (count < 1) { return 1; }
    return count < GP_MAX_WORKERS ? (size_t)count : GP_MAX_WORKERS;
}

void
gp_parallel(size_t count, size_t workers, gp_parallel_body body, void *context)
{
    part parts[GP_MAX_WORKERS];
    size_t used = workers < GP_MAX_WORKERS ? workers : GP_MAX_WORKERS;
    used = count < used ? count : used;
    for (size_t i = 0; i < used; i++) {
        size_t begin = gp_part_begin(count, used, i);
        size_t end = gp_part_begin(count, used, i + 1);
        parts[i] = (part){body, context, i, begin, end, 0, false};
    }
    /* The caller takes the last part, and those that nobody else could take. */
    for (size_t i = 0; i + 1 < used; i++) {
        parts[i].is_started = pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0;
    }
    for (size_t i = 0; i < used; i++) {
        if (!parts[i].is_started) { (void)run_part(&parts[i]); }
    }
    for (size_t i = 0; i < used; i++) {
        if (parts[i].is_started) { (void)pthread_join(parts[i].thread, NULL); }
    }
}
