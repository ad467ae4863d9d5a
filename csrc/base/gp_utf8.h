#ifndef GP_UTF8_H
#define GP_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed UTF-8 character at the start of `bytes` (RFC 3629: no overlong form, no
 * surrogate, nothing above U+10FFFF); 0 if there is none. `size` must be at least 1. */
size_t gp_utf8_length(const char *bytes, size_t size);

#endif
