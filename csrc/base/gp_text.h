/* A string that grows up to a bound. Appending never fails visibly: after the first failure the
 * text stays as it was and remembers it, so a writer checks once, at the end. */
#ifndef GP_TEXT_H
#define GP_TEXT_H

#include "gp_status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* No text of ours comes near it; a loop that runs away does. */
#define GP_TEXT_LIMIT ((size_t)16 * 1024 * 1024)

typedef struct gp_text {
    char *data;      /* owned; NULL while nothing was appended; else NUL-terminated */
    size_t size;     /* bytes without the NUL */
    size_t capacity; /* bytes allocated */
    bool failed;     /* something could not be appended: the text is incomplete */
} gp_text;

#define GP_TEXT_EMPTY ((gp_text){NULL, 0, 0, false})

#if defined(__GNUC__)
#define GP_PRINTF_LIKE(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define GP_PRINTF_LIKE(format_at, first_at)
#endif

void gp_text_append(gp_text *text, const char *string);
void gp_text_append_bytes(gp_text *text, const char *bytes, size_t size);
GP_PRINTF_LIKE(2, 3) void gp_text_format(gp_text *text, const char *format, ...);

/* Makes room for `more` bytes and a NUL behind the present end; NULL (and failed) if it cannot. */
char *gp_text_reserve(gp_text *text, size_t more);

/* The text; "" when nothing was appended, never NULL. Valid until the next change. */
const char *gp_text_get(const gp_text *text);

/* GP_NO_MEMORY, with `call` as its origin, if anything could not be appended. */
gp_status gp_text_status(const gp_text *text, const char *call);

/* Back to empty and not failed; the memory is kept for the next use. */
void gp_text_clear(gp_text *text);

/* Releases the memory; the text is empty and may be used again. */
void gp_text_free(gp_text *text);

#endif
