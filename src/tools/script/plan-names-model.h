/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fields whose values have names: those that a print fmt passes to __print_flags() or
 * __print_symbolic(). Scripts translate values to names with these tables.
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

/* A field with names. Its pointers belong to the plan. */
struct named_field {
	const struct tracepoint_field *field;
	bool is_flags;         /* several names at once; else a name for the whole value */
	const char *separator; /* separates names of flags, not NUL-terminated; else "" */
	size_t separator_length;
	size_t n;        /* the number of names */
	uint32_t first_; /* used by plan_named_value() */
};

/*
 * Returns named field @i of @p, in the order of the print fmt. A field that is printed twice occurs
 * twice. False: there are no more, or the print fmt could not be parsed.
 */
bool plan_named_field(const struct tracepoint_plan *p, size_t i, struct named_field *ret);

/* Finds the named field @name. False: it has no names. */
bool plan_named_field_find(const struct tracepoint_plan *p, const char *name,
			   struct named_field *ret);

/* Returns name @i, below f->n, of @f, which is a field of @p. */
struct field_value_name plan_named_value(const struct tracepoint_plan *p,
					 const struct named_field *f, size_t i);
