#include "gp_answer.h"
#include "gp_steps.h"
#include "platform/gp_clock.h"

void
gp_step_load(const gp_request *request, gp_trace trace, gp_json *json)
{
    gp_library library;
    gp_answer answer = {.step = "load", .library = &library};
    uint64_t start = gp_clock_ns();
    answer.failed = gp_library_open(&library, request->library, trace);
    gp_answer_add_time(&answer, "load", start);
    answer.failed_text = library.error.size > 0 ? gp_text_get(&library.error) : NULL;
    gp_answer_open(json, &answer);
    gp_json_key(json, "loaded");
    gp_json_bool(json, library.handle != NULL);
    gp_json_close_object(json);
    gp_library_free(&library);
}
