/* Lets work that takes long end early. The thread that began it asks now and then, between parts of
 * it, and holds no lock then. */
#ifndef GP_WATCH_H
#define GP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gp_watch {
    bool (*is_over)(void *context); /* stays true once it was */
    void *context;
} gp_watch;

/* NULL: nobody ends it early. */
static inline bool
gp_is_over(const gp_watch *watch)
{
    return watch != NULL && watch->is_over(watch->context);
}

#endif
