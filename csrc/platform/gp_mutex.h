/* A lock that one thread holds at a time. Not recursive. */
#ifndef GP_MUTEX_H
#define GP_MUTEX_H

#include <stdbool.h>

typedef struct gp_mutex gp_mutex;

/* NULL: no memory. */
gp_mutex *gp_mutex_new(void);

void gp_mutex_lock(gp_mutex *mutex);

/* Takes it if nobody holds it, and does not wait. */
bool gp_mutex_try_lock(gp_mutex *mutex);

void gp_mutex_unlock(gp_mutex *mutex);

/* Accepts NULL. Nobody may hold it. */
void gp_mutex_free(gp_mutex *mutex);

#endif
