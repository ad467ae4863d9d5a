/* Streams whose work somebody captures into a CUDA graph. It is written down there and not done, so
 * that nobody can wait for it: a call that tries to breaks the capture, and the program that makes
 * the graph is told of a failure that is not its own. What would break one is therefore not called;
 * the driver is asked first, which is no harm to a capture. A driver older than CUDA 10.0 has none.
 *
 * A capture on a stream that holds nothing of ours is not seen; the default stream tells of those
 * beside it that are blocking ones. */
#ifndef GP_CAPTURE_H
#define GP_CAPTURE_H

#include "device/gp_context.h"

typedef enum gp_capture {
    GP_CAPTURE_NONE,
    GP_CAPTURE_HERE,  /* the stream's work is captured */
    GP_CAPTURE_BESIDE /* the default stream is out of use until the capture of another one ends */
} gp_capture;

/* The context is current, here and below. Where the driver does not know the stream: none. */
gp_capture gp_capture_of(const gp_cuda *cu, gp_cu_stream stream);

/* GP_CAPTURE where the host cannot wait for the stream. */
gp_status gp_capture_check(const gp_cuda *cu, gp_cu_stream stream, const char *call);

/* GP_CAPTURE where `later` cannot wait for `earlier`: what is captured never for what is not. */
gp_status gp_capture_check_order(const gp_cuda *cu, gp_cu_stream later, gp_cu_stream earlier,
                                 const char *call);

/* With the function of the driver that is not called then, from one word. */
#define GP_CAPTURE_CHECK(cu, stream, name) \
    ((void)sizeof((cu)->name), gp_capture_check((cu), (stream), #name))
#define GP_CAPTURE_CHECK_ORDER(cu, later, earlier, name) \
    ((void)sizeof((cu)->name), gp_capture_check_order((cu), (later), (earlier), #name))

/* As gp_context_enter and gp_context_leave. In between, this thread may take memory, ask events and
 * load kernels also while another one captures, which the driver else forbids every thread of the
 * process, and takes for a failure of the capture. `before` is for the leave. */
gp_status gp_capture_enter(const gp_context *context, gp_cu_capture_mode *before);
gp_status gp_capture_leave(const gp_context *context, gp_cu_capture_mode before);

#endif
