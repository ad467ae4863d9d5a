#include "gp_answer.h"

#include "platform/gp_clock.h"

/* The number of the contract that the objects follow; raised when a member changes its meaning. */
#define PROBE_SCHEMA 1

void
gp_answer_add_duration(gp_answer *answer, const char *name, uint64_t nanoseconds)
{
    if (answer->time_count == GP_ANSWER_MOST_TIMES) { return; }
    answer->times[answer->time_count++] = (gp_answer_time){name, nanoseconds};
}

void
gp_answer_add_time(gp_answer *answer, const char *name, uint64_t start)
{
    gp_answer_add_duration(answer, name, gp_clock_ns() - start);
}

static void
write_library(gp_json *json, const gp_library *library)
{
    gp_json_key(json, "library");
    gp_json_open_object(json);
    gp_member_string(json, "name", true, library->name);
    gp_member_string(json, "path", library->path.size > 0, gp_text_get(&library->path));
    gp_member_string(json, "via", true, gp_via_name(library->via));
    gp_member_string(json, "error", library->error.size > 0, gp_text_get(&library->error));
    gp_json_close_object(json);
}

static void
write_times(gp_json *json, const gp_answer *answer)
{
    gp_json_key(json, "times_ms");
    gp_json_open_object(json);
    for (size_t i = 0; i < answer->time_count; i++) {
        gp_json_key(json, answer->times[i].name);
        gp_json_milliseconds(json, answer->times[i].nanoseconds);
    }
    gp_json_close_object(json);
}

void
gp_answer_open(gp_json *json, const gp_answer *answer)
{
    gp_json_open_object(json);
    gp_member_int(json, "probe", true, PROBE_SCHEMA);
    gp_member_string(json, "step", true, answer->step);
    gp_json_key(json, "ok");
    gp_json_bool(json, !gp_failed(answer->failed));
    gp_json_key(json, "failed");
    gp_answer_failure(json, answer->failed, answer->failed_text);
    if (answer->library != NULL) { write_library(json, answer->library); }
    write_times(json, answer);
}

void
gp_answer_failure(gp_json *json, gp_status status, const char *text)
{
    char name[GP_STATUS_NAME_SIZE];
    if (!gp_failed(status)) {
        gp_json_null(json);
        return;
    }
    bool has_name = gp_status_name(status, name);
    gp_json_open_object(json);
    gp_member_string(json, "kind", true, gp_kind_name(status.kind));
    gp_member_string(json, "call", true, status.call);
    gp_member_int(json, "code", true, status.code);
    gp_member_string(json, "name", has_name, name);
    gp_member_string(json, "text", true, text);
    gp_json_close_object(json);
}

void
gp_answer_unread(gp_json *json, const char *key, gp_status status)
{
    if (!gp_failed(status)) { return; }
    gp_member_int(json, key, status.kind == GP_CUDA || status.kind == GP_NVML, status.code);
}

void
gp_member_string(gp_json *json, const char *key, bool is_known, const char *value)
{
    gp_json_key(json, key);
    gp_json_string(json, is_known ? value : NULL);
}

void
gp_member_int(gp_json *json, const char *key, bool is_known, int64_t value)
{
    gp_json_key(json, key);
    if (is_known) { gp_json_int(json, value); }
    else {
        gp_json_null(json);
    }
}

void
gp_member_uint(gp_json *json, const char *key, bool is_known, uint64_t value)
{
    gp_json_key(json, key);
    if (is_known) { gp_json_uint(json, value); }
    else {
        gp_json_null(json);
    }
}
