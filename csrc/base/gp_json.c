#include "gp_json.h"

#include "gp_utf8.h"

#include <inttypes.h>
#include <string.h>

gp_json
gp_json_to(gp_text *out)
{
    return (gp_json){out, false};
}

static void
begin_value(gp_json *json)
{
    if (json->needs_comma) { gp_text_append(json->out, ","); }
    json->needs_comma = true;
}

static void
open_with(gp_json *json, const char *bracket)
{
    begin_value(json);
    gp_text_append(json->out, bracket);
    json->needs_comma = false;
}

static void
close_with(gp_json *json, const char *bracket)
{
    gp_text_append(json->out, bracket);
    json->needs_comma = true;
}

void
gp_json_open_object(gp_json *json)
{
    open_with(json, "{");
}

void
gp_json_close_object(gp_json *json)
{
    close_with(json, "}");
}

void
gp_json_open_array(gp_json *json)
{
    open_with(json, "[");
}

void
gp_json_close_array(gp_json *json)
{
    close_with(json, "]");
}

static void
append_ascii(gp_text *out, unsigned char byte)
{
    if (byte == '"' || byte == '\\') { gp_text_format(out, "\\%c", byte); }
    else if (byte < 0x20 || byte == 0x7F) {
        gp_text_format(out, "\\u%04x", (unsigned int)byte);
    }
    else {
        gp_text_format(out, "%c", byte);
    }
}

static void
append_quoted(gp_text *out, const char *string)
{
    gp_text_append(out, "\"");
    size_t left = strlen(string);
    while (left > 0) {
        size_t length = gp_utf8_length(string, left);
        if (length > 1) { gp_text_append_bytes(out, string, length); }
        else if (length == 1) {
            append_ascii(out, (unsigned char)*string);
        }
        else {
            gp_text_append(out, "\\ufffd");
            length = 1;
        }
        string += length;
        left -= length;
    }
    gp_text_append(out, "\"");
}

void
gp_json_key(gp_json *json, const char *key)
{
    begin_value(json);
    append_quoted(json->out, key);
    gp_text_append(json->out, ":");
    json->needs_comma = false;
}

void
gp_json_string(gp_json *json, const char *string)
{
    begin_value(json);
    if (string == NULL) { gp_text_append(json->out, "null"); }
    else {
        append_quoted(json->out, string);
    }
}

void
gp_json_int(gp_json *json, int64_t value)
{
    begin_value(json);
    gp_text_format(json->out, "%" PRId64, value);
}

void
gp_json_uint(gp_json *json, uint64_t value)
{
    begin_value(json);
    gp_text_format(json->out, "%" PRIu64, value);
}

void
gp_json_bool(gp_json *json, bool value)
{
    begin_value(json);
    gp_text_append(json->out, value ? "true" : "false");
}

void
gp_json_null(gp_json *json)
{
    begin_value(json);
    gp_text_append(json->out, "null");
}

void
gp_json_milliseconds(gp_json *json, uint64_t nanoseconds)
{
    uint64_t microseconds = nanoseconds / 1000;
    begin_value(json);
    gp_text_format(json->out, "%" PRIu64 ".%03" PRIu64, microseconds / 1000, microseconds % 1000);
}
