/* Who holds the memory. */
#include "fake_nvml.h"

#include <stddef.h>

/* The processes on a GPU, entry by entry as large as the caller's ABI has it: 16 bytes without a
 * suffix, 24 with _v2. */
static nvmlReturn_t
give_processes(const fake_gpu *gpu, bool draws, unsigned *count, void *entries, size_t entry_bytes)
{
    if (count == NULL) { return NVML_ERROR_INVALID_ARGUMENT; }
    const fake_scenario *machine = fake_machine();
    const unsigned room = *count;
    unsigned found = 0;
    for (size_t i = 0; i < machine->process_count; i++) {
        const fake_process *process = &machine->processes[i];
        if (&machine->gpus[process->gpu] != gpu || (process->draws != 0) != draws) { continue; }
        if (found < room && entries != NULL) {
            nvmlProcessInfo_v1_t *entry = (void *)((char *)entries + found * entry_bytes);
            entry->pid = (unsigned)process->pid;
            entry->usedGpuMemory = process->used_bytes;
        }
        found++;
    }
    *count = found;
    return found > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

static nvmlReturn_t
give_processes_v2(const fake_gpu *gpu, bool draws, unsigned *count, nvmlProcessInfo_v2_t *infos)
{
    const unsigned room = count == NULL ? 0 : *count;
    for (unsigned i = 0; infos != NULL && i < room; i++) {
        infos[i].gpuInstanceId = infos[i].computeInstanceId = 0xFFFFFFFFU; /* no MIG */
    }
    return give_processes(gpu, draws, count, infos, sizeof *infos);
}

nvmlReturn_t
nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned *count,
                                     nvmlProcessInfo_v1_t *infos)
{
    FAKE_GPU_CALL(device);
    return give_processes(device->gpu, false, count, infos, sizeof *infos);
}

nvmlReturn_t
nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned *count,
                                        nvmlProcessInfo_v2_t *infos)
{
    FAKE_GPU_CALL(device);
    return give_processes_v2(device->gpu, false, count, infos);
}

nvmlReturn_t
nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned *count,
                                      nvmlProcessInfo_v1_t *infos)
{
    FAKE_GPU_CALL(device);
    return give_processes(device->gpu, true, count, infos, sizeof *infos);
}

nvmlReturn_t
nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned *count,
                                         nvmlProcessInfo_v2_t *infos)
{
    FAKE_GPU_CALL(device);
    return give_processes_v2(device->gpu, true, count, infos);
}

nvmlReturn_t
nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const fake_scenario *machine = fake_machine();
    for (size_t i = 0; i < machine->process_count; i++) {
        if (machine->processes[i].pid == pid) {
            return fake_give_text(machine->processes[i].name, name, length);
        }
    }
    return NVML_ERROR_NOT_FOUND;
}
