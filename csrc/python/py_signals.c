#include "py_signals.h"

#include "platform/gp_clock.h"

/* The core asks far more often than anybody waits for Ctrl-C, and another thread may have the GIL.
 */
#define LOOK_EVERY_NS UINT64_C(20000000)

static bool
look(void *context)
{
    core_signals *signals = context;
    uint64_t now_ns = gp_clock_ns();
    if (signals->is_over || now_ns - signals->asked_ns < LOOK_EVERY_NS) { return signals->is_over; }
    signals->asked_ns = now_ns;
    PyEval_RestoreThread(signals->saved);
    signals->is_over = PyErr_CheckSignals() < 0;
    signals->saved = PyEval_SaveThread();
    return signals->is_over;
}

void
core_signals_begin(core_signals *signals)
{
    *signals = (core_signals){{look, signals}, PyEval_SaveThread(), gp_clock_ns(), false};
}

bool
core_signals_end(core_signals *signals)
{
    PyEval_RestoreThread(signals->saved);
    return !signals->is_over;
}
