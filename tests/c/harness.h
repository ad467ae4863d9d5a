/* A test is TEST(name) { … } in a file listed in CMakeLists.txt, which finds the names by itself.
 * ctest runs each in a process of its own, with a time limit. The assertions stay on in release
 * builds, print both values and end the test. */
#ifndef HARNESS_H
#define HARNESS_H

#include "base/gp_status.h"

#include <stdbool.h>
#include <stdint.h>

#define TEST(name)          \
    void test_##name(void); \
    void test_##name(void)

#define ASSERT(condition) harness_assert((condition), __FILE__, __LINE__, #condition)
#define ASSERT_INT(expected, actual) \
    harness_assert_int((int64_t)(expected), (int64_t)(actual), __FILE__, __LINE__, #actual)
#define ASSERT_TEXT(expected, actual) \
    harness_assert_text((expected), (actual), __FILE__, __LINE__, #actual)
#define ASSERT_CONTAINS(part, actual) \
    harness_assert_contains((part), (actual), __FILE__, __LINE__, #actual)
#define ASSERT_OK(status) ASSERT_FAILED(GP_OK, 0, (status))
#define ASSERT_FAILED(kind, code, status) \
    harness_assert_status((kind), (code), (status), __FILE__, __LINE__, #status)

void harness_assert(bool holds, const char *file, int line, const char *text);
void
harness_assert_int(int64_t expected, int64_t actual, const char *file, int line, const char *text);
void harness_assert_text(const char *expected, const char *actual, const char *file, int line,
                         const char *text);
void harness_assert_contains(const char *part, const char *actual, const char *file, int line,
                             const char *text);
void harness_assert_status(gp_kind kind, int code, gp_status actual, const char *file, int line,
                           const char *text);

#endif
