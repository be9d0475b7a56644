/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/syscall/syscall.h"
#include "arch/syscall/tables.h"
#include "base/cleanup.h"

unsigned syscall_count(enum syscall_abi abi)
{
	return abi < SYSCALL_N_ABIS ? syscall_tables[abi].n_numbers : 0;
}

const struct syscall_desc *syscall_find(enum syscall_abi abi, unsigned nr)
{
	if (nr >= syscall_count(abi))
		return NULL;
	unsigned index = syscall_tables[abi].by_nr[nr];

	return index ? &syscall_descs[index - 1] : NULL;
}

static int compare_command(const void *command, const void *variant)
{
	uint32_t a = *(const uint32_t *)command;
	uint32_t b = ((const struct syscall_variant *)variant)->command;

	return (a > b) - (a < b);
}

const struct syscall_arg *syscall_arg_of(const struct syscall_desc *desc, unsigned i,
					 const uint64_t args[SYSCALL_ARGS_MAX])
{
	if (!desc->n_variants || i != desc->variant_arg)
		return &desc->args[i];
	uint32_t command = (uint32_t)args[desc->command_arg];
	const struct syscall_variant *v = bsearch(&command, desc->variants, desc->n_variants,
						  sizeof(*desc->variants), compare_command);

	return v ? &v->arg : &desc->args[i];
}

/* Returns the number of the call whose own name is @name, or -ENOENT. */
static int syscall_number_of(enum syscall_abi abi, const char *name)
{
	const struct syscall_tables *t = &syscall_tables[abi];
	unsigned low = 0, high = t->n_names;

	while (low < high) {
		unsigned middle = (low + high) / 2;
		int nr = t->by_name[middle];
		int order = strcmp(name, syscall_find(abi, nr)->name);

		if (order == 0)
			return nr;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -ENOENT;
}

int syscall_number(enum syscall_abi abi, const char *name)
{
	if (abi >= SYSCALL_N_ABIS)
		return -ENOENT;
	int nr = syscall_number_of(abi, name);

	for (size_t i = 0; i < syscall_aliases_n && nr < 0; i++)
		if (strcmp(syscall_aliases[i].name, name) == 0)
			nr = syscall_number_of(abi, syscall_aliases[i].other);
	return nr;
}

bool syscall_makes_task(const struct syscall_desc *desc)
{
	static const char *const names[] = { "clone", "clone3", "fork", "vfork" };

	for (size_t i = 0; desc && i < ARRAY_SIZE(names); i++)
		if (strcmp(desc->name, names[i]) == 0)
			return true;
	return false;
}

unsigned syscall_group_of(const char *name)
{
	static const struct {
		const char *name;
		enum syscall_group group;
	} groups[] = {
		{ "file", GROUP_FILE },       { "desc", GROUP_DESC },
		{ "descriptor", GROUP_DESC }, { "network", GROUP_NETWORK },
		{ "net", GROUP_NETWORK },     { "memory", GROUP_MEMORY },
		{ "process", GROUP_PROCESS }, { "signal", GROUP_SIGNAL },
		{ "ipc", GROUP_IPC },         { "string", GROUP_STRING },
		{ "creds", GROUP_CREDS },     { "clock", GROUP_CLOCK },
		{ "%stat", GROUP_STAT }, /* "%%stat" */
	};

	if (strcmp(name, "file") == 0)
		return GROUP_FILE | GROUP_READ_WRITE;
	if (*name == '%')
		name++;
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (strcmp(groups[i].name, name) == 0)
			return groups[i].group;
	return 0;
}
