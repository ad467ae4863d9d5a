/* What goes wrong in a scenario, and what was asked of the fakes.
 *
 * A line of [faults] is  CALL[@N][/GPU] = WHAT:
 *   CALL   an exported name, or cu* / nvml* / cudnn* … for every call of that library
 *   @N     only at the N-th such call of the process, counted from 1; without it, at each
 *   /GPU   only while the thread works on CUDA's device of this number; N counts those calls alone
 *   WHAT   a number      the call returns this code and does nothing
 *          hang SECONDS  the call sleeps first
 *          segv, abort   the process dies of this signal
 *          flip          a copy to the host, or a result, has one bit wrong
 *          swap, zero, nan, tf32
 *                        a result has its first and last rows exchanged, a tile of zeros, a NaN in
 *                        the middle; float32 was computed as TF32 */
#ifndef FAKE_FAULT_H
#define FAKE_FAULT_H

#include <stddef.h>

enum { FAKE_FLIP = -1, FAKE_SWAP = -2, FAKE_ZERO = -3, FAKE_NAN = -4, FAKE_TF32 = -5 };

/* Each library defines it: how the names of its own functions begin. */
extern const char fake_prefix[];

/* Likewise: CUDA's number of the device on which this thread works; -1: on none that it knows. */
int fake_device_in_use(void);

void fake_add_fault(const char *call, const char *what);

/* Every exported function calls this first, with its own name. Returns 0 (go on), the code to
 * return instead, or FAKE_FLIP and its like, which are negative. */
int fake_enter(const char *call);

/* Appends one JSON line to the file named by GPUPROBE_FAKE_REPORT, if that is set: what was called,
 * and `counts`, the library's own members (`"name":number`, with commas between). */
void fake_report(const char *library, const char *counts);

#endif
