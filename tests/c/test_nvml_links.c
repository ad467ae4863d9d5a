#include "device/gp_nvml_links.h"
#include "device/gp_nvml_topology.h"
#include "harness.h"

#include <string.h>

enum { LINKS = 4, UNKNOWN = 999 };

/* Link 0 leads to a GPU, 1 is left out of the product, 2 is down, 3 leads to a switch. */
static gp_nvml_result state_codes[LINKS] = {0, GP_NVML_ERROR_NOT_SUPPORTED, 0, 0};
static gp_nvml_result kind_code, field_codes[4];
static gp_nvml_result beyond = GP_NVML_ERROR_INVALID_ARGUMENT;

static gp_nvml_result
get_state(gp_nvml_device device, unsigned int link, unsigned int *active)
{
    (void)device;
    if (link >= LINKS) { return beyond; }
    *active = link != 2;
    return state_codes[link];
}

static gp_nvml_result
get_kind(gp_nvml_device device, unsigned int link, unsigned int *kind)
{
    (void)device;
    if (kind_code != 0) { return kind_code; }
    *kind = link == 3 ? GP_NVML_LINK_TO_SWITCH : 0;
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_remote(gp_nvml_device device, unsigned int link, gp_nvml_pci *pci)
{
    (void)device;
    ASSERT(link != 2 && link != 3); /* nobody asks what a switch's or a dead link leads to */
    *pci = (gp_nvml_pci){.domain = 0, .bus = 0x41, .device = 0};
    return GP_NVML_SUCCESS;
}

static gp_nvml_result
get_fields(gp_nvml_device device, int count, gp_nvml_field_value *values)
{
    (void)device;
    for (int i = 0; i < count; i++) {
        values[i].result = field_codes[i];
        values[i].type = GP_NVML_TYPE_UINT;
        values[i].value = 0xDEAD00000000ULL + 5; /* the upper half is not the number's */
    }
    return GP_NVML_SUCCESS;
}

static gp_nvml
table(void)
{
    return (gp_nvml){
        .library = {.name = "scripted"},
        .nvmlDeviceGetNvLinkState = get_state,
        .nvmlDeviceGetNvLinkRemoteDeviceType = get_kind,
        .nvmlDeviceGetNvLinkRemotePciInfo_v2 = get_remote,
        .nvmlDeviceGetFieldValues = get_fields,
    };
}

TEST(nvlinks_are_listed_with_what_they_lead_to)
{
    gp_nvml nv = table();
    gp_nvml_links links = {.count = 9};
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_OK(links.read);
    ASSERT_INT(3, links.count);
    ASSERT_TEXT("0000:41:00.0", links.at[0].remote);
    ASSERT_INT(2, links.at[1].number);
    ASSERT(!links.at[1].is_active);
    ASSERT_INT(GP_NVML_LINK_TO_SWITCH, links.at[2].remote_kind);
    ASSERT_TEXT("", links.at[2].remote);
    ASSERT_OK(links.errors.read);
    ASSERT_INT(20, links.errors.value);
}

TEST(nvlinks_end_by_themselves_where_nvml_names_no_end)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    beyond = GP_NVML_SUCCESS;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_OK(links.read);
    ASSERT_INT(GP_NVML_MOST_LINKS - 1, links.count);
}

TEST(a_gpu_without_nvlinks_has_none_and_no_errors)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    state_codes[0] = GP_NVML_ERROR_NOT_SUPPORTED;
    nv.nvmlDeviceGetFieldValues = NULL; /* not asked */
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_OK(links.read);
    ASSERT_INT(0, links.count);
    ASSERT_OK(links.errors.read);
    ASSERT_INT(0, links.errors.value);
}

TEST(one_bad_nvlink_does_not_spoil_the_list)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    state_codes[0] = UNKNOWN;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_INT(3, links.count);
    ASSERT_FAILED(GP_NVML, UNKNOWN, links.at[0].read);
    ASSERT_OK(links.at[2].read);
}

TEST(nvlinks_of_a_gpu_that_is_lost_meanwhile_are_not_known)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    state_codes[2] = GP_NVML_ERROR_GPU_IS_LOST;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_FAILED(GP_NVML, GP_NVML_ERROR_GPU_IS_LOST, links.read);
}

TEST(nvlinks_of_an_older_library_are_not_known)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    nv.nvmlDeviceGetNvLinkState = NULL;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, links.read);
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, links.errors.read);
}

TEST(an_nvlink_of_unknown_kind_still_tells_its_address)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    kind_code = GP_NVML_ERROR_NOT_SUPPORTED;
    state_codes[3] = GP_NVML_ERROR_NOT_SUPPORTED;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_INT(GP_NVML_LINK_TO_UNKNOWN, links.at[0].remote_kind);
    ASSERT_TEXT("0000:41:00.0", links.at[0].remote);
    ASSERT_FAILED(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED, links.at[0].remote_read);
}

TEST(nvlink_errors_leave_out_the_kinds_that_the_gpu_does_not_count)
{
    gp_nvml nv = table();
    gp_nvml_links links;
    field_codes[1] = field_codes[3] = GP_NVML_ERROR_NOT_SUPPORTED;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_OK(links.errors.read);
    ASSERT_INT(10, links.errors.value);
    field_codes[0] = field_codes[2] = GP_NVML_ERROR_NOT_SUPPORTED;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_FAILED(GP_NVML, GP_NVML_ERROR_NOT_SUPPORTED, links.errors.read);
    field_codes[2] = UNKNOWN;
    gp_nvml_links_read(&nv, NULL, &links);
    ASSERT_FAILED(GP_NVML, UNKNOWN, links.errors.read);
}

static void
assert_cpus(const char *expected, const unsigned long *words, size_t count)
{
    gp_text text = GP_TEXT_EMPTY;
    gp_cpu_list_append(&text, words, count);
    ASSERT_TEXT(expected, gp_text_get(&text));
    gp_text_free(&text);
}

TEST(cpus_are_listed_as_taskset_does)
{
    const size_t bits = 8 * sizeof(unsigned long);
    const unsigned long all = ~0UL, last = 1UL << (bits - 1);
    assert_cpus("", (const unsigned long[]){0}, 1);
    assert_cpus("0", (const unsigned long[]){1}, 1);
    assert_cpus("1,3", (const unsigned long[]){0xA}, 1);
    assert_cpus("0-2,4-5,7", (const unsigned long[]){0xB7}, 1);
    if (bits == 64) {
        assert_cpus("0-63", (const unsigned long[]){all}, 1);
        assert_cpus("63-64,127", (const unsigned long[]){last, last | 1}, 2);
        assert_cpus("0-127", (const unsigned long[]){all, all}, 2);
    }
}
