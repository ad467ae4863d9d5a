#include "gp_nvml_processes.h"

#include "base/gp_alloc.h"

#include <string.h>

enum {
    ENTRIES_AT_FIRST = 32,
    /* Larger than any form of an entry, so that a driver that writes too much stays inside. */
    ENTRY_ROOM = 32,
    /* Processes may start between two calls; a list that never fits has to end. */
    MOST_TRIES = 8
};

typedef enum activity { COMPUTES, DRAWS } activity;

/* What NVML gave: entries of one of two forms. */
typedef struct entries {
    unsigned char *bytes;
    unsigned int count;
    size_t size; /* of one */
} entries;

static gp_status
list_v2(const gp_nvml *nv, gp_nvml_device device, activity what, entries *found)
{
    void *room = found->bytes;
    found->size = sizeof(gp_nvml_process_v2);
    return what == COMPUTES ? GP_NVML_CALL(nv, nvmlDeviceGetComputeRunningProcesses_v2,
                                           (device, &found->count, room))
                            : GP_NVML_CALL(nv, nvmlDeviceGetGraphicsRunningProcesses_v2,
                                           (device, &found->count, room));
}

static gp_status
list_v1(const gp_nvml *nv, gp_nvml_device device, activity what, entries *found)
{
    void *room = found->bytes;
    found->size = sizeof(gp_nvml_process_v1);
    return what == COMPUTES ? GP_NVML_CALL(nv, nvmlDeviceGetComputeRunningProcesses,
                                           (device, &found->count, room))
                            : GP_NVML_CALL(nv, nvmlDeviceGetGraphicsRunningProcesses,
                                           (device, &found->count, room));
}

/* The answer is no list in a form that we know. */
static gp_status
not_understood(activity what)
{
    return what == COMPUTES ? gp_fail(GP_WRONG_RESULT, 0, "nvmlDeviceGetComputeRunningProcesses")
                            : gp_fail(GP_WRONG_RESULT, 0, "nvmlDeviceGetGraphicsRunningProcesses");
}

/* Asks with more and more room. On success the caller frees `bytes`. */
static gp_status
list_entries(const gp_nvml *nv, gp_nvml_device device, activity what, entries *found)
{
    gp_status st = gp_ok();
    unsigned int room = ENTRIES_AT_FIRST;
    for (int i = 0; i < MOST_TRIES; i++) {
        *found = (entries){gp_alloc(room, ENTRY_ROOM), room, 0};
        if (found->bytes == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_nvml_processes_read"); }
        st = list_v2(nv, device, what, found);
        if (st.kind == GP_SYMBOL_MISSING) { st = list_v1(nv, device, what, found); }
        if (!gp_failed(st) && found->count > room) { st = not_understood(what); }
        if (!gp_failed(st)) { return st; }
        gp_free(found->bytes);
        if (st.kind != GP_NVML || st.code != GP_NVML_ERROR_INSUFFICIENT_SIZE) { return st; }
        room = 2 * (found->count > room ? found->count : room);
    }
    return st;
}

static gp_nvml_process
entry_at(const entries *found, unsigned int at)
{
    gp_nvml_process_v1 entry; /* how the other form begins, too */
    memcpy(&entry, found->bytes + at * found->size, sizeof(entry));
    return (gp_nvml_process){.pid = entry.pid, .used = entry.used};
}

static bool
is_credible(const gp_nvml_process *process, unsigned long long most)
{
    bool fits = process->used == GP_NVML_VALUE_NOT_AVAILABLE || most == 0 || process->used <= most;
    return process->pid != 0 && fits;
}

static bool
is_listed(const gp_nvml_processes *processes, unsigned int pid)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (processes->list[i].pid == pid) { return true; }
    }
    return false;
}

static gp_status
add_entries(gp_nvml_processes *processes, const entries *found, activity what,
            unsigned long long most)
{
    if (found->count == 0) { return gp_ok(); }
    size_t size = (processes->count + found->count) * sizeof(*processes->list);
    gp_nvml_process *list = gp_realloc(processes->list, size);
    if (list == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_nvml_processes_read"); }
    processes->list = list;
    for (unsigned int i = 0; i < found->count; i++) {
        gp_nvml_process process = entry_at(found, i);
        if (!is_credible(&process, most)) { return not_understood(what); }
        if (!is_listed(processes, process.pid)) { list[processes->count++] = process; }
    }
    return gp_ok();
}

/* A product that only computes need not know of drawing. */
static gp_status
add_processes(const gp_nvml *nv, gp_nvml_device device, activity what, unsigned long long most,
              gp_nvml_processes *processes)
{
    entries found;
    gp_status st = list_entries(nv, device, what, &found);
    if (gp_failed(st)) {
        bool may_lack = what == DRAWS &&
                        (st.kind == GP_SYMBOL_MISSING || st.code == GP_NVML_ERROR_NOT_SUPPORTED);
        return may_lack ? gp_ok() : st;
    }
    st = add_entries(processes, &found, what, most);
    gp_free(found.bytes);
    return st;
}

static void
read_name(const gp_nvml *nv, gp_nvml_process *process)
{
    process->name_read = GP_NVML_CALL(nv, nvmlSystemGetProcessName,
                                      (process->pid, process->name, sizeof(process->name)));
    process->name[sizeof(process->name) - 1] = '\0';
}

void
gp_nvml_processes_read(const gp_nvml *nv, gp_nvml_device device, unsigned long long most,
                       gp_nvml_processes *processes)
{
    *processes = (gp_nvml_processes){NULL, 0, gp_ok()};
    gp_status st = add_processes(nv, device, COMPUTES, most, processes);
    if (!gp_failed(st)) { st = add_processes(nv, device, DRAWS, most, processes); }
    if (gp_failed(st)) {
        gp_nvml_processes_free(processes);
        processes->read = st;
        return;
    }
    for (size_t i = 0; i < processes->count; i++) {
        read_name(nv, &processes->list[i]);
    }
}

void
gp_nvml_processes_free(gp_nvml_processes *processes)
{
    gp_free(processes->list);
    processes->list = NULL;
    processes->count = 0;
}
