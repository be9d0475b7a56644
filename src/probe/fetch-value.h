/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The value of an argument while it is translated from a variable to the kernel's notation: a
 * location and a type, which members and indexes change. For the files of fetch-arg.h only.
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

/* The context of an argument: its definition, the target, and the probe that it is added to. */
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
	const char *name; /* the variable's name, for messages */
	const struct c_type *type;
	struct variable_place at;
	const struct debug_variable *variable;   /* its pieces may still be chosen from; or NULL */
	size_t own_steps;                        /* the steps of @at that came with the variable */
	unsigned bit_offset, bit_size, bit_unit; /* @bit_size 0: the whole value */
	uint64_t in_register;                    /* the bytes before it in its register */
	const char *symbol; /* the only known name of a static place, or NULL */
};

/* Returns the value of a variable, before its members are followed. */
struct fetch_value fetch_value_of(const struct debug_variable *v);

/* Follows the members and indexes of the argument. -EINVAL, -ENODATA with the diag. */
int fetch_value_follow(const struct fetch *f, struct fetch_value *v);

/*
 * Appends the value to the probe under @name, which it takes over. The type is the one that the
 * argument requests, or the value's own. -EINVAL, -ENODATA with the diag.
 */
int fetch_value_add(const struct fetch *f, struct fetch_value *v, char *name);

/*
 * Explains why a value that is neither in a register nor in memory nor constant cannot be
 * recorded.
 */
int fetch_value_refuse(const struct fetch *f, const struct fetch_value *v);

/* Moves on to what the value, a pointer, points to. */
int fetch_value_pointee(const struct fetch *f, struct fetch_value *v);

/*
 * Returns the kernel's name for the static address that the first step leads to: "@jiffies+0",
 * "@+0x20010". NULL with the diag: it has none. The caller frees it.
 */
char *fetch_static_text(const struct fetch *f, const struct fetch_value *v);

/*
 * Adds a parameter of a kernel function, found through BTF; -ENOENT with the diag: there is none.
 */
int fetch_btf_add(const struct fetch *f);
