/* The order in which the threads of a phase, and the blocks of a grid, take their turns. */
#ifndef HOSTCUDA_ORDER_H
#define HOSTCUDA_ORDER_H

#include <cstdint>

enum class order_kind { ascending, descending, random };

struct order {
    order_kind kind;
    std::uint64_t state; /* of the random numbers; each arrangement is another one */
};

/* Reads HOSTCUDA_ORDER. Returns false, with a line on standard error, if it cannot be understood.
 */
bool order_from_environment(order *out);

/* Fills `turns` with the numbers 0 … n-1 in this order. */
void arrange(order *by, unsigned *turns, unsigned n);

#endif
