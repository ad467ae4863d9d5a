#include "fibers.h"

#include "sanitizer.h"

#include <csetjmp>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static const std::size_t stack_bytes = 128 * 1024;

/* A fiber starts once, by its context, and from then on changes places by _setjmp and _longjmp:
 * swapcontext would ask the system for the signal mask each time. */
struct fiber {
    ucontext_t context;
    jmp_buf place; /* where it goes on */
    bool has_begun;
    unsigned char *stack; /* the lowest page is a guard: an overflow faults instead of spreading */
    hostcuda_index index;
    bool ended;
    sanitizer_stack shadow;
};

hostcuda_index threadIdx, blockIdx, blockDim, gridDim;

/* What the running fiber needs; one launch at a time, see hostcuda_launch. */
static jmp_buf scheduler;
static sanitizer_stack scheduler_shadow;
static fiber *running;
static hostcuda_thunk running_kernel;
static void **running_params;

static bool
map_stack(unsigned char **out)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (stack == MAP_FAILED) { return false; }
    *out = static_cast<unsigned char *>(stack);
    return mprotect(stack, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE) == 0;
}

bool
crew_hire(crew *out, unsigned size)
{
    *out = {static_cast<fiber *>(std::calloc(size, sizeof(fiber))),
            static_cast<unsigned *>(std::calloc(size, sizeof(unsigned))), size};
    bool ok = out->fibers != nullptr && out->turns != nullptr;
    for (unsigned i = 0; ok && i < size; i++) {
        ok = map_stack(&out->fibers[i].stack);
    }
    if (!ok) { crew_dismiss(out); }
    return ok;
}

void
crew_dismiss(crew *of)
{
    for (unsigned i = 0; of->fibers != nullptr && i < of->size; i++) {
        if (of->fibers[i].stack != nullptr) { (void)munmap(of->fibers[i].stack, stack_bytes); }
    }
    std::free(of->fibers);
    std::free(of->turns);
}

/* Back to the scheduler; returns when the fiber's turn comes again. */
static void
yield(fiber *self)
{
    if (_setjmp(self->place) == 0) { _longjmp(scheduler, 1); }
}

void
__syncthreads()
{
    fiber *self = running;
    sanitizer_leave(&self->shadow, &scheduler_shadow);
    yield(self);
    sanitizer_arrive(&self->shadow, nullptr);
}

/* One thread of each block. Between two blocks nothing of its stack is used. */
static void
fiber_main()
{
    for (;;) {
        sanitizer_arrive(nullptr, &scheduler_shadow);
        running_kernel(running_params);
        running->ended = true;
        sanitizer_leave(nullptr, &scheduler_shadow);
        yield(running);
    }
}

static void
prepare_fiber(fiber *self, unsigned number)
{
    self->ended = false;
    self->index = {number % blockDim.x, number / blockDim.x % blockDim.y,
                   number / blockDim.x / blockDim.y};
    self->shadow = {nullptr, self->stack, stack_bytes};
}

static void
begin_fiber(fiber *self)
{
    self->has_begun = true;
    (void)getcontext(&self->context);
    self->context.uc_stack.ss_sp = self->stack;
    self->context.uc_stack.ss_size = stack_bytes;
    self->context.uc_link = nullptr;
    makecontext(&self->context, fiber_main, 0);
    (void)setcontext(&self->context);
}

/* Runs the fiber up to its next barrier or its end. */
static void
resume_fiber(fiber *self)
{
    running = self;
    threadIdx = self->index;
    sanitizer_leave(&scheduler_shadow, &self->shadow);
    if (_setjmp(scheduler) == 0) {
        if (self->has_begun) { _longjmp(self->place, 1); }
        begin_fiber(self);
    }
    sanitizer_arrive(&scheduler_shadow, nullptr);
}

bool
crew_run_block(crew *of, order *by, hostcuda_thunk kernel, void **params)
{
    running_kernel = kernel;
    running_params = params;
    for (unsigned i = 0; i < of->size; i++) {
        prepare_fiber(&of->fibers[i], i);
    }
    for (;;) {
        unsigned ended = 0;
        arrange(by, of->turns, of->size);
        for (unsigned i = 0; i < of->size; i++) {
            resume_fiber(&of->fibers[of->turns[i]]);
            ended += of->fibers[of->turns[i]].ended;
        }
        if (ended == of->size) { return true; }
        if (ended > 0) { return false; }
    }
}
