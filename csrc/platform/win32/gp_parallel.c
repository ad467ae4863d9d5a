#include "platform/gp_parallel.h"

#include "gp_windows.h"

#include <process.h>
#include <stdint.h>

typedef struct part {
    gp_parallel_body body;
    void *context;
    size_t worker;
    size_t begin;
    size_t end;
    HANDLE thread; /* NULL: none could be started */
} part;

static unsigned int __stdcall run_part(void *argument)
{
    const part *own = argument;
    own->body(own->context, own->worker, own->begin, own->end);
    return 0;
}

size_t
gp_parallel_workers(void)
{
    DWORD_PTR allowed = 0;
    DWORD_PTR all = 0;
    size_t count = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all)) { return 1; }
    for (; allowed != 0; allowed &= allowed - 1) {
        count++;
    }
    if (count < 1) { return 1; }
    return count < GP_MAX_WORKERS ? count : GP_MAX_WORKERS;
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
        parts[i] = (part){body, context, i, begin, end, NULL};
    }
    /* The caller takes the last part, and those that nobody else could take. */
    for (size_t i = 0; i + 1 < used; i++) {
        parts[i].thread = (HANDLE)_beginthreadex(NULL, 0, run_part, &parts[i], 0, NULL);
    }
    for (size_t i = 0; i < used; i++) {
        if (parts[i].thread == NULL) { (void)run_part(&parts[i]); }
    }
    for (size_t i = 0; i < used; i++) {
        if (parts[i].thread == NULL) { continue; }
        (void)WaitForSingleObject(parts[i].thread, INFINITE);
        (void)CloseHandle(parts[i].thread);
    }
}
