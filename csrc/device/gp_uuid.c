#include "gp_uuid.h"

#include <stdio.h>

void
gp_uuid_format(const char *prefix, const gp_cu_uuid *uuid, char text[GP_UUID_TEXT_SIZE])
{
    int length = snprintf(text, GP_UUID_TEXT_SIZE, "%.3s", prefix);
    for (int i = 0; i < 16; i++) {
        const char *dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        size_t room = (size_t)(GP_UUID_TEXT_SIZE - length);
        length += snprintf(text + length, room, "%s%02x", dash, (unsigned char)uuid->bytes[i]);
    }
}
