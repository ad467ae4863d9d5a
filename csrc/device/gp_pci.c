#include "gp_pci.h"

#include <stdio.h>
#include <stdlib.h>

/* One hexadecimal number up to `end`; moves *text behind it. */
static bool
read_field(const char **text, char end, unsigned long highest, unsigned int *value)
{
    char *stop = NULL;
    /* strtoul alone would take blanks, a sign and "0x". */
    bool is_digit = (**text >= '0' && **text <= '9') || (**text >= 'a' && **text <= 'f') ||
                    (**text >= 'A' && **text <= 'F');
    if (!is_digit) { return false; }
    unsigned long number = strtoul(*text, &stop, 16);
    if (*stop != end || number > highest) { return false; }
    *text = stop + (end != '\0');
    *value = (unsigned int)number;
    return true;
}

bool
gp_pci_parse(const char *text, gp_pci *pci)
{
    return read_field(&text, ':', 0xFFFFFFFFUL, &pci->domain) &&
           read_field(&text, ':', 0xFF, &pci->bus) && read_field(&text, '.', 0x1F, &pci->device) &&
           read_field(&text, '\0', 0x7, &pci->function);
}

void
gp_pci_format(const gp_pci *pci, char text[GP_PCI_SIZE])
{
    (void)snprintf(text, GP_PCI_SIZE, "%04x:%02x:%02x.%x", pci->domain, pci->bus, pci->device,
                   pci->function);
}
