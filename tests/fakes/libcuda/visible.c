/* Which devices the process sees, in which order: the driver's reading of CUDA_VISIBLE_DEVICES and
 * CUDA_DEVICE_ORDER. Written from the documentation and from what is reported of driver 525, apart
 * from gpuprobe's own predictor, so that the one can judge the other. */
#include "fake_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_same(fake_seen a, fake_seen b)
{
    return a.gpu == b.gpu && a.mig == b.mig;
}

/* strtol: leading blanks and a sign are taken, what follows the digits is not looked at. */
static const fake_seen *
by_ordinal(const char *entry, const fake_seen *all, size_t count)
{
    char *end = NULL;
    const long ordinal = strtol(entry, &end, 10);
    return end != entry && ordinal >= 0 && (size_t)ordinal < count ? &all[ordinal] : NULL;
}

/* The beginning of a GPU's UUID is enough where only one has it. */
static const fake_seen *
by_uuid(const char *entry, const fake_seen *all, size_t count)
{
    const fake_seen *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (all[i].mig == NULL && strncmp(all[i].gpu->uuid, entry, strlen(entry)) == 0) {
            if (found != NULL) { return NULL; }
            found = &all[i];
        }
    }
    return found;
}

/* "MIG-<UUID>" whole, or in the form of R450 "MIG-<UUID of the GPU>/<instance>/<instance>", which
 * newer drivers are assumed to take, too. */
static const fake_seen *
by_mig(const char *entry, const fake_seen *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const fake_mig *mig = all[i].mig;
        if (mig == NULL) { continue; }
        char old[2 * FAKE_TEXT];
        (void)snprintf(old, sizeof old, "MIG-%s/%u/%u", all[i].gpu->uuid,
                       (unsigned)mig->gpu_instance, (unsigned)mig->compute_instance);
        if (strcmp(mig->uuid, entry) == 0 || strcmp(old, entry) == 0) { return &all[i]; }
    }
    return NULL;
}

typedef enum { BY_ORDINAL, BY_UUID, BY_MIG } entry_kind;

static entry_kind
kind_of(const char *entry)
{
    if (strncmp(entry, "GPU-", 4) == 0) { return BY_UUID; }
    return strncmp(entry, "MIG-", 4) == 0 ? BY_MIG : BY_ORDINAL;
}

static const fake_seen *
find(const char *entry, const fake_seen *all, size_t count)
{
    switch (kind_of(entry)) {
    case BY_UUID: return by_uuid(entry, all, count);
    case BY_MIG: return by_mig(entry, all, count);
    default: return by_ordinal(entry, all, count);
    }
}

/* Of the compute instances of one GPU instance a process sees one only. */
static bool
has_sibling(const fake_seen *list, size_t count, const fake_seen *seen)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].gpu == seen->gpu && list[i].mig != NULL && seen->mig != NULL &&
            list[i].mig->gpu_instance == seen->mig->gpu_instance) {
            return true;
        }
    }
    return false;
}

static bool
contains(const fake_seen *list, size_t count, const fake_seen *seen)
{
    for (size_t i = 0; i < count; i++) {
        if (is_same(list[i], *seen)) { return true; }
    }
    return false;
}

/* The first entry that is invalid, or of another kind than the first, ends the list; a device that
 * is named twice leaves none at all. */
static size_t
select_devices(char *value, const fake_seen *all, size_t count, fake_seen *out)
{
    const entry_kind kind = kind_of(value);
    size_t selected = 0;
    for (char *entry = value, *next; entry != NULL; entry = next) {
        next = strchr(entry, ',');
        if (next != NULL) { *next++ = '\0'; }
        const fake_seen *seen = find(entry, all, count);
        if (seen == NULL || kind_of(entry) != kind) { break; }
        if (contains(out, selected, seen)) { return 0; }
        if (!has_sibling(out, selected, seen)) { out[selected++] = *seen; }
    }
    return selected;
}

/* Before CUDA 12's rules an instance, once there is one, is all that a process sees. */
static size_t
cut_to_one(fake_seen *devices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (devices[i].mig != NULL) {
            devices[0] = devices[i];
            return 1;
        }
    }
    return count;
}

/* Without the variable: one compute instance of each GPU instance. */
static size_t
all_visible(const fake_seen *all, size_t count, fake_seen *out)
{
    size_t selected = 0;
    for (size_t i = 0; i < count; i++) {
        if (!has_sibling(out, selected, &all[i])) { out[selected++] = all[i]; }
    }
    return selected;
}

size_t
fake_enumerate(fake_seen devices[FAKE_MAX_SEEN])
{
    const char *value = getenv("CUDA_VISIBLE_DEVICES");
    fake_seen all[FAKE_MAX_SEEN];
    const size_t count = fake_list_all(all);
    size_t selected = 0;
    if (value == NULL) { selected = all_visible(all, count, devices); }
    else {
        char *copy = strdup(value);
        if (copy == NULL) { fake_die("no memory for CUDA_VISIBLE_DEVICES"); }
        selected = select_devices(copy, all, count, devices);
        free(copy);
    }
    return fake_sees_several_migs() ? selected : cut_to_one(devices, selected);
}
