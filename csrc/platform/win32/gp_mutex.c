#include "platform/gp_mutex.h"

#include "base/gp_alloc.h"
#include "gp_windows.h"

struct gp_mutex {
    SRWLOCK handle;
};

gp_mutex *
gp_mutex_new(void)
{
    gp_mutex *mutex = gp_alloc(1, sizeof(*mutex));
    if (mutex != NULL) { InitializeSRWLock(&mutex->handle); }
    return mutex;
}

void
gp_mutex_lock(gp_mutex *mutex)
{
    AcquireSRWLockExclusive(&mutex->handle);
}

bool
gp_mutex_try_lock(gp_mutex *mutex)
{
    return TryAcquireSRWLockExclusive(&mutex->handle) != 0;
}

void
gp_mutex_unlock(gp_mutex *mutex)
{
    ReleaseSRWLockExclusive(&mutex->handle);
}

void
gp_mutex_free(gp_mutex *mutex)
{
    gp_free(mutex);
}
