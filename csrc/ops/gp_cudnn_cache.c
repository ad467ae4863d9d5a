#include "gp_cudnn_cache.h"

#include "base/gp_alloc.h"

#include <string.h>

gp_status
gp_cudnn_cache_open(gp_cudnn_cache *cache)
{
    *cache = (gp_cudnn_cache){.count = 0};
    cache->entries = gp_alloc(GP_CUDNN_MOST_PLANS, sizeof(gp_cudnn_entry *));
    return cache->entries == NULL ? gp_fail(GP_NO_MEMORY, 0, "gp_cudnn_cache_open") : gp_ok();
}

static gp_cudnn_entry *
look_up(const gp_cudnn_cache *cache, const gp_cudnn_problem *problem)
{
    for (size_t i = 0; i < cache->count; i++) {
        gp_cudnn_entry *entry = cache->entries[i];
        if (memcmp(&entry->problem, problem, sizeof(*problem)) == 0) { return entry; }
    }
    return NULL;
}

static void
free_entry(gp_cudnn_entry *entry)
{
    if (!gp_failed(entry->verdict)) { gp_cudnn_plans_free(&entry->plans); }
    gp_free(entry);
}

static void
keep(gp_cudnn_cache *cache, gp_cudnn_entry *entry)
{
    if (cache->count < GP_CUDNN_MOST_PLANS) {
        cache->entries[cache->count++] = entry;
        return;
    }
    size_t oldest = 0;
    for (size_t i = 1; i < cache->count; i++) {
        if (cache->entries[i]->used_at < cache->entries[oldest]->used_at) { oldest = i; }
    }
    free_entry(cache->entries[oldest]);
    cache->entries[oldest] = entry;
}

/* That no engine will do is worth remembering, too; any other failure may not come again. */
static gp_cudnn_failure
make_entry(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
           const gp_cudnn_problem *problem, int64_t most_workspace, gp_cudnn_entry **made)
{
    gp_cudnn_entry *entry = gp_alloc(1, sizeof(*entry));
    if (entry == NULL) {
        return (gp_cudnn_failure){.status = gp_fail(GP_NO_MEMORY, 0, "gp_cudnn_cache_find")};
    }
    cache->misses++;
    entry->problem = *problem;
    gp_cudnn_failure failure =
        gp_cudnn_plans_make(dnn, handle, problem, most_workspace, &entry->plans);
    entry->verdict = failure.status;
    if (gp_failed(failure.status) && failure.status.kind != GP_UNSUPPORTED) {
        gp_free(entry);
        return failure;
    }
    keep(cache, entry);
    *made = entry;
    return failure;
}

gp_cudnn_failure
gp_cudnn_cache_find(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
                    const gp_cudnn_problem *problem, int64_t most_workspace,
                    const gp_cudnn_entry **entry)
{
    gp_cudnn_entry *found = look_up(cache, problem);
    *entry = NULL;
    if (found == NULL) {
        gp_cudnn_failure failure = make_entry(cache, dnn, handle, problem, most_workspace, &found);
        if (found == NULL) { return failure; }
    }
    found->used_at = ++cache->clock;
    *entry = found;
    return (gp_cudnn_failure){.status = found->verdict};
}

void
gp_cudnn_cache_free(gp_cudnn_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++) {
        free_entry(cache->entries[i]);
    }
    gp_free(cache->entries);
    *cache = (gp_cudnn_cache){.count = 0};
}
