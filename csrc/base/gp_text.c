#include "gp_text.h"

#include "gp_alloc.h"

#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64)

static size_t
grown_capacity(size_t capacity, size_t needed)
{
    size_t grown = capacity < FIRST_CAPACITY ? FIRST_CAPACITY : capacity;
    /* Cannot wrap: needed <= GP_TEXT_LIMIT, so the last doubling stays below 2 * GP_TEXT_LIMIT. */
    while (grown < needed) {
        grown *= 2;
    }
    return grown;
}

char *
gp_text_reserve(gp_text *text, size_t more)
{
    if (text->failed) { return NULL; }
    if (more >= GP_TEXT_LIMIT - text->size) {
        text->failed = true;
        return NULL;
    }
    size_t needed = text->size + more + 1;
    if (needed > text->capacity) {
        size_t capacity = grown_capacity(text->capacity, needed);
        char *data = gp_realloc(text->data, capacity);
        if (data == NULL) {
            text->failed = true;
            return NULL;
        }
        text->data = data;
        text->capacity = capacity;
        text->data[text->size] = '\0';
    }
    return text->data + text->size;
}

void
gp_text_append_bytes(gp_text *text, const char *bytes, size_t size)
{
    char *end = gp_text_reserve(text, size);
    if (end == NULL || size == 0) { return; }
    memcpy(end, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void
gp_text_append(gp_text *text, const char *string)
{
    gp_text_append_bytes(text, string, strlen(string));
}

void
gp_text_format(gp_text *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    char *end = length < 0 ? NULL : gp_text_reserve(text, (size_t)length);
    if (end == NULL) {
        text->failed = true;
        return;
    }
    va_start(values, format);
    (void)vsnprintf(end, (size_t)length + 1, format, values);
    va_end(values);
    text->size += (size_t)length;
}

const char *
gp_text_get(const gp_text *text)
{
    return text->data == NULL ? "" : text->data;
}

gp_status
gp_text_status(const gp_text *text, const char *call)
{
    return text->failed ? gp_fail(GP_NO_MEMORY, 0, call) : gp_ok();
}

void
gp_text_clear(gp_text *text)
{
    text->size = 0;
    text->failed = false;
    if (text->data != NULL) { text->data[0] = '\0'; }
}

void
gp_text_free(gp_text *text)
{
    gp_free(text->data);
    *text = GP_TEXT_EMPTY;
}
