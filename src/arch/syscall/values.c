/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "arch/syscall/tables.h"
#include "arch/syscall/values.h"

static int compare_table(const void *name, const void *table)
{
	return strcmp(name, (*(const struct value_table *const *)table)->name);
}

const struct value_table *value_table_find(enum syscall_abi abi, const char *name)
{
	if (abi >= SYSCALL_N_ABIS || !syscall_tables[abi].n_values)
		return NULL;
	const struct syscall_tables *t = &syscall_tables[abi];
	const struct value_table *const *found = bsearch(name, t->values, t->n_values,
							 sizeof(*t->values), compare_table);

	return found ? *found : NULL;
}

/*
 * Returns the name of a flag. The names are in order of their bits, so a single value has to be
 * searched for in all of them.
 */
static const char *flag_name(const struct value_table *t, uint64_t value)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->names[i].value == value)
			return t->names[i].name;
	return NULL;
}

const char *value_table_name(const struct value_table *t, uint64_t value)
{
	size_t low = 0, high = t->n;

	if (t->is_flags)
		return flag_name(t, value);
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->names[middle].value == value)
			return t->names[middle].name;
		if (t->names[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool value_table_number(const struct value_table *t, const char *name, uint64_t *ret)
{
	size_t prefix = strlen(t->prefix);
	const char *rest = strncmp(name, t->prefix, prefix) == 0 ? name + prefix : name;

	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->names[i].name, name) == 0 || strcmp(t->names[i].name, rest) == 0) {
			*ret = t->names[i].value;
			return true;
		}
	return false;
}

const char *errno_name(enum syscall_abi abi, int error)
{
	if (abi >= SYSCALL_N_ABIS || !syscall_tables[abi].errors || error <= 0)
		return NULL;
	return value_table_name(syscall_tables[abi].errors, error);
}

const char *signal_name(enum syscall_abi abi, int signal)
{
	if (abi >= SYSCALL_N_ABIS || !syscall_tables[abi].signals || signal <= 0)
		return NULL;
	return value_table_name(syscall_tables[abi].signals, signal);
}

static int compare_layout(const void *name, const void *layout)
{
	return strcmp(name, (*(const struct struct_layout *const *)layout)->name);
}

const struct struct_layout *struct_layout_find(enum syscall_abi abi, const char *name)
{
	if (abi >= SYSCALL_N_ABIS || !syscall_tables[abi].n_layouts)
		return NULL;
	const struct syscall_tables *t = &syscall_tables[abi];
	const struct struct_layout *const *found = bsearch(name, t->layouts, t->n_layouts,
							   sizeof(*t->layouts), compare_layout);

	return found ? *found : NULL;
}
