#include "alloc_hook.h"
#include "device/gp_nvml_processes.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

enum { NO_PERMISSION = 4, UNKNOWN = 999 };

#define GIB (1024ULL * 1024 * 1024)

static gp_nvml_process_v2 computing[100], drawing[2];
static unsigned int computing_count, drawing_count, calls;
static gp_nvml_result compute_code, graphics_code;

/* As drivers do: too little room is told with the number that would do. */
static gp_nvml_result
give(const gp_nvml_process_v2 *all, unsigned int there, unsigned int *count, void *room,
     size_t size)
{
    calls++;
    if (*count < there) {
        *count = there;
        return GP_NVML_ERROR_INSUFFICIENT_SIZE;
    }
    *count = there;
    for (unsigned int i = 0; i < there; i++) {
        memcpy((char *)room + i * size, &all[i], size);
    }
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
compute_v2(gp_nvml_device device, unsigned int *count, gp_nvml_process_v2 *room)
{
    (void)device;
    return compute_code != 0 ? compute_code
                             : give(computing, computing_count, count, room, sizeof(*room));
}

static gp_nvml_result
compute_v1(gp_nvml_device device, unsigned int *count, gp_nvml_process_v1 *room)
{
    (void)device;
    return give(computing, computing_count, count, room, sizeof(*room));
}

static gp_nvml_result
graphics_v2(gp_nvml_device device, unsigned int *count, gp_nvml_process_v2 *room)
{
    (void)device;
    return graphics_code != 0 ? graphics_code
                              : give(drawing, drawing_count, count, room, sizeof(*room));
}

static gp_nvml_result
get_name(unsigned int pid, char *name, unsigned int size)
{
    (void)snprintf(name, size, "program%u", pid);
    return GP_NVML_SUCCESS;
}

static gp_nvml
table(void)
{
    return (gp_nvml){
        .library = {.name = "scripted"},
        .nvmlDeviceGetComputeRunningProcesses_v2 = compute_v2,
        .nvmlDeviceGetGraphicsRunningProcesses_v2 = graphics_v2,
        .nvmlSystemGetProcessName = get_name,
    };
}

static gp_nvml_processes
read_all(const gp_nvml *nv)
{
    gp_nvml_processes processes;
    gp_nvml_processes_read(nv, NULL, 80 * GIB, &processes);
    return processes;
}

static void
run_processes(unsigned int count)
{
    computing_count = count;
    for (unsigned int i = 0; i < count; i++) {
        computing[i] = (gp_nvml_process_v2){100 + i, GIB / 2 + i, 0xFFFFFFFF, 0xFFFFFFFF};
    }
}

TEST(processes_are_read_in_the_form_of_the_newer_function)
{
    gp_nvml nv = table();
    run_processes(2);
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_OK(processes.read);
    ASSERT_INT(2, processes.count);
    ASSERT_INT(101, processes.list[1].pid);
    ASSERT_INT(GIB / 2 + 1, processes.list[1].used);
    ASSERT_TEXT("program101", processes.list[1].name);
    gp_nvml_processes_free(&processes);
    ASSERT_INT(0, alloc_live());
}

TEST(processes_are_read_in_the_form_of_the_older_function)
{
    gp_nvml nv = table();
    nv.nvmlDeviceGetComputeRunningProcesses_v2 = NULL;
    nv.nvmlDeviceGetComputeRunningProcesses = compute_v1;
    run_processes(3);
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_INT(3, processes.count);
    ASSERT_INT(102, processes.list[2].pid);
    ASSERT_INT(GIB / 2 + 2, processes.list[2].used);
    gp_nvml_processes_free(&processes);
}

TEST(processes_that_do_not_fit_are_asked_for_with_more_room)
{
    gp_nvml nv = table();
    run_processes(100);
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_INT(100, processes.count);
    ASSERT_INT(199, processes.list[99].pid);
    ASSERT_INT(3, calls); /* too few, enough, and those that draw */
    gp_nvml_processes_free(&processes);
    ASSERT_INT(0, alloc_live());
}

TEST(a_process_that_computes_and_draws_is_listed_once)
{
    gp_nvml nv = table();
    run_processes(1);
    drawing[0] = (gp_nvml_process_v2){100, GIB, 0, 0};
    drawing[1] = (gp_nvml_process_v2){7, GIB, 0, 0};
    drawing_count = 2;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_INT(2, processes.count);
    ASSERT_INT(7, processes.list[1].pid);
    gp_nvml_processes_free(&processes);
}

TEST(memory_that_is_not_told_of_a_process_is_kept_as_such)
{
    gp_nvml nv = table();
    run_processes(1);
    computing[0].used = GP_NVML_VALUE_NOT_AVAILABLE;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_OK(processes.read);
    ASSERT(processes.list[0].used == GP_NVML_VALUE_NOT_AVAILABLE);
    gp_nvml_processes_free(&processes);
}

TEST(entries_of_another_form_are_recognised_and_dropped)
{
    gp_nvml nv = table();
    run_processes(2);
    computing[1].pid = 0;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_FAILED(GP_WRONG_RESULT, 0, processes.read);
    ASSERT_INT(0, processes.count);
    computing[1] = (gp_nvml_process_v2){9, 81 * GIB, 0, 0};
    processes = read_all(&nv);
    ASSERT_FAILED(GP_WRONG_RESULT, 0, processes.read);
    ASSERT_TEXT("nvmlDeviceGetComputeRunningProcesses", processes.read.call);
    run_processes(1);
    drawing_count = 1; /* by process 0 */
    processes = read_all(&nv);
    ASSERT_FAILED(GP_WRONG_RESULT, 0, processes.read);
    ASSERT_TEXT("nvmlDeviceGetGraphicsRunningProcesses", processes.read.call);
    ASSERT_INT(0, alloc_live());
}

/* Of entries as large as there was room for: nothing of it is empty. */
static gp_nvml_result
claim_more_than_fits(gp_nvml_device device, unsigned int *count, gp_nvml_process_v2 *room)
{
    const uint64_t one = 1; /* as a number of a process, and as bytes that it holds */
    (void)device;
    for (size_t i = 0; i < *count * (size_t)4; i++) {
        memcpy((char *)room + i * sizeof(one), &one, sizeof(one));
    }
    *count *= 2;
    return GP_NVML_SUCCESS;
}

TEST(more_processes_than_there_was_room_for_are_no_list)
{
    gp_nvml nv = table();
    nv.nvmlDeviceGetComputeRunningProcesses_v2 = claim_more_than_fits;
    nv.nvmlDeviceGetGraphicsRunningProcesses_v2 = NULL;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_FAILED(GP_WRONG_RESULT, 0, processes.read);
    ASSERT_INT(0, alloc_live());
}

TEST(a_list_that_may_not_be_read_keeps_its_code)
{
    gp_nvml nv = table();
    compute_code = NO_PERMISSION;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_FAILED(GP_NVML, NO_PERMISSION, processes.read);
    ASSERT(processes.list == NULL);
}

/* Drawing may be beyond a product; that nobody tells who computes is not that nobody does. */
TEST(without_those_that_compute_there_is_no_list)
{
    gp_nvml nv = table();
    drawing[0] = (gp_nvml_process_v2){7, GIB, 0, 0};
    drawing_count = 1;
    compute_code = GP_NVML_ERROR_NOT_SUPPORTED;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_FAILED(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED, processes.read);
    ASSERT_INT(0, processes.count);
}

TEST(half_a_list_of_processes_is_no_list)
{
    gp_nvml nv = table();
    run_processes(1);
    graphics_code = UNKNOWN;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_FAILED(GP_NVML, UNKNOWN, processes.read);
    ASSERT_INT(0, processes.count);
    ASSERT_INT(0, alloc_live());
}

TEST(a_product_that_cannot_draw_still_lists_what_computes)
{
    gp_nvml nv = table();
    run_processes(1);
    graphics_code = GP_NVML_ERROR_NOT_SUPPORTED;
    gp_nvml_processes processes = read_all(&nv);
    ASSERT_OK(processes.read);
    ASSERT_INT(1, processes.count);
    gp_nvml_processes_free(&processes);
    nv.nvmlDeviceGetGraphicsRunningProcesses_v2 = NULL;
    processes = read_all(&nv);
    ASSERT_INT(1, processes.count);
    gp_nvml_processes_free(&processes);
}

TEST(processes_without_memory_are_a_failure_that_leaks_nothing)
{
    gp_nvml nv = table();
    for (size_t n = 1;; n++) {
        run_processes(40);
        drawing[0] = (gp_nvml_process_v2){7, GIB, 0, 0};
        drawing_count = 1;
        alloc_fail_at(n);
        gp_nvml_processes processes = read_all(&nv);
        bool has_failed = alloc_has_failed();
        if (has_failed) { ASSERT_FAILED(GP_NO_MEMORY, 0, processes.read); }
        gp_nvml_processes_free(&processes);
        ASSERT_INT(0, alloc_live());
        if (!has_failed) { break; }
    }
}
