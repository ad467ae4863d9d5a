#include "gp_cudnn_cache.h"

#include "base/gp_alloc.h"

#include <string.h>

/* Every word is mixed in, and the high bits, which change most, down into the low ones. */
static uint64_t
hash_of(const gp_cudnn_problem *problem)
{
    int64_t words[sizeof(*problem) / sizeof(int64_t)];
    uint64_t hash = 0;
    memcpy(words, problem, sizeof(words));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        hash = (hash ^ (uint64_t)words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

static gp_cudnn_entry *
look_up(const gp_cudnn_cache *cache, const gp_cudnn_problem *problem, uint64_t hash)
{
    for (size_t i = 0; i < cache->count; i++) {
        gp_cudnn_entry *entry = cache->entries[i];
        bool is_it =
            cache->hashes[i] == hash && memcmp(&entry->problem, problem, sizeof(*problem)) == 0;
        if (is_it) { return entry; }
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
keep(gp_cudnn_cache *cache, gp_cudnn_entry *entry, uint64_t hash)
{
    size_t place = 0;
    if (cache->count < GP_CUDNN_MOST_PLANS) { place = cache->count++; }
    else {
        for (size_t i = 1; i < cache->count; i++) {
            if (cache->entries[i]->used_at < cache->entries[place]->used_at) { place = i; }
        }
        free_entry(cache->entries[place]);
    }
    cache->hashes[place] = hash;
    cache->entries[place] = entry;
}

/* That no engine will do is worth remembering, too; any other failure may not come again. */
static gp_cudnn_failure
make_entry(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
           const gp_cudnn_problem *problem, uint64_t hash, int64_t most_workspace,
           gp_cudnn_entry **made)
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
    keep(cache, entry, hash);
    *made = entry;
    return failure;
}

gp_cudnn_failure
gp_cudnn_cache_find(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
                    const gp_cudnn_problem *problem, int64_t most_workspace,
                    const gp_cudnn_entry **entry)
{
    uint64_t hash = hash_of(problem);
    gp_cudnn_entry *found = look_up(cache, problem, hash);
    *entry = NULL;
    if (found == NULL) {
        gp_cudnn_failure failure =
            make_entry(cache, dnn, handle, problem, hash, most_workspace, &found);
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
    *cache = GP_CUDNN_CACHE_EMPTY;
}
