#include "platform/gp_mutex.h"

#include "base/gp_alloc.h"

#include <pthread.h>

struct gp_mutex {
    pthread_mutex_t handle;
};

gp_mutex *
gp_mutex_new(void)
{
    gp_mutex *mutex = gp_alloc(1, sizeof(*mutex));
    if (mutex != NULL && pthread_mutex_init(&mutex->handle, NULL) != 0) {
        gp_free(mutex);
        return NULL;
    }
    return mutex;
}

/* A plain mutex that is neither destroyed nor held by this thread can be locked: what these
 * functions could answer else would be a mistake of ours. */
void
gp_mutex_lock(gp_mutex *mutex)
{
    (void)pthread_mutex_lock(&mutex->handle);
}

bool
gp_mutex_try_lock(gp_mutex *mutex)
{
    return pthread_mutex_trylock(&mutex->handle) == 0;
}

void
gp_mutex_unlock(gp_mutex *mutex)
{
    (void)pthread_mutex_unlock(&mutex->handle);
}

void
gp_mutex_free(gp_mutex *mutex)
{
    if (mutex == NULL) { return; }
    (void)pthread_mutex_destroy(&mutex->handle);
    gp_free(mutex);
}
