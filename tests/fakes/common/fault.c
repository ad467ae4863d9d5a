#include "fault.h"

#include "scenario.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FAULTS = 32 };

typedef struct planned_fault {
    char call[FAKE_TEXT];
    size_t nth; /* 0: every time */
    int device; /* -1: any, or none */
    int code;   /* to return; 0: none */
    unsigned hang_seconds;
    int signal; /* to die of; 0: none */
    atomic_size_t seen;
} planned_fault;

static planned_fault faults[MAX_FAULTS];
static size_t fault_count;
static atomic_size_t calls_made;
static const char *_Atomic failed_call; /* the last one that a fault made fail */

/* How the names of a library's functions begin, those that begin alike with the longer one first;
 * "" for a name that belongs to none. */
static const char *
owner_of(const char *call)
{
    static const char *const prefixes[] = {"cudnn", "cublas", "cu", "nvml"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (strncmp(call, prefixes[i], strlen(prefixes[i])) == 0) { return prefixes[i]; }
    }
    return "";
}

/* One scenario serves all libraries: each checks the names that begin as its own do. */
static void
require_exported(const char *call)
{
    const char *owner = owner_of(call);
    if (*owner == '\0') { fake_die("[faults] names no function of CUDA or NVML: %s", call); }
    if (strchr(call, '*') != NULL || strcmp(owner, fake_prefix) != 0) { return; }
    Dl_info self;
    void *handle = NULL;
    if (dladdr(&fault_count, &self) != 0) {
        handle = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    }
    if (handle == NULL || dlsym(handle, call) == NULL) {
        fake_die("[faults] names a function that the fake does not have: %s", call);
    }
}

/* The code of a word for a spoiled result; 0: it is none. */
static int
spoiling(const char *what)
{
    static const char *const words[] = {"flip", "swap", "zero", "nan", "tf32"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(what, words[i]) == 0) { return FAKE_FLIP - i; }
    }
    return 0;
}

static void
set_effect(planned_fault *fault, const char *what)
{
    char end = '\0';
    if (strcmp(what, "segv") == 0) { fault->signal = SIGSEGV; }
    else if (strcmp(what, "abort") == 0) {
        fault->signal = SIGABRT;
    }
    else if (spoiling(what) != 0) {
        fault->code = spoiling(what);
    }
    else if (sscanf(what, "hang %u%c", &fault->hang_seconds, &end) != 1 &&
             sscanf(what, "%d%c", &fault->code, &end) != 1) {
        fake_die(
            "[faults] %s: not a code, hang SECONDS, segv, abort, flip, swap, zero, nan or tf32: "
            "%s",
            fault->call, what);
    }
}

void
fake_add_fault(const char *call, const char *what)
{
    if (fault_count == MAX_FAULTS || strlen(call) >= FAKE_TEXT) {
        fake_die("[faults] too many, or too long: %s", call);
    }
    planned_fault *fault = &faults[fault_count++];
    strcpy(fault->call, call);
    fault->device = -1;
    char *slash = strchr(fault->call, '/');
    if (slash != NULL) {
        *slash = '\0';
        fault->device = atoi(slash + 1);
    }
    char *at = strchr(fault->call, '@');
    if (at != NULL) {
        *at = '\0';
        fault->nth = strtoul(at + 1, NULL, 10);
    }
    require_exported(fault->call);
    set_effect(fault, what);
}

static int
is_meant(const planned_fault *fault, const char *call)
{
    if (fault->device >= 0 && fault->device != fake_device_in_use()) { return 0; }
    const char *star = strchr(fault->call, '*');
    if (star == NULL) { return strcmp(fault->call, call) == 0; }
    return owner_of(fault->call) == owner_of(call) &&
           strncmp(fault->call, call, (size_t)(star - fault->call)) == 0;
}

static int
strike(const planned_fault *fault, const char *call)
{
    if (fault->signal != 0) { raise(fault->signal); }
    if (fault->hang_seconds > 0) { sleep(fault->hang_seconds); }
    if (fault->code > 0) { failed_call = call; }
    return fault->code;
}

int
fake_enter(const char *call)
{
    (void)fake_machine(); /* reads the faults, too */
    calls_made++;
    int code = 0;
    for (size_t i = 0; i < fault_count; i++) {
        planned_fault *fault = &faults[i];
        if (!is_meant(fault, call)) { continue; }
        /* Each counts every call, also one that another fault strikes. */
        const size_t seen = ++fault->seen;
        if (code == 0 && (fault->nth == 0 || fault->nth == seen)) { code = strike(fault, call); }
    }
    return code;
}

void
fake_report(const char *library, const char *counts)
{
    const char *path = getenv("GPUPROBE_FAKE_REPORT");
    /* Several processes of one test write here: one write each, at the end of the file. */
    const int file =
        path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) { return; }
    const char *failed = failed_call == NULL ? "" : failed_call;
    dprintf(file, "{\"library\":\"%s\",\"calls\":%zu,\"failed\":\"%s\",%s}\n", library,
            (size_t)calls_made, failed, counts);
    close(file);
}
