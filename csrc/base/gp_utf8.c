#include "gp_utf8.h"

/* One row for each row of table 3-7 of the Unicode standard: which second bytes a first byte
 * allows. All later bytes are 80..BF. */
typedef struct utf8_row {
    unsigned char first_low;
    unsigned char first_high;
    unsigned char second_low;
    unsigned char second_high;
    unsigned char length;
} utf8_row;

static const utf8_row utf8_rows[] = {
    {0x00, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

static const utf8_row *
find_row(unsigned char first)
{
    for (size_t i = 0; i < sizeof(utf8_rows) / sizeof(utf8_rows[0]); i++) {
        const utf8_row *row = &utf8_rows[i];
        if (first >= row->first_low && first <= row->first_high) { return row; }
    }
    return NULL;
}

size_t
gp_utf8_length(const char *bytes, size_t size)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    const utf8_row *row = find_row(byte[0]);
    if (row == NULL || row->length > size) { return 0; }
    if (row->length == 1) { return 1; }
    if (byte[1] < row->second_low || byte[1] > row->second_high) { return 0; }
    for (size_t i = 2; i < row->length; i++) {
        if (byte[i] < 0x80 || byte[i] > 0xBF) { return 0; }
    }
    return row->length;
}
