/* The NVLinks of a GPU. */
#ifndef GP_NVML_LINKS_H
#define GP_NVML_LINKS_H

#include "device/gp_nvml_numbers.h"
#include "device/gp_pci.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gp_nvml_link {
    unsigned int number; /* NVML's own, from 0 */
    bool is_active;
    unsigned int remote_kind; /* GP_NVML_LINK_TO_…; asked of an active link only */
    char remote[GP_PCI_SIZE]; /* "" where it leads to a switch, or was not told */
    gp_status read;           /* of is_active */
    gp_status remote_read;
} gp_nvml_link;

typedef struct gp_nvml_links {
    gp_nvml_link at[GP_NVML_MOST_LINKS];
    size_t count;          /* 0: the GPU has none */
    gp_status read;        /* of the list as a whole */
    gp_nvml_number errors; /* of all links together */
} gp_nvml_links;

void gp_nvml_links_read(const gp_nvml *nv, gp_nvml_device device, gp_nvml_links *links);

#endif
