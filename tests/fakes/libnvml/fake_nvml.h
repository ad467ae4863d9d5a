/* What the parts of the fake libnvidia-ml share. Compiled against NVIDIA's own nvml.h with its
 * renaming macros off, so that every function is defined under its exact exported name. */
#ifndef FAKE_NVML_H
#define FAKE_NVML_H

#include "../common/fault.h"
#include "../common/scenario.h"

#define NVML_NO_UNVERSIONED_FUNC_DEFS
#pragma GCC visibility push(default)
#include <nvml.h>
#pragma GCC visibility pop

/* The vendor's handle points to this. Handles are indexed in the order of the PCI bus; NVML knows
 * nothing of CUDA_VISIBLE_DEVICES. Those of MIG instances stand apart. */
struct nvmlDevice_st {
    const fake_gpu *gpu;
    const fake_mig *mig; /* NULL: a whole GPU */
};

typedef enum { FAKE_ANYTIME, FAKE_AFTER_INIT } fake_need;

/* Counts the call, applies the scenario's faults, and checks that NVML is initialised. */
nvmlReturn_t fake_nvml_enter(const char *call, fake_need need);

/* The first line of every exported function. */
#define FAKE_CALL(need)                                             \
    do {                                                            \
        const nvmlReturn_t code_ = fake_nvml_enter(__func__, need); \
        if (code_ != NVML_SUCCESS) { return code_; }                \
    } while (0)

/* The first line of every question to a device. A lost one answers nothing else. */
#define FAKE_DEVICE_CALL(device)                                                            \
    do {                                                                                    \
        FAKE_CALL(FAKE_AFTER_INIT);                                                         \
        if ((device) == NULL || (device)->gpu->lost) {                                      \
            return (device) == NULL ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_GPU_IS_LOST; \
        }                                                                                   \
    } while (0)

/* The same for a question that a MIG instance has no answer to. */
#define FAKE_GPU_CALL(device)                                              \
    do {                                                                   \
        FAKE_DEVICE_CALL(device);                                          \
        if ((device)->mig != NULL) { return NVML_ERROR_INVALID_ARGUMENT; } \
    } while (0)

/* Gives a number to the caller, in the caller's own type; one that the scenario does not give is
 * not supported. The whole rest of a function. */
#define FAKE_GIVE(place, number)                                       \
    do {                                                               \
        const uint64_t number_ = (number);                             \
        if ((place) == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }   \
        if (number_ == FAKE_NONE) { return NVML_ERROR_NOT_SUPPORTED; } \
        *(place) = (__typeof__(*(place)))number_;                      \
        return NVML_SUCCESS;                                           \
    } while (0)

/* The handle with this index, or NULL. */
nvmlDevice_t fake_handle_at(unsigned index);
unsigned fake_handle_count(void);

/* The handle of the machine's MIG instance with this number. */
nvmlDevice_t fake_mig_handle(size_t at);

/* Whether the GPU is in MIG mode and has an instance: some questions have no answer then. */
bool fake_is_split(const fake_gpu *gpu);

/* Copies `text` with its end, or says that there is no room. */
nvmlReturn_t fake_give_text(const char *text, char *buffer, unsigned room);

#endif
