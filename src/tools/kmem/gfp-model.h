/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of the flags with which pages are allocated, GFP_KERNEL|__GFP_ZERO, and their short form,
 * K|Z. The meaning of the bits differs between kernels: the print fmt of mm_page_alloc defines it.
 */
#include <stddef.h>
#include <stdint.h>

struct text;
struct tracepoint_format;
struct tracepoint_plan;

/* One value of the flags. */
struct gfp_name {
	uint64_t flags;
	char *full, *compact;
};

/* The names of the requested values. */
struct gfp_names {
	struct gfp_name *items; /* sorted by value */
	size_t n, room;
};

void gfp_names_done(struct gfp_names *g);

/*
 * Appends the name of @flags in records of @format, for which @plan was made. The name is the text
 * after "gfp_flags=". Without names it is a number.
 */
void gfp_print(const struct tracepoint_format *format, const struct tracepoint_plan *plan,
	       uint64_t flags, struct text *out);

/*
 * Appends the short form of @full. A flag without a short name is left out if there is another
 * flag.
 */
void gfp_print_compact(const char *full, struct text *out);

/*
 * Fills the empty @g with the names of the @n values at @flags, which are sorted. Without @format
 * the names are numbers.
 */
void gfp_names_make(struct gfp_names *g, const struct tracepoint_format *format, uint64_t *flags,
		    size_t n);

/* Returns the short form of @flags, or "" if @g does not contain them. */
const char *gfp_names_compact(const struct gfp_names *g, uint64_t flags);
