#include "alloc_hook.h"
#include "base/gp_text.h"
#include "harness.h"

#include <string.h>

TEST(text_is_empty_and_never_null)
{
    gp_text text = GP_TEXT_EMPTY;
    ASSERT_TEXT("", gp_text_get(&text));
    gp_text_append(&text, "");
    ASSERT_TEXT("", gp_text_get(&text));
    gp_text_free(&text);
    ASSERT_INT(0, alloc_live());
}

TEST(text_keeps_what_is_appended_across_growth)
{
    gp_text text = GP_TEXT_EMPTY;
    for (int i = 0; i < 1000; i++) {
        gp_text_format(&text, "%03d,", i);
    }
    ASSERT_INT(4000, text.size);
    ASSERT(memcmp(text.data + 3996, "999,", 5) == 0);
    gp_text_free(&text);
}

TEST(text_keeps_bytes_that_are_zero)
{
    gp_text text = GP_TEXT_EMPTY;
    gp_text_append_bytes(&text, "a\0b", 3);
    ASSERT_INT(3, text.size);
    ASSERT(memcmp(text.data, "a\0b", 4) == 0);
    gp_text_free(&text);
}

/* The sum of the sizes would wrap: 2^64 - 1 more than what is there. */
TEST(text_refuses_sizes_that_would_wrap)
{
    gp_text text = GP_TEXT_EMPTY;
    gp_text_append(&text, "kept");
    ASSERT(gp_text_reserve(&text, SIZE_MAX) == NULL);
    ASSERT(text.failed);
    ASSERT_TEXT("kept", gp_text_get(&text));
    gp_text_free(&text);
}

TEST(text_stops_at_its_limit_and_one_byte_below_it_fits)
{
    gp_text text = GP_TEXT_EMPTY;
    ASSERT(gp_text_reserve(&text, GP_TEXT_LIMIT) == NULL);
    gp_text_clear(&text);
    ASSERT(gp_text_reserve(&text, GP_TEXT_LIMIT - 1) != NULL);
    gp_text_free(&text);
}

TEST(text_remembers_a_failed_allocation_until_it_is_cleared)
{
    gp_text text = GP_TEXT_EMPTY;
    alloc_fail_at(1);
    gp_text_append(&text, "lost");
    gp_text_append(&text, "also lost");
    ASSERT_FAILED(GP_NO_MEMORY, 0, gp_text_status(&text, "test"));
    ASSERT_TEXT("", gp_text_get(&text));
    gp_text_clear(&text);
    gp_text_append(&text, "new");
    ASSERT_OK(gp_text_status(&text, "test"));
    ASSERT_TEXT("new", gp_text_get(&text));
    gp_text_free(&text);
}
