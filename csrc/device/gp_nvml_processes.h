/* The processes that hold memory on a GPU, of all users. In a container NVML tells the host's
 * numbers of processes, or none at all. */
#ifndef GP_NVML_PROCESSES_H
#define GP_NVML_PROCESSES_H

#include "api/gp_nvml.h"

#include <stdbool.h>
#include <stddef.h>

/* A longer name is cut by NVML. */
#define GP_NVML_PROCESS_NAME_SIZE 256

typedef struct gp_nvml_process {
    unsigned int pid;
    unsigned long long used; /* bytes, or GP_NVML_VALUE_NOT_AVAILABLE */
    char name[GP_NVML_PROCESS_NAME_SIZE];
    gp_status name_read;
} gp_nvml_process;

typedef struct gp_nvml_processes {
    gp_nvml_process *list; /* owned; each process once, whether it computes or draws */
    size_t count;
    gp_status read;
} gp_nvml_processes;

/* `most` is the memory of the GPU in bytes, 0 where it is not known: a process that seems to hold
 * more shows that the driver's entries have another form than ours, and the list is dropped. */
void gp_nvml_processes_read(const gp_nvml *nv, gp_nvml_device device, unsigned long long most,
                            gp_nvml_processes *processes);

void gp_nvml_processes_free(gp_nvml_processes *processes);

#endif
