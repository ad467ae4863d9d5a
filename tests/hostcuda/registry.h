/* Which kernels there are, by name. Each library that links the shim defines the table once. */
#ifndef HOSTCUDA_REGISTRY_H
#define HOSTCUDA_REGISTRY_H

#include "hostcuda.h"

#include <cstddef>
#include <utility>

/* Calls a kernel with the arguments that `params` points to. */
using hostcuda_thunk = void (*)(void **params);

/* As hostcuda_spans, of one kernel. */
using hostcuda_spans_thunk = int (*)(void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS]);

struct hostcuda_kernel {
    const char *name;
    hostcuda_thunk run;
    hostcuda_spans_thunk spans = nullptr; /* not told */
};

extern const hostcuda_kernel hostcuda_kernels[];
extern const std::size_t hostcuda_kernel_count;

/* The argument types come from the kernel's own signature, so the table cannot get them wrong. */
template <auto kernel> struct hostcuda_unpack;

template <class... Args, void (*kernel)(Args...)> struct hostcuda_unpack<kernel> {
    static void
    run(void **params)
    {
        call(params, std::index_sequence_for<Args...>{});
    }

    template <std::size_t... I>
    static void
    call(void **params, std::index_sequence<I...>)
    {
        kernel(*static_cast<Args *>(params[I])...);
    }
};

#endif
