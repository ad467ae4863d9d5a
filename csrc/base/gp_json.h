/* Writes JSON into a text: commas and escapes are its business, the order of the calls is the
 * caller's. Numbers are integers only, so no locale can put a comma into a fraction. */
#ifndef GP_JSON_H
#define GP_JSON_H

#include "gp_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gp_json {
    gp_text *out;     /* borrowed; remembers a failure, see gp_text.h */
    bool needs_comma; /* the next key or element stands behind another one */
} gp_json;

gp_json gp_json_to(gp_text *out);

void gp_json_open_object(gp_json *json);
void gp_json_close_object(gp_json *json);
void gp_json_open_array(gp_json *json);
void gp_json_close_array(gp_json *json);

/* Inside an object: each key is followed by exactly one value. */
void gp_json_key(gp_json *json, const char *key);

/* Any bytes give valid JSON: a byte that is not part of UTF-8 becomes U+FFFD. NULL gives null. */
void gp_json_string(gp_json *json, const char *string);
void gp_json_int(gp_json *json, int64_t value);
void gp_json_uint(gp_json *json, uint64_t value);
void gp_json_bool(gp_json *json, bool value);
void gp_json_null(gp_json *json);

/* Nanoseconds, written as milliseconds with three decimals. */
void gp_json_milliseconds(gp_json *json, uint64_t nanoseconds);

#endif
