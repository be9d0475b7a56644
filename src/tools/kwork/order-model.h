/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The order in which work items are shown.
 */
#include <stddef.h>

#include "tools/kwork/event-model.h"

struct diag;
struct kwork_item;
struct kwork_items;

enum kwork_key {
	KWORK_BY_SUM,
	KWORK_BY_AVERAGE,
	KWORK_BY_MAX,
	KWORK_BY_COUNT,
};
#define KWORK_KEYS (KWORK_BY_COUNT + 1)

/* The names of the keys, NULL-terminated: runtime, avg, max, count. */
extern const char *const kwork_key_names[];

/* A list of keys, the most important one first. */
struct kwork_order {
	unsigned keys[KWORK_KEYS]; /* enum kwork_key, or a position in other names */
	size_t n;
};

/*
 * Parses "runtime,max,count". The keys are the first KWORK_KEYS of @names. Returns -EINVAL with
 * @diag if one of them is unknown; *@ret is then untouched.
 */
int kwork_order_parse(const char *text, const char *const *names, struct kwork_order *ret,
		      struct diag *diag);

/*
 * Returns the items that ran, sorted. Equal items are sorted by class as in @classes, then the last
 * CPU and the greatest number come first. The caller frees the array, but not the items.
 */
const struct kwork_item **kwork_items_sorted(const struct kwork_items *t,
					     const struct kwork_order *order,
					     const struct kwork_classes *classes, size_t *ret_n);
