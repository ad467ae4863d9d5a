#include "device/gp_pci.h"
#include "device/gp_uuid.h"
#include "harness.h"

static void
assert_pci(const char *expected, const char *given)
{
    gp_pci pci;
    char text[GP_PCI_SIZE];
    ASSERT(gp_pci_parse(given, &pci));
    gp_pci_format(&pci, text);
    ASSERT_TEXT(expected, text);
}

TEST(pci_is_written_as_sysfs_writes_it)
{
    assert_pci("0000:01:00.0", "00000000:01:00.0");
    assert_pci("0000:c1:1f.7", "0000:C1:1F.7");
    assert_pci("10000:01:00.0", "00010000:01:00.0");
}

TEST(pci_refuses_what_is_not_an_address)
{
    static const char *const bad[] = {
        "",
        "0000:01:00",
        "0000:01:00.",
        "0000:01:00.0x",
        "0000:100:00.0",
        "0000:01:20.0",
        "0000:01:00.8",
        "-1:01:00.0",
        " 0:01:00.0",
        "0x0:01:00.0",
        "100000000:01:00.0",
    };
    gp_pci pci;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (gp_pci_parse(bad[i], &pci)) { ASSERT_TEXT("refused", bad[i]); }
    }
}

TEST(uuid_with_zero_bytes_is_written_whole)
{
    gp_cu_uuid uuid = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, (char)0xFF}};
    char text[GP_UUID_TEXT_SIZE];
    gp_uuid_format("MIG", &uuid, text);
    ASSERT_TEXT("MIG-00010203-0405-0607-0809-0a0b0c0d0eff", text);
}
