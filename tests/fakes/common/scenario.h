/* The machine that the fakes play, read once from the file named by GPUPROBE_FAKE_SCENARIO.
 *
 * The file has sections [driver], [gpu.0] …, [mig.0] …, [process.0] …, [faults]; the keys are the
 * members of the structures below, as gpu_keys.def lists those of a GPU. Whatever it does not know
 * ends the process at once: a typing error in a scenario that was passed over in silence would make
 * a test green for the wrong reason. */
#ifndef FAKE_SCENARIO_H
#define FAKE_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_MAX_GPUS = 16, FAKE_MAX_MIGS = 64, FAKE_MAX_PROCESSES = 64, FAKE_TEXT = 96 };

/* An optional number that the file does not give, or gives as "none": NVML answers "not
 * supported". For memory it is also NVML's own "not available". */
#define FAKE_NONE UINT64_MAX

typedef struct fake_driver {
    char version[FAKE_TEXT];      /* "535.104.05" */
    char nvml_version[FAKE_TEXT]; /* "12.535.104.05" */
    uint64_t cuda_version;        /* 12020 for 12.2 */
} fake_driver;

typedef struct fake_gpu {
#define FAKE_TEXT_KEY(name)     char name[FAKE_TEXT];
#define FAKE_NUMBER_KEY(name)   uint64_t name;
#define FAKE_OPTIONAL_KEY(name) uint64_t name;
#include "gpu_keys.def"
#undef FAKE_TEXT_KEY
#undef FAKE_NUMBER_KEY
#undef FAKE_OPTIONAL_KEY
} fake_gpu;

/* A MIG instance of a GPU whose `mig` is 1. */
typedef struct fake_mig {
    char name[FAKE_TEXT];
    char uuid[FAKE_TEXT]; /* "MIG-…" */
    uint64_t gpu;         /* N of [gpu.N] */
    uint64_t place;       /* NVML's index below that GPU; places may be left empty */
    uint64_t gpu_instance;
    uint64_t compute_instance;
    uint64_t memory_bytes;
    uint64_t sms;
} fake_mig;

/* A process that holds memory on a GPU. Its bytes are part of the GPU's used_bytes. */
typedef struct fake_process {
    char name[FAKE_TEXT];
    uint64_t pid;
    uint64_t gpu;        /* N of [gpu.N] */
    uint64_t used_bytes; /* none: as under WDDM */
    uint64_t draws;      /* 1: it draws; else it computes */
} fake_process;

typedef struct fake_scenario {
    fake_driver driver;
    size_t gpu_count;
    fake_gpu gpus[FAKE_MAX_GPUS];
    size_t mig_count;
    fake_mig migs[FAKE_MAX_MIGS];
    size_t process_count;
    fake_process processes[FAKE_MAX_PROCESSES];
} fake_scenario;

/* The scenario; read at the first call. Never NULL: the process ends where it cannot be read. */
const fake_scenario *fake_machine(void);

/* Numbers out of a GPU's "dddd:bb:dd.f". */
typedef struct fake_pci {
    unsigned domain, bus, device;
} fake_pci;
fake_pci fake_pci_of(const fake_gpu *gpu);

/* The number that a text of words between `separator`s has at `place`; false where it ends before.
 */
bool fake_number_at(const char *text, char separator, size_t place, uint64_t *number);

/* < 0, 0, > 0 as `a` comes before, with or after `b` on the PCI bus. */
int fake_compare_pci(const fake_gpu *a, const fake_gpu *b);

/* Says on standard error what is wrong with the test and ends the process with status 97. */
_Noreturn void fake_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
