#include "scenario.h"

#include "fault.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum { TEXT, NUMBER, OPTIONAL } field_kind;

typedef struct scenario_field {
    const char *key;
    field_kind kind;
    size_t offset;
} scenario_field;

#define TEXT_OF(type, member)                 \
    {                                         \
#member, TEXT, offsetof(type, member) \
    }
#define NUMBER_OF(type, member)                 \
    {                                           \
#member, NUMBER, offsetof(type, member) \
    }

#define OPTIONAL_OF(type, member)                 \
    {                                             \
#member, OPTIONAL, offsetof(type, member) \
    }

static const scenario_field driver_fields[] = {
    TEXT_OF(fake_driver, version),
    TEXT_OF(fake_driver, nvml_version),
    NUMBER_OF(fake_driver, cuda_version),
    {0},
};

static const scenario_field gpu_fields[] = {
#define FAKE_TEXT_KEY(name)     TEXT_OF(fake_gpu, name),
#define FAKE_NUMBER_KEY(name)   NUMBER_OF(fake_gpu, name),
#define FAKE_OPTIONAL_KEY(name) OPTIONAL_OF(fake_gpu, name),
#include "gpu_keys.def"
#undef FAKE_TEXT_KEY
#undef FAKE_NUMBER_KEY
#undef FAKE_OPTIONAL_KEY
    {0},
};

static const scenario_field mig_fields[] = {
    TEXT_OF(fake_mig, name),
    TEXT_OF(fake_mig, uuid),
    NUMBER_OF(fake_mig, gpu),
    NUMBER_OF(fake_mig, place),
    NUMBER_OF(fake_mig, gpu_instance),
    NUMBER_OF(fake_mig, compute_instance),
    NUMBER_OF(fake_mig, memory_bytes),
    NUMBER_OF(fake_mig, sms),
    {0},
};

static const scenario_field process_fields[] = {
    TEXT_OF(fake_process, name),    NUMBER_OF(fake_process, pid),
    NUMBER_OF(fake_process, gpu),   OPTIONAL_OF(fake_process, used_bytes),
    NUMBER_OF(fake_process, draws), {0},
};

#undef TEXT_OF
#undef NUMBER_OF
#undef OPTIONAL_OF

/* Where the keys of the section being read go. No fields: the section is [faults]. */
typedef struct scenario_section {
    const scenario_field *fields;
    void *record;
} scenario_section;

static fake_scenario machine;
static pthread_once_t machine_once = PTHREAD_ONCE_INIT;

void
fake_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("gpuprobe's fake: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    fflush(stderr);
    _exit(97);
}

static char *
trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    return text;
}

static void
set_field(void *record, const scenario_field *field, const char *value)
{
    char *place = (char *)record + field->offset;
    if (field->kind == TEXT) {
        if (strlen(value) >= FAKE_TEXT) {
            fake_die("%s is longer than %d bytes: %s", field->key, FAKE_TEXT - 1, value);
        }
        strcpy(place, value);
        return;
    }
    uint64_t number = FAKE_NONE;
    if (field->kind == NUMBER || strcmp(value, "none") != 0) {
        char *end = NULL;
        number = strtoull(value, &end, 0);
        if (end == value || *end != '\0') { fake_die("%s is not a number: %s", field->key, value); }
    }
    memcpy(place, &number, sizeof number);
}

static void
read_pair(const scenario_section *section, const char *key, const char *value)
{
    if (section->record == NULL) {
        fake_add_fault(key, value);
        return;
    }
    for (const scenario_field *field = section->fields; field->key != NULL; field++) {
        if (strcmp(field->key, key) == 0) {
            set_field(section->record, field, value);
            return;
        }
    }
    fake_die("no such key in this section: %s", key);
}

/* Sections are numbered in the order of the file, so that [gpu.1] cannot stand without [gpu.0]. */
static size_t
next_of(const char *name, const char *number, size_t *count, size_t limit)
{
    if (*count == limit || strtoul(number, NULL, 10) != *count) {
        fake_die("[%s] is out of order, or one too many", name);
    }
    return (*count)++;
}

