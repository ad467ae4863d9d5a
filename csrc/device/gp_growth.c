#include "gp_growth.h"

#include <stdint.h>

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t
most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t
round_down(size_t size, size_t page)
{
    return size / page * page;
}

size_t
gp_round_up(size_t size, size_t page)
{
    size_t over = size % page;
    if (over == 0) { return size; }
    return size > SIZE_MAX - (page - over) ? 0 : size + (page - over);
}

gp_growth
gp_growth_plan(gp_growth_wish wish, size_t free_bytes, size_t total_bytes, size_t page)
{
    size_t limit = wish.limit == 0 ? total_bytes : least(wish.limit, total_bytes);
    size_t room = free_bytes > GP_GROWTH_HEADROOM ? free_bytes - GP_GROWTH_HEADROOM : 0;
    size_t initial = 0;
    if (wish.fraction > 0) {
        double share = wish.fraction * (double)free_bytes;
        initial = share < (double)room ? (size_t)share : room;
    }
    limit = round_down(limit, page);
    return (gp_growth){round_down(least(initial, limit), page), limit, GP_GROWTH_CHUNK};
}

size_t
gp_growth_step(gp_growth growth, size_t held, size_t want, size_t page)
{
    size_t room = held < growth.limit ? round_down(growth.limit - held, page) : 0;
    if (want == 0 || want > room) { return 0; }
    size_t usual = least(most(growth.chunk, held / 4), GP_GROWTH_MOST_STEP);
    return least(most(want, round_down(usual, page)), room);
}

size_t
gp_growth_smaller(size_t step, size_t want, size_t page)
{
    return most(want, round_down(step / 2, page));
}
