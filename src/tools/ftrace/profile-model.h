/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts how often functions were called and how long that took, by their addresses and then by
 * names.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct function_profile;

struct function_row {
	const char *name;
	uint64_t total_ns, max_ns, calls;
};

struct function_rows {
	struct function_row *items;
	size_t n, room;
};

enum function_order {
	FUNCTION_ORDER_TOTAL,
	FUNCTION_ORDER_AVERAGE,
	FUNCTION_ORDER_MAX,
	FUNCTION_ORDER_CALLS,
	FUNCTION_ORDER_NAME,
};

struct function_profile *function_profile_new(void);
void function_profile_free(struct function_profile *p);
DEFINE_FREEP(function_profile)

/* Counts a call of the function at @func. */
void function_profile_add(struct function_profile *p, uint64_t func, uint64_t duration_ns);

/*
 * Makes the rows in @order, the largest first or by name; among equal ones the name decides. @name
 * returns the name of the function at an address, which lives as long as the rows; functions of the
 * same name are one row. The caller frees the items.
 */
void function_profile_rows(const struct function_profile *p,
			   const char *(*name)(void *arg, uint64_t func), void *arg,
			   enum function_order order, struct function_rows *ret);
