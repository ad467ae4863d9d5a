#include "alloc_hook.h"

#include "base/gp_alloc.h"

#include <stdlib.h>

static size_t until_failure;
static int has_failed;
static size_t live;

void
alloc_fail_at(size_t n)
{
    until_failure = n;
    has_failed = 0;
}

int
alloc_has_failed(void)
{
    return has_failed;
}

size_t
alloc_live(void)
{
    return live;
}

static int
fails_now(void)
{
    if (until_failure == 0 || --until_failure > 0) { return 0; }
    has_failed = 1;
    return 1;
}

void *
gp_alloc(size_t count, size_t size)
{
    void *block = fails_now() ? NULL : calloc(count, size);
    live += block != NULL;
    return block;
}

void *
gp_realloc(void *block, size_t size)
{
    if (fails_now()) { return NULL; }
    void *grown = realloc(block, size);
    live += grown != NULL && block == NULL;
    return grown;
}

void
gp_free(void *block)
{
    live -= block != NULL;
    free(block);
}
