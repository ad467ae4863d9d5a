/* windows.h has to come before its companions and after its switches: here once, for all. */
#ifndef GP_WINDOWS_H
#define GP_WINDOWS_H

#define WIN32_LEAN_AND_MEAN

#include <windows.h>

#include <shellapi.h>

#endif
