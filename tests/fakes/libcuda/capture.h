/* What streams and memory need to know of stream capture. */
#ifndef FAKE_CAPTURE_H
#define FAKE_CAPTURE_H

#include "fake_cuda.h"

typedef struct fake_capture {
    bool is_active;
    bool is_origin; /* begun on this stream, and not joined by a wait */
} fake_capture;

/* NULL for the default stream, which cannot be captured. */
fake_capture *fake_capture_of(CUstream stream);

/* A call that no thread may make during a capture unless it has said that it knows: taking memory,
 * loading a module. Not CUDA_SUCCESS, here and below: it is the end of all captures. */
CUresult fake_capture_allows(void);

/* An event is asked or waited for; assumed: like those. */
CUresult fake_capture_allows_event(bool is_captured);

/* An event is recorded on a stream. */
CUresult fake_capture_record(const fake_capture *capture, bool *is_captured);

/* The host waits for a stream, or for the whole context (NULL). */
CUresult fake_capture_allows_wait(const fake_capture *capture);

/* A stream waits for work that is captured or is not. */
CUresult fake_capture_join(fake_capture *later, bool of_captured);

#endif
