#include "gp_answer.h"
#include "gp_steps.h"

void
gp_step_version(const gp_request *request, gp_trace trace, gp_json *json)
{
    (void)request;
    (void)trace;
    gp_answer answer = {.step = "version"};
    gp_answer_open(json, &answer);
    gp_member_string(json, "version", true, GP_VERSION);
    gp_json_close_object(json);
}
