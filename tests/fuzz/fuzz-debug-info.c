/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the debug information of functions in ELF files: reading ends, a function that is found by
 * a glob is also found by its name, functions come in order, inlined copies can be looked up, and
 * files have names.
 */
#include <stdlib.h>
#include <string.h>

#include "dwarf/debug-info.h"
#include "elf/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define QUESTIONS_MAX 64

struct asking {
	struct debug_info *info;
	const struct debug_function *function; /* the one that is looked up by its name */
	uint64_t last;
	unsigned n;
	bool found;
};

static int same(void *arg, const struct debug_function *f)
{
	struct asking *a = arg;

	a->found |= f->entry == a->function->entry;
	return 0;
}

static int copy(void *arg, uint64_t entry, uint64_t unit)
{
	struct asking *a = arg;

	(void)entry, (void)unit;
	return ++a->n > QUESTIONS_MAX ? 1 : 0;
}

static int function(void *arg, const struct debug_function *f)
{
	struct asking *a = arg, by_name = { .info = a->info, .function = f };

	if (a->n && f->entry <= a->last)
		abort();
	a->last = f->entry;
	if (!strpbrk(f->name, "*?[")) {
		debug_info_functions(a->info, f->name, same, &by_name);
		if (!by_name.found)
			abort();
	}
	debug_info_inlined(a->info, f->entry, copy, &by_name);
	return ++a->n > QUESTIONS_MAX ? 1 : 0;
}

static int file(void *arg, uint64_t unit, const char *path)
{
	struct asking *a = arg;

	(void)unit;
	if (!strstr(path, ".h") && !strstr(path, ".c"))
		abort();
	return ++a->n > QUESTIONS_MAX ? 1 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = { "a.c", "h.h", "src/a.c" };
	_cleanup_(freep) uint8_t *bytes = malloc(size + 1);
	_cleanup_(debug_info_freep) struct debug_info *d = NULL;
	struct elf_file *f;

	memcpy(bytes, data, size);
	if (elf_file_open_memory(bytes, size, &f) < 0 || debug_info_open(f, NULL, &d) < 0)
		return 0;
	debug_info_functions(d, "*", function, &(struct asking){ .info = d });
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		debug_info_files(d, files[i], file, &(struct asking){ .info = d });
		debug_info_line_units(d, files[i], 12, file, &(struct asking){ .info = d });
	}
	return 0;
}
