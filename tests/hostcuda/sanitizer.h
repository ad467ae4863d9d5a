/* Tells the address sanitizer that the stack changes; without it there is nothing to tell. */
#ifndef HOSTCUDA_SANITIZER_H
#define HOSTCUDA_SANITIZER_H

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOSTCUDA_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HOSTCUDA_ASAN 1
#endif

struct sanitizer_stack {
    void *fake_stack;
    const void *bottom;
    std::size_t size;
};

#ifdef HOSTCUDA_ASAN
#include <sanitizer/common_interface_defs.h>

/* Before a switch. `from` is null if the stack that is left will not be used again. */
static inline void
sanitizer_leave(sanitizer_stack *from, const sanitizer_stack *to)
{
    __sanitizer_start_switch_fiber(from == nullptr ? nullptr : &from->fake_stack, to->bottom,
                                   to->size);
}

/* After a switch: `self` is the stack that runs now (null if it is new), `*origin` learns where
 * the stack that was left lies. */
static inline void
sanitizer_arrive(const sanitizer_stack *self, sanitizer_stack *origin)
{
    __sanitizer_finish_switch_fiber(self == nullptr ? nullptr : self->fake_stack,
                                    origin == nullptr ? nullptr : &origin->bottom,
                                    origin == nullptr ? nullptr : &origin->size);
}
#else
static inline void
sanitizer_leave(const sanitizer_stack *, const sanitizer_stack *)
{
}

static inline void
sanitizer_arrive(const sanitizer_stack *, const sanitizer_stack *)
{
}
#endif

#endif
