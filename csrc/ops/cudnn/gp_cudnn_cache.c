#include "gp_cudnn_cache.h"

#include "base/gp_alloc.h"

#include <string.h>

enum { WORDS = sizeof(gp_cudnn_problem) / sizeof(int64_t) };

/* Every word is mixed in, and the high bits, which change most, down into the low ones. */
static uint64_t
mix(uint64_t hash, int64_t word)
{
    hash = (hash ^ (uint64_t)word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

/* In two halves, which do not wait for each other. */
static uint64_t
hash_of(const gp_cudnn_problem *problem)
{
    int64_t words[WORDS];
    uint64_t first = 1;
    uint64_t second = 2;
    memcpy(words, problem, sizeof(words));
    for (size_t i = 0; i < WORDS / 2; i++) {
        first = mix(first, words[i]);
        second = mix(second, words[WORDS - 1 - i]);
    }
    return mix(first ^ second, words[WORDS / 2]);
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
static gp_status
make_entry(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
           const gp_cudnn_problem *problem, uint64_t hash, int64_t most_workspace,
           gp_cudnn_entry **made, char text[GP_CUDNN_TEXT_SIZE])
{
    gp_cudnn_entry *entry = gp_alloc(1, sizeof(*entry));
    if (entry == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_cudnn_cache_find"); }
    cache->misses++;
    entry->problem = *problem;
    gp_cudnn_failure failure =
        gp_cudnn_plans_make(dnn, handle, problem, most_workspace, &entry->plans);
    memcpy(text, failure.text, sizeof(failure.text));
    entry->verdict = failure.status;
    if (gp_failed(failure.status) && failure.status.kind != GP_UNSUPPORTED) { gp_free(entry); }
    else {
        keep(cache, entry, hash);
        *made = entry;
    }
    return failure.status;
}

gp_status
gp_cudnn_cache_find(gp_cudnn_cache *cache, const gp_cudnn *dnn, gp_cudnn_handle handle,
                    const gp_cudnn_problem *problem, int64_t most_workspace,
                    const gp_cudnn_entry **entry, char text[GP_CUDNN_TEXT_SIZE])
{
    uint64_t hash = hash_of(problem);
    gp_cudnn_entry *found = look_up(cache, problem, hash);
    gp_status st = gp_ok();
    if (found == NULL) {
        st = make_entry(cache, dnn, handle, problem, hash, most_workspace, &found, text);
    }
    *entry = found;
    if (found == NULL) { return st; }
    found->used_at = ++cache->clock;
    return found->verdict;
}

void
gp_cudnn_cache_free(gp_cudnn_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++) {
        free_entry(cache->entries[i]);
    }
    *cache = GP_CUDNN_CACHE_EMPTY;
}
