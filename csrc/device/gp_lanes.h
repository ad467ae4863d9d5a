/* Lanes: the streams that use an arena, as bits of one word. A stream has a lane of its own as long
 * as there are any; the last lane is the crowd's: of all streams that have none of their own. Those
 * are in no order. */
#ifndef GP_LANES_H
#define GP_LANES_H

#include <stdint.h>

enum { GP_MOST_LANES = 64, GP_CROWD_LANE = GP_MOST_LANES - 1 };

typedef uint64_t gp_lanes;

#define GP_LANE(lane) ((gp_lanes)1 << (lane))

#endif
