/* Which devices the process sees, in which order: the driver's reading of CUDA_VISIBLE_DEVICES and
 * CUDA_DEVICE_ORDER. Written from the documentation and from what is reported of driver 525, apart
 * from gpuprobe's own predictor, so that the one can judge the other. */
#include "fake_cuda.h"

#include <stdlib.h>
#include <string.h>

typedef const fake_gpu *gpu_list[FAKE_MAX_GPUS];

/* The documented "simple heuristic" of FASTEST_FIRST is not published; assumed: more
 * multiprocessors are faster, and equal ones keep the order of the bus. */
static int
compare_speed(const void *left, const void *right)
{
    const fake_gpu *a = *(const fake_gpu *const *)left, *b = *(const fake_gpu *const *)right;
    return a->sms == b->sms ? fake_compare_pci(a, b) : (a->sms < b->sms) - (a->sms > b->sms);
}

static int
compare_bus(const void *left, const void *right)
{
    return fake_compare_pci(*(const fake_gpu *const *)left, *(const fake_gpu *const *)right);
}

/* All devices of the machine, in the order that integers count in. A lost one cannot be opened;
 * assumed: the driver leaves it out. */
static size_t
in_order(gpu_list out)
{
    const fake_scenario *machine = fake_machine();
    const char *order = getenv("CUDA_DEVICE_ORDER");
    const bool by_bus = order != NULL && strcmp(order, "PCI_BUS_ID") == 0;
    size_t count = 0;
    for (size_t i = 0; i < machine->gpu_count; i++) {
        if (!machine->gpus[i].lost) { out[count++] = &machine->gpus[i]; }
    }
    qsort(out, count, sizeof *out, by_bus ? compare_bus : compare_speed);
    return count;
}

/* strtol: leading blanks and a sign are taken, what follows the digits is not looked at. */
static const fake_gpu *
by_ordinal(const char *entry, gpu_list all, size_t count)
{
    char *end = NULL;
    const long ordinal = strtol(entry, &end, 10);
    return end != entry && ordinal >= 0 && (size_t)ordinal < count ? all[ordinal] : NULL;
}

/* The beginning of a UUID is enough where only one device has it. */
static const fake_gpu *
by_uuid(const char *entry, gpu_list all, size_t count)
{
    const fake_gpu *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(all[i]->uuid, entry, strlen(entry)) == 0) {
            if (found != NULL) { return NULL; }
            found = all[i];
        }
    }
    return found;
}

static bool
contains(gpu_list list, size_t count, const fake_gpu *gpu)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == gpu) { return true; }
    }
    return false;
}

/* The first entry that is invalid, or of another kind than the first, ends the list; a device that
 * is named twice leaves none at all. */
static size_t
select_devices(char *value, gpu_list all, size_t count, gpu_list out)
{
    const bool by_name = strncmp(value, "GPU-", 4) == 0;
    size_t selected = 0;
    for (char *entry = value, *next; entry != NULL; entry = next) {
        next = strchr(entry, ',');
        if (next != NULL) { *next++ = '\0'; }
        const bool is_name = strncmp(entry, "GPU-", 4) == 0;
        const fake_gpu *gpu = is_name ? by_uuid(entry, all, count) : by_ordinal(entry, all, count);
        if (gpu == NULL || is_name != by_name) { break; }
        if (contains(out, selected, gpu)) { return 0; }
        out[selected++] = gpu;
    }
    return selected;
}

size_t
fake_enumerate(const fake_gpu *devices[FAKE_MAX_GPUS])
{
    const char *value = getenv("CUDA_VISIBLE_DEVICES");
    if (value == NULL) { return in_order(devices); }
    gpu_list all;
    const size_t count = in_order(all);
    char *copy = strdup(value);
    if (copy == NULL) { fake_die("no memory for CUDA_VISIBLE_DEVICES"); }
    const size_t selected = select_devices(copy, all, count, devices);
    free(copy);
    return selected;
}
