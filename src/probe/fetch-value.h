/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The value of an argument while it is translated from a variable to the kernel's notation: a
 * location and a type, which members and indexes change. For the files of fetch-arg.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/debug-variables.h"

struct arch;
struct c_type;
struct debug_info;
struct debug_place;
struct diag;
struct probe_arg;
struct probe_def;
struct probe_target;
struct trace_probe;

/* Where and for whom. */
struct fetch {
	const struct probe_def *def;
	const struct probe_arg *arg;
	struct probe_target *target;
	struct debug_info *info;         /* or NULL */
	const struct debug_place *place; /* or NULL */
	struct trace_probe *probe;
	const struct arch *arch;
	struct diag *diag;
};

struct fetch_value {
	const char *name; /* of the variable, for messages */
	const struct c_type *type;
	struct variable_place at;
	const struct debug_variable *variable; /* whose pieces may still be chosen from; or NULL */
	size_t own_steps;                      /* those of @at that came with the variable */
	unsigned bit_offset, bit_size, bit_unit; /* @bit_size 0: all of it */
	uint64_t in_register;                    /* bytes before it in its register */
	const char *symbol; /* by which alone a static place is known, or NULL */
};

/* The value of a variable, before its members are followed. */
struct fetch_value fetch_value_of(const struct debug_variable *v);

/* Follows the members and indexes of the argument. -EINVAL, -ENODATA with the diag. */
int fetch_value_follow(const struct fetch *f, struct fetch_value *v);

/*
 * Appends the value to the probe under @name, which it takes over, with the type that the argument
 * asks for, or its own. -EINVAL, -ENODATA with the diag.
 */
int fetch_value_add(const struct fetch *f, struct fetch_value *v, char *name);

/*
 * Explains why a value that is neither in a register nor in memory nor constant cannot be
 * recorded.
 */
int fetch_value_refuse(const struct fetch *f, const struct fetch_value *v);

/* The value is a pointer: moves on to what it points to. */
int fetch_value_pointee(const struct fetch *f, struct fetch_value *v);

/*
 * The kernel's name for the static address that the first step leads to: "@jiffies+0",
 * "@+0x20010". NULL with the diag: it has none. The caller frees it.
 */
char *fetch_static_text(const struct fetch *f, const struct fetch_value *v);

/* A parameter of a kernel function by BTF; -ENOENT: there is none, with the diag. */
int fetch_btf_add(const struct fetch *f);
