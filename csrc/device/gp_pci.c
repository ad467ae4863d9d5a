#include "gp_pci.h"

#include <stdint.h>
#include <stdio.h>

/* -1: no hexadecimal digit. */
static int
digit_value(char character)
{
    if (character >= '0' && character <= '9') { return character - '0'; }
    if (character >= 'a' && character <= 'f') { return character - 'a' + 10; }
    if (character >= 'A' && character <= 'F') { return character - 'A' + 10; }
    return -1;
}

/* One hexadecimal number up to `end`; moves *text behind it. (strtoul would also take blanks, a
 * sign and "0x".) */
static bool
read_field(const char **text, char end, uint64_t highest, unsigned int *value)
{
    const char *at = *text;
    uint64_t number = 0;
    for (; digit_value(*at) >= 0; at++) {
        number = number * 16 + (uint64_t)digit_value(*at);
        if (number > highest) { return false; }
    }
    if (at == *text || *at != end) { return false; }
    *text = at + 1;
    *value = (unsigned int)number;
    return true;
}

bool
gp_pci_parse(const char *text, gp_pci *pci)
{
    return read_field(&text, ':', 0xFFFFFFFF, &pci->domain) &&
           read_field(&text, ':', 0xFF, &pci->bus) && read_field(&text, '.', 0x1F, &pci->device) &&
           read_field(&text, '\0', 0x7, &pci->function);
}

void
gp_pci_format(const gp_pci *pci, char text[GP_PCI_SIZE])
{
    (void)snprintf(text, GP_PCI_SIZE, "%04x:%02x:%02x.%x", pci->domain, pci->bus, pci->device,
                   pci->function);
}
