/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of numbers (flags, commands, families, signals, errors), and the members of structs.
 *
 * All of them are data, for each ABI where they differ (data/syscalls).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"

struct value_name {
	uint64_t value;
	uint64_t mask;    /* flags: value is one choice within these bits; else equal to value */
	const char *name; /* the name without the prefix */
};

struct value_table {
	const char *name;   /* "open_flags" */
	const char *prefix; /* "O_"; shown on request */
	bool is_flags;
	/*
	 * Enums: in ascending order. Flags: in order of their lowest bits, those of open() by name;
	 * a name of several bits comes before the names of its bits. Negative numbers are 32 bits
	 * wide.
	 */
	const struct value_name *names;
	size_t n;
};

/* Returns the table @name of @abi; NULL: there is none. */
const struct value_table *value_table_find(enum syscall_abi abi, const char *name);

/* Returns the name of exactly @value, or NULL. */
const char *value_table_name(const struct value_table *t, uint64_t value);

/* Finds the number of @name, with or without the prefix. False: there is none. */
bool value_table_number(const struct value_table *t, const char *name, uint64_t *ret);

/* Returns "ENOENT"; NULL: there is no such error. @error is positive. */
const char *errno_name(enum syscall_abi abi, int error);

/* Returns "SIGTERM", or NULL. Real-time signals have no names. */
const char *signal_name(enum syscall_abi abi, int signal);

struct struct_member {
	const char *name;
	uint16_t offset; /* in bytes */
	uint8_t bytes;   /* size of a number: 1, 2, 4, 8; or of an element of an array */
	uint8_t kind;    /* enum arg_kind */
	uint16_t count;  /* length of an array; 1 otherwise */
	bool is_signed;
	/* shown by default: the others are padding or of little use */
	bool is_shown;
	const struct value_table *values;   /* or NULL */
	const struct struct_layout *layout; /* for ARG_STRUCT; or NULL */
};

struct struct_layout {
	const char *name; /* "timespec" */
	uint16_t size;
	const struct struct_member *members;
	size_t n;
};

/* Returns the layout of struct @name in programs of @abi; NULL: not known. */
const struct struct_layout *struct_layout_find(enum syscall_abi abi, const char *name);
