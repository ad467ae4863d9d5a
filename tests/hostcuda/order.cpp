#include "order.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

static bool
parse_seed(const char *text, std::uint64_t *seed)
{
    char *end = nullptr;
    errno = 0;
    *seed = std::strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *text != '-';
}

bool
order_from_environment(order *out)
{
    const char *text = std::getenv("HOSTCUDA_ORDER");
    *out = {order_kind::ascending, 0};
    if (text == nullptr || std::strcmp(text, "ascending") == 0) { return true; }
    if (std::strcmp(text, "descending") == 0) {
        out->kind = order_kind::descending;
        return true;
    }
    out->kind = order_kind::random;
    if (std::strcmp(text, "random") == 0) { return true; }
    if (std::strncmp(text, "random:", 7) == 0 && parse_seed(text + 7, &out->state)) { return true; }
    std::fprintf(stderr, "HOSTCUDA_ORDER=%s: expected ascending, descending or random:SEED\n",
                 text);
    return false;
}

/* A 64-bit linear congruential generator (Knuth, MMIX); the high half is random enough here. */
static unsigned
random_below(order *by, unsigned bound)
{
    by->state = by->state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((by->state >> 32) % bound);
}

void
arrange(order *by, unsigned *turns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        turns[i] = by->kind == order_kind::descending ? n - 1 - i : i;
    }
    if (by->kind != order_kind::random) { return; }
    for (unsigned i = n; i > 1; i--) {
        std::swap(turns[i - 1], turns[random_below(by, i)]);
    }
}
