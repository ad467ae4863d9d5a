#include "alloc_hook.h"
#include "base/gp_json.h"
#include "base/gp_utf8.h"
#include "harness.h"

static void
assert_string(const char *expected, const char *string)
{
    gp_text text = GP_TEXT_EMPTY;
    gp_json json = gp_json_to(&text);
    gp_json_string(&json, string);
    ASSERT_TEXT(expected, gp_text_get(&text));
    gp_text_free(&text);
}

static void
write_document(gp_json *json)
{
    gp_json_open_object(json);
    gp_json_key(json, "list");
    gp_json_open_array(json);
    gp_json_int(json, -1);
    gp_json_open_object(json);
    gp_json_close_object(json);
    gp_json_uint(json, UINT64_MAX);
    gp_json_close_array(json);
    gp_json_key(json, "none");
    gp_json_null(json);
    gp_json_key(json, "yes");
    gp_json_bool(json, true);
    gp_json_key(json, "ms");
    gp_json_milliseconds(json, 1002003);
    gp_json_close_object(json);
}

TEST(json_puts_commas_between_elements_only)
{
    gp_text text = GP_TEXT_EMPTY;
    gp_json json = gp_json_to(&text);
    write_document(&json);
    ASSERT_TEXT("{\"list\":[-1,{},18446744073709551615],\"none\":null,\"yes\":true,\"ms\":1.002}",
                gp_text_get(&text));
    gp_text_free(&text);
}

TEST(json_escapes_quotes_backslashes_and_controls)
{
    assert_string("\"C:\\\\x \\\"y\\\"\"", "C:\\x \"y\"");
    assert_string("\"\\u0001\\u000a\\u007f\"", "\x01\n\x7f");
    assert_string("null", NULL);
}

TEST(json_keeps_utf8_of_every_length)
{
    assert_string("\"\xC3\xA9\"", "\xC3\xA9");
    assert_string("\"\xE2\x82\xAC\"", "\xE2\x82\xAC");
    assert_string("\"\xF0\x9F\x98\x80\"", "\xF0\x9F\x98\x80");
}

TEST(json_replaces_each_byte_that_is_not_utf8)
{
    assert_string("\"a\\ufffdb\"", "a\xFF"
                                   "b");
    assert_string("\"\\ufffd\\ufffd\"", "\xC0\x80");                       /* overlong NUL */
    assert_string("\"\\ufffd\\ufffd\\ufffd\"", "\xED\xA0\x80");            /* surrogate */
    assert_string("\"\\ufffd\\ufffd\"", "\xE2\x82");                       /* cut short */
    assert_string("\"\\ufffd\\ufffd\\ufffd\\ufffd\"", "\xF4\x90\x80\x80"); /* above U+10FFFF */
}

TEST(utf8_never_reads_behind_the_given_size)
{
    ASSERT_INT(0, gp_utf8_length("\xE2\x82\xAC", 2));
    ASSERT_INT(3, gp_utf8_length("\xE2\x82\xAC", 3));
    ASSERT_INT(1, gp_utf8_length("\0", 1));
}

TEST(json_without_memory_says_so_and_leaks_nothing)
{
    for (size_t n = 1;; n++) {
        gp_text text = GP_TEXT_EMPTY;
        gp_json json = gp_json_to(&text);
        alloc_fail_at(n);
        write_document(&json);
        ASSERT_INT(alloc_has_failed(), text.failed);
        gp_text_free(&text);
        ASSERT_INT(0, alloc_live());
        if (!alloc_has_failed()) { break; }
    }
}
