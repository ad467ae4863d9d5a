/* The single numbers that NVML tells of a GPU: clocks, watts, counters, modes. */
#ifndef GP_NVML_NUMBERS_H
#define GP_NVML_NUMBERS_H

#include "api/gp_nvml.h"

#include <stdint.h>

typedef enum gp_nvml_number_id {
#define GP_NVML_ASKED(id, key, type, name, arguments) GP_NUMBER_##id,
#define GP_NVML_GIVEN(id, key)                        GP_NUMBER_##id,
#include "gp_nvml_numbers.def"
#undef GP_NVML_ASKED
#undef GP_NVML_GIVEN
    GP_NUMBER_COUNT
} gp_nvml_number_id;

/* `value` means nothing where `read` failed. */
typedef struct gp_nvml_number {
    uint64_t value;
    gp_status read;
} gp_nvml_number;

/* The name of a number in the probe's answer. */
const char *gp_nvml_number_key(gp_nvml_number_id id);

/* Reads all of them, each with a status of its own. No call samples over time. */
void gp_nvml_numbers_read(const gp_nvml *nv, gp_nvml_device device,
                          gp_nvml_number numbers[GP_NUMBER_COUNT]);

/* What is left to say of a GPU that cannot be reached: `why` for each number. */
void gp_nvml_numbers_fail(gp_status why, gp_nvml_number numbers[GP_NUMBER_COUNT]);

/* What is free of the memory of a GPU or of a MIG instance, and nothing else. By its UUID: the PCI
 * address of an instance is that of the whole GPU. */
gp_status gp_nvml_free_bytes(const gp_nvml *nv, const char *uuid, uint64_t *bytes);

#endif
