#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST_ROW(name) void test_##name(void);
#include "test_rows.def"
#undef TEST_ROW

typedef struct test_row {
    const char *name;
    void (*run)(void);
} test_row;

static const test_row rows[] = {
#define TEST_ROW(name) {#name, test_##name},
#include "test_rows.def"
#undef TEST_ROW
};

static const char *
shown(const char *text)
{
    return text == NULL ? "NULL" : text;
}

static void
fail_at(const char *file, int line, const char *text)
{
    (void)fprintf(stderr, "%s:%d: %s\n", file, line, text);
    exit(EXIT_FAILURE);
}

void
harness_assert(bool holds, const char *file, int line, const char *text)
{
    if (!holds) { fail_at(file, line, text); }
}

void
harness_assert_int(int64_t expected, int64_t actual, const char *file, int line, const char *text)
{
    if (expected == actual) { return; }
    (void)fprintf(stderr, "expected %" PRId64 "\nactual   %" PRId64 "\n", expected, actual);
    fail_at(file, line, text);
}

void
harness_assert_text(const char *expected, const char *actual, const char *file, int line,
                    const char *text)
{
    bool is_same =
        expected == NULL || actual == NULL ? expected == actual : strcmp(expected, actual) == 0;
    if (is_same) { return; }
    (void)fprintf(stderr, "expected %s\nactual   %s\n", shown(expected), shown(actual));
    fail_at(file, line, text);
}

void
harness_assert_contains(const char *part, const char *actual, const char *file, int line,
                        const char *text)
{
    if (actual != NULL && strstr(actual, part) != NULL) { return; }
    (void)fprintf(stderr, "expected to contain %s\nactual              %s\n", part, shown(actual));
    fail_at(file, line, text);
}

void
harness_assert_status(gp_kind kind, int code, gp_status actual, const char *file, int line,
                      const char *text)
{
    bool is_named = kind == GP_OK || actual.call != NULL;
    if (actual.kind == kind && actual.code == code && is_named) { return; }
    (void)fprintf(stderr, "expected %s %d\nactual   %s %d from %s\n", gp_kind_name(kind), code,
                  gp_kind_name(actual.kind), actual.code, shown(actual.call));
    fail_at(file, line, text);
}

int
main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, argv[1]) == 0) {
            rows[i].run();
            return EXIT_SUCCESS;
        }
    }
    (void)fprintf(stderr, "usage: gp_tests NAME (one test in this process; ctest runs all)\n");
    return 2;
}
