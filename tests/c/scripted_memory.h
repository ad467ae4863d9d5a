/* The scripted driver's memory: how much the device has, what of it is held and by what, and
 * events that are ready when a test says so. Nobody follows an address. */
#ifndef SCRIPTED_MEMORY_H
#define SCRIPTED_MEMORY_H

#include "scripted_cuda.h"

#define MIB ((size_t)1 << 20)

enum { SCRIPTED_MOST_PIECES = 4096 };

/* Device memory, made by either way. */
typedef struct scripted_piece {
    gp_cu_deviceptr address; /* 0: not mapped */
    size_t size;             /* 0: no such piece */
    bool has_handle;
    bool is_open;
} scripted_piece;

typedef struct scripted_memory {
    /* What to do. */
    bool is_virtual; /* has virtual memory management */
    size_t page;
    size_t total;
    size_t others;             /* held by other processes */
    bool is_ready;             /* what cuEventQuery says */
    gp_cu_stream lost;         /* a stream that the driver does not know; NULL: none */
    gp_cu_result wait_failure; /* of cuEventSynchronize; 0: none */

    /* What was done. */
    size_t held;
    size_t most_asked; /* by one call for memory */
    int reservations;
    int events;
    int records;
    int waits;
    int context_waits;
    scripted_piece pieces[SCRIPTED_MOST_PIECES];
} scripted_memory;

/* At first: 1 GiB, virtual, pages of 2 MiB, nothing held, events that are not ready. */
extern scripted_memory memory;

/* The scripted driver with memory. */
gp_cuda scripted_memory_table(void);

/* Fails the test if anything is still held, by the arena, of the driver or of the host. */
void scripted_memory_assert_released(void);

#endif