/* Until the file says something else. */
static scenario_section
opened(const scenario_field *fields, void *record)
{
    for (const scenario_field *field = fields; field->key != NULL; field++) {
        if (field->kind == OPTIONAL) { set_field(record, field, "none"); }
    }
    return (scenario_section){fields, record};
}

static scenario_section
open_section(const char *name)
{
    if (strcmp(name, "driver") == 0) { return (scenario_section){driver_fields, &machine.driver}; }
    if (strcmp(name, "faults") == 0) { return (scenario_section){NULL, NULL}; }
    if (strncmp(name, "gpu.", 4) == 0) {
        const size_t at = next_of(name, name + 4, &machine.gpu_count, FAKE_MAX_GPUS);
        return opened(gpu_fields, &machine.gpus[at]);
    }
    if (strncmp(name, "process.", 8) == 0) {
        const size_t at = next_of(name, name + 8, &machine.process_count, FAKE_MAX_PROCESSES);
        return opened(process_fields, &machine.processes[at]);
    }
    if (strncmp(name, "mig.", 4) == 0) {
        const size_t at = next_of(name, name + 4, &machine.mig_count, FAKE_MAX_MIGS);
        return opened(mig_fields, &machine.migs[at]);
    }
    fake_die("no such section: [%s]", name);
}

static void
read_file(FILE *file)
{
    static const scenario_field none[] = {{0}};
    scenario_section section = {none, &machine};
    char buffer[512];
    while (fgets(buffer, sizeof buffer, file) != NULL) {
        char *line = trimmed(buffer);
        if (*line == '\0' || *line == '#') { continue; }
        if (*line == '[' && line[strlen(line) - 1] == ']') {
            line[strlen(line) - 1] = '\0';
            section = open_section(line + 1);
            continue;
        }
        char *equals = strchr(line, '=');
        if (equals == NULL) { fake_die("neither [section] nor key = value: %s", line); }
        *equals = '\0';
        read_pair(&section, trimmed(line), trimmed(equals + 1));
    }
}

static void
read_machine(void)
{
    const char *path = getenv("GPUPROBE_FAKE_SCENARIO");
    FILE *file = path == NULL ? NULL : fopen(path, "re");
    if (file == NULL) {
        fake_die("GPUPROBE_FAKE_SCENARIO names no readable file: %s",
                 path == NULL ? "(unset)" : path);
    }
    read_file(file);
    fclose(file);
    for (size_t i = 0; i < machine.process_count; i++) {
        if (machine.processes[i].gpu >= machine.gpu_count) {
            fake_die("[process.%zu] names a GPU that is not there", i);
        }
    }
    for (size_t i = 0; i < machine.mig_count; i++) {
        const uint64_t gpu = machine.migs[i].gpu;
        if (gpu >= machine.gpu_count || machine.gpus[gpu].mig != 1) {
            fake_die("[mig.%zu] names a GPU that is not there or not in MIG mode", i);
        }
    }
}

const fake_scenario *
fake_machine(void)
{
    pthread_once(&machine_once, read_machine);
    return &machine;
}

fake_pci
fake_pci_of(const fake_gpu *gpu)
{
    fake_pci pci = {0};
    if (sscanf(gpu->pci, "%x:%x:%x", &pci.domain, &pci.bus, &pci.device) != 3) {
        fake_die("not a PCI address: %s", gpu->pci);
    }
    return pci;
}

bool
fake_number_at(const char *text, char separator, size_t place, uint64_t *number)
{
    for (size_t i = 0; i < place && text != NULL; i++) {
        text = strchr(text, separator);
        if (text != NULL) { text++; }
    }
    char *end = NULL;
    if (text == NULL || *text == '\0') { return false; }
    *number = strtoull(text, &end, 10);
    return end != text;
}

int
fake_compare_pci(const fake_gpu *a, const fake_gpu *b)
{
    /* Both are written with fixed width in lower-case hex, so text order is bus order. */
    return strcmp(a->pci, b->pci);
}
