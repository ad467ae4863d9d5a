#include "gp_prove_rounds.h"

/* Of each worker in a round; and lines, which are judged several at a time. */
#define STEPS_AT_ONCE ((size_t)1 << 24)
enum { LINES_AT_ONCE = 8 };

typedef struct round_of_lines {
    gp_parallel_body body;
    void *context;
    size_t first;
} round_of_lines;

static void
run_part(void *context, size_t worker, size_t begin, size_t end)
{
    const round_of_lines *own = context;
    own->body(own->context, worker, own->first + begin, own->first + end);
}

void
gp_prove_in_rounds(const gp_product *product, size_t count, size_t steps, size_t workers,
                   gp_parallel_body body, void *context)
{
    size_t lines = STEPS_AT_ONCE / (steps + 1) / LINES_AT_ONCE * LINES_AT_ONCE + LINES_AT_ONCE;
    size_t at_once = lines * workers;
    round_of_lines next = {body, context, 0};
    for (size_t n = 0; next.first < count && !gp_is_over(product->watch); next.first += n) {
        n = count - next.first < at_once ? count - next.first : at_once;
        gp_parallel(n, workers, run_part, &next);
    }
}
