/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables that data/syscalls/generate makes. Only arch/syscall/ reads them; other code uses
 * syscall.h and values.h.
 */
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"
#include "arch/syscall/values.h"

/* The tables of one ABI. */
struct syscall_tables {
	const uint16_t *by_nr; /* 1 + the index in syscall_descs; 0: there is no such call */
	unsigned n_numbers;
	const uint16_t *by_name; /* call numbers, in order of the names */
	unsigned n_names;
	const struct value_table *const *values; /* in order of the names */
	size_t n_values;
	const struct struct_layout *const *layouts; /* in order of the names */
	size_t n_layouts;
	const struct value_table *errors, *signals;
};

/* An alias: the call @name means @other if the ABI has no @name. */
struct syscall_alias {
	const char *name, *other;
};

extern const struct syscall_tables syscall_tables[SYSCALL_N_ABIS];
extern const struct syscall_desc syscall_descs[];
extern const struct syscall_alias syscall_aliases[];
extern const size_t syscall_aliases_n;
