/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fields whose values have names: those that a print fmt hands to __print_flags() or
 * __print_symbolic(). Scripts turn values into names with these tables.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracepoint_field;
struct tracepoint_plan;

struct field_value_name {
	uint64_t value;
	const char *name; /* not NUL-terminated */
	size_t length;
};

/* A field with names. What it points to belongs to the plan. */
struct named_field {
	const struct tracepoint_field *field;
	bool is_flags;         /* several names at once; else one name for the whole value */
	const char *separator; /* between names of flags, not NUL-terminated; "" for others */
	size_t separator_length;
	size_t n;        /* names */
	uint32_t first_; /* of plan_named_value() */
};

/*
 * Named field @i of @p, in the order of the print fmt; a field that is printed twice comes twice.
 * False: there are no more, or the print fmt is not understood.
 */
bool plan_named_field(const struct tracepoint_plan *p, size_t i, struct named_field *ret);

/* The named field called @name; false: it has no names. */
bool plan_named_field_find(const struct tracepoint_plan *p, const char *name,
			   struct named_field *ret);

/* Name @i, below f->n, of @f, which is one of @p's. */
struct field_value_name plan_named_value(const struct tracepoint_plan *p,
					 const struct named_field *f, size_t i);
