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

/* Their names, NULL-terminated: runtime, avg, max, count. */
extern const char *const kwork_key_names[];

/* The most important key first. */
struct kwork_order {
	unsigned keys[KWORK_KEYS]; /* enum kwork_key, or a position in other names */
	size_t n;
};

/*
 * Parses "runtime,max,count" with keys out of the first KWORK_KEYS of @names. -EINVAL with @diag:
 * one of them is none; *@ret is untouched then.
 */
int kwork_order_parse(const char *text, const char *const *names, struct kwork_order *ret,
		      struct diag *diag);

/*
 * The items that ran, in order; of equal ones by class as in @classes, then the last CPU and the
 * greatest number first. The caller frees the array, and not the items.
 */
const struct kwork_item **kwork_items_sorted(const struct kwork_items *t,
					     const struct kwork_order *order,
					     const struct kwork_classes *classes, size_t *ret_n);
