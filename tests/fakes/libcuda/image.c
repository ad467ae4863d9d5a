#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EM_CUDA_MACHINE = 190,
    /* EI_ABIVERSION of a cubin, read off the output of nvcc 13.0. There the capability stands in
     * bits 8 to 15 of e_flags; in the older form in bits 0 to 7. */
    CUBIN_ABI_CUDA_13 = 8,
};

static bool
is_cubin(const void *image)
{
    return memcmp(image, ELFMAG, SELFMAG) == 0 &&
           ((const Elf64_Ehdr *)image)->e_machine == EM_CUDA_MACHINE;
}

/* A cubin runs on its own major version, from its own minor version on. */
static CUresult
check_cubin(const Elf64_Ehdr *elf, uint64_t capability, uint64_t driver_cuda)
{
    const bool is_new = elf->e_ident[EI_ABIVERSION] >= CUBIN_ABI_CUDA_13;
    if (is_new && driver_cuda < 13000) {
        return CUDA_ERROR_INVALID_IMAGE; /* assumed: an older driver does not know the form */
    }
    const uint64_t built_for = (is_new ? elf->e_flags >> 8 : elf->e_flags) & 0xff;
    return built_for / 10 == capability / 10 && built_for % 10 <= capability % 10
               ? CUDA_SUCCESS
               : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* The newest PTX version (8.2 is 82) that a driver's compiler reads; table "Release Notes" of the
 * PTX ISA document. */
static unsigned
newest_ptx(uint64_t driver_cuda)
{
    static const unsigned table[][2] = {
        {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85}, {12040, 84}, {12030, 83},
        {12020, 82}, {12010, 81}, {12000, 80}, {11080, 78}, {11070, 77}, {11060, 76}, {11050, 75},
        {11040, 74}, {11030, 73}, {11020, 72}, {11010, 71}, {11000, 70}, {10020, 65}, {10010, 64},
        {10000, 63}, {9020, 62},  {9010, 61},  {9000, 60},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (driver_cuda >= table[i][0]) { return table[i][1]; }
    }
    return 0;
}

static CUresult
check_ptx(const char *text, uint64_t capability, uint64_t driver_cuda)
{
    unsigned major = 0, minor = 0, target = 0;
    const char *version = strstr(text, ".version"), *arch = strstr(text, ".target");
    if (version == NULL || arch == NULL || sscanf(version, ".version %u.%u", &major, &minor) != 2 ||
        sscanf(arch, ".target sm_%u", &target) != 1) {
        return CUDA_ERROR_INVALID_PTX;
    }
    if (major * 10 + minor > newest_ptx(driver_cuda)) { return CUDA_ERROR_UNSUPPORTED_PTX_VERSION; }
    return target <= capability ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX; /* assumed */
}

CUresult
fake_image_check(const void *image, uint64_t capability, uint64_t driver_cuda)
{
    if (is_cubin(image)) { return check_cubin(image, capability, driver_cuda); }
    /* PTX is text, and begins with a comment, a blank or a directive. */
    if (strchr("/. \n", *(const char *)image) != NULL && *(const char *)image != '\0') {
        return check_ptx(image, capability, driver_cuda);
    }
    return CUDA_ERROR_INVALID_IMAGE;
}

static const Elf64_Shdr *
section_of(const Elf64_Ehdr *elf, size_t index)
{
    return (const Elf64_Shdr *)((const char *)elf + elf->e_shoff + index * elf->e_shentsize);
}

static bool
cubin_has_kernel(const Elf64_Ehdr *elf, const char *name)
{
    for (size_t i = 0; i < elf->e_shnum; i++) {
        const Elf64_Shdr *table = section_of(elf, i);
        if (table->sh_type != SHT_SYMTAB) { continue; }
        const char *names = (const char *)elf + section_of(elf, table->sh_link)->sh_offset;
        const char *first = (const char *)elf + table->sh_offset;
        for (size_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
            const Elf64_Sym *symbol = (const Elf64_Sym *)(first + at);
            if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
                ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
                strcmp(names + symbol->st_name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool
ptx_has_kernel(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, ".entry ")) != NULL;) {
        at += strlen(".entry ");
        if (strncmp(at, name, length) == 0 && strchr("( \t\n", at[length]) != NULL) { return true; }
    }
    return false;
}

bool
fake_image_has_kernel(const void *image, const char *name)
{
    return is_cubin(image) ? cubin_has_kernel(image, name) : ptx_has_kernel(image, name);
}
