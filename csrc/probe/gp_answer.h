/* What the answers of all steps have in common. */
#ifndef GP_ANSWER_H
#define GP_ANSWER_H

#include "api/gp_library.h"
#include "base/gp_json.h"
#include "base/gp_status.h"

#include <stdint.h>

#define GP_ANSWER_MOST_TIMES 8

typedef struct gp_answer_time {
    const char *name;
    uint64_t nanoseconds;
} gp_answer_time;

typedef struct gp_answer {
    const char *step;
    const gp_library *library; /* NULL for a step that opens none */
    gp_status failed;
    const char *failed_text; /* the vendor's words, or NULL */
    gp_answer_time times[GP_ANSWER_MOST_TIMES];
    size_t time_count;
} gp_answer;

/* Notes how long something took since `start` (of gp_clock_ns). */
void gp_answer_add_time(gp_answer *answer, const char *name, uint64_t start);
void gp_answer_add_duration(gp_answer *answer, const char *name, uint64_t nanoseconds);

/* Opens the object and writes the common members; the step's own follow, then
 * gp_json_close_object. */
void gp_answer_open(gp_json *json, const gp_answer *answer);

/* {"kind": …, "call": …, "code": …, "name": …, "text": …}, or null for a success. */
void gp_answer_failure(gp_json *json, gp_status status, const char *text);

/* A member of an "unread" object: the native code, or null where there was no call to give one (the
 * function is missing). Writes nothing for a success. */
void gp_answer_unread(gp_json *json, const char *key, gp_status status);

/* Members whose value is null where it is not known. */
void gp_member_string(gp_json *json, const char *key, bool is_known, const char *value);
void gp_member_int(gp_json *json, const char *key, bool is_known, int64_t value);
void gp_member_uint(gp_json *json, const char *key, bool is_known, uint64_t value);

#endif
