#ifndef GP_PCI_H
#define GP_PCI_H

#include <stdbool.h>

/* "0000:01:00.0" as in /sys/bus/pci/devices; up to eight digits of domain. */
#define GP_PCI_SIZE 24

typedef struct gp_pci {
    unsigned int domain;
    unsigned int bus;
    unsigned int device;
    unsigned int function;
} gp_pci;

/* Reads "domain:bus:device.function" in hexadecimal, of any case and width. */
bool gp_pci_parse(const char *text, gp_pci *pci);

void gp_pci_format(const gp_pci *pci, char text[GP_PCI_SIZE]);

#endif
