/* gcc and clang only: they say when two types are the same. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stddef.h>
#include <stdio.h>

#define SAME_TYPE(ours, theirs) \
    _Static_assert(__builtin_types_compatible_p(ours, theirs), #ours " is not " #theirs)

#define SAME_VALUE(ours, theirs) _Static_assert((long long)(ours) == (long long)(theirs), #theirs)

#define SAME_MEMBER(ours, our_member, theirs, their_member)                                    \
    _Static_assert(offsetof(ours, our_member) == offsetof(theirs, their_member) &&             \
                       sizeof(((ours *)0)->our_member) == sizeof(((theirs *)0)->their_member), \
                   #theirs "." #their_member)

#define DECLARED(name) _Static_assert(sizeof(&name) == sizeof(void *), #name)

#endif
