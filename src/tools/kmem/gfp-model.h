/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of the flags that pages are allocated with, GFP_KERNEL|__GFP_ZERO, and their short form,
 * K|Z. Which bit is what differs from kernel to kernel: the print fmt of mm_page_alloc tells.
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

/* Those that were asked for. */
struct gfp_names {
	struct gfp_name *items; /* by ascending value */
	size_t n, room;
};

void gfp_names_done(struct gfp_names *g);

/*
 * Appends the name of @flags in records of @format, which has @plan: the text behind "gfp_flags=".
 * Without names it is a number.
 */
void gfp_print(const struct tracepoint_format *format, const struct tracepoint_plan *plan,
	       uint64_t flags, struct text *out);

/* Appends the short form of @full; names that have none are left out, if there is another. */
void gfp_print_compact(const char *full, struct text *out);

/* Fills the empty @g with the names of the @n values at @flags, which it puts in order. Without
 * @format they are numbers. */
void gfp_names_make(struct gfp_names *g, const struct tracepoint_format *format, uint64_t *flags,
		    size_t n);

/* The short form of @flags; "" if they are not there. */
const char *gfp_names_compact(const struct gfp_names *g, uint64_t flags);
