/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the debug information of variables: reading ends, and every variable has a name, a text
 * for its type, and a place that can be followed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/c-type.h"
#include "base/similar.h"
#include "dwarf/debug-function.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "dwarf/debug-variables.h"
#include "elf/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUNCTIONS_MAX 64
#define VARIABLES_MAX 1000

struct asking {
	struct debug_info *info;
	size_t functions, variables;
};

static void check_place(const struct variable_place *p)
{
	if (p->n_steps > VARIABLE_STEPS_MAX || (p->where == VARIABLE_MEMORY && !p->n_steps))
		abort();
}

static void add_range(void *arg, uint64_t start, uint64_t end)
{
	*(uint64_t *)arg += end - start;
}

static int check_variable(void *arg, const struct debug_variable *v)
{
	struct asking *a = arg;
	const struct c_type *type = c_type_bare(v->type);
	struct similar near = { .typed = "name" };
	uint64_t sum = 0;

	free(c_type_text(v->type));
	c_type_size(v->type);
	check_place(&v->place);
	for (size_t i = 0; i < v->n_pieces; i++)
		check_place(&v->pieces[i]);
	debug_variable_ranges(a->info, v, add_range, &sum);
	if (c_type_has_members(type))
		type->source->suggest(type->source, type, &near);
	return ++a->variables > VARIABLES_MAX;
}

/* Reads all types of the function at @addr, and the type of a global variable. */
static void check_types(struct debug_info *info, uint64_t addr)
{
	struct debug_function_types f;
	uint64_t start = 0;

	debug_static_type(info, addr, 0x402000, "v", 0x402000, &start);
	debug_returned_type(info, addr);
	if (debug_function_types_read(info, addr, &f) < 0)
		return;
	for (size_t i = 0; i < f.variables.n; i++) {
		const struct c_field *fields = NULL;

		if (!f.variables.items[i].type)
			abort();
		free(c_type_name(f.variables.items[i].type));
		c_type_fields(c_type_bare(f.variables.items[i].type), &fields);
	}
	debug_function_types_done(&f);
}

static int check_function(void *arg, const struct debug_function *f)
{
	struct asking *a = arg;
	struct debug_place place = { .scope = f->entry, .function = f->entry };
	struct debug_variable v;

	/* The linker puts the code of small programs at these addresses. */
	for (uint64_t addr = 0x4000a0; addr < 0x400160; addr += 12) {
		place.addr = addr;
		debug_variables_each(a->info, &place, true, check_variable, a);
		check_types(a->info, addr);
	}
	debug_variable_find(a->info, &place, "v", &v, NULL);
	return ++a->functions > FUNCTIONS_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct asking a = { .functions = 0 };
	uint8_t *copy = malloc(size ? size : 1); /* libelf writes into it */
	struct elf_file *f;

	memcpy(copy, data, size);
	if (elf_file_open_memory(copy, size, &f) >= 0 && debug_info_open(f, NULL, &a.info) >= 0)
		debug_info_functions(a.info, "*", check_function, &a);
	debug_info_free(a.info);
	free(copy);
	return 0;
}
