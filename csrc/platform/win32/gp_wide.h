/* UTF-8 inside, UTF-16 at the system's border: the only two conversions of the Windows half. */
#ifndef GP_WIDE_H
#define GP_WIDE_H

#include "base/gp_status.h"
#include "base/gp_text.h"

#include <wchar.h>

/* A new NUL-terminated UTF-16 copy, released with gp_free; NULL without memory. Bytes that are not
 * UTF-8 become U+FFFD, which no file's name holds, so they are not found rather than mistaken. */
wchar_t *gp_wide_from_utf8(const char *string);

/* Appends UTF-16 as UTF-8; an unpaired surrogate becomes U+FFFD. */
gp_status gp_wide_append(gp_text *text, const wchar_t *wide);

#endif
