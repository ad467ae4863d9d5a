/* The floating-point environment of a computation whose bits matter. A process may have another one
 * than C begins with: another rounding mode, or, after torch.set_flush_denormal(True) or by a
 * library that was built with -ffast-math, subnormal numbers that are read and written as 0. */
#ifndef GP_FLOAT_ENV_H
#define GP_FLOAT_ENV_H

/* Begin: rounding to nearest, with subnormal numbers, in this thread and in those that it starts.
 * `callers` keeps what was there before, for the end. */

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>

/* By itself, as mingw's fesetenv leaves the flags of subnormal numbers as they are. */
#define GP_MXCSR_DEFAULT 0x1F80U

typedef unsigned int gp_float_env;

static inline void
gp_float_env_begin(gp_float_env *callers)
{
    *callers = _mm_getcsr();
    _mm_setcsr(GP_MXCSR_DEFAULT);
}

static inline void
gp_float_env_end(const gp_float_env *callers)
{
    _mm_setcsr(*callers);
}
#else
#include <fenv.h>

typedef fenv_t gp_float_env;

static inline void
gp_float_env_begin(gp_float_env *callers)
{
    (void)fegetenv(callers);
    (void)fesetenv(FE_DFL_ENV);
}

static inline void
gp_float_env_end(const gp_float_env *callers)
{
    (void)fesetenv(callers);
}
#endif

#endif
