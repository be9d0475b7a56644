/* SPDX-License-Identifier: MIT */
#include "analysis/kwork/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kwork/items.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

static const struct {
	const char *name;
	enum kwork_key key;
} names[] = {
	{ "runtime", KWORK_BY_SUM },
	{ "avg", KWORK_BY_AVERAGE },
	{ "max", KWORK_BY_MAX },
	{ "count", KWORK_BY_COUNT },
};

static int add_key(struct kwork_order *o, const char *word, size_t length, struct diag *diag)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) != length || strncmp(names[i].name, word, length) != 0)
			continue;
		for (size_t k = 0; k < o->n; k++)
			if (o->keys[k] == names[i].key)
				return 0;
		o->keys[o->n++] = names[i].key;
		return 0;
	}
	diag_set(diag, -EINVAL, "'%.*s' is no sort key", (int)length, word);
	diag_hint(diag, "There are runtime, avg, max and count.");
	return -EINVAL;
}

int kwork_order_parse(const char *text, struct kwork_order *ret, struct diag *diag)
{
	struct kwork_order o = { .n = 0 };
	int r = 0;

	while (*text && r >= 0) {
		size_t length = strcspn(text, ", ");

		if (length)
			r = add_key(&o, text, length, diag);
		text += length + (text[length] != '\0');
	}
	if (r >= 0)
		*ret = o;
	return r;
}

struct sorting {
	const struct kwork_order *order;
	unsigned rank[KWORK_CLASSES];
};

static uint64_t value(const struct kwork_item *item, enum kwork_key key)
{
	switch (key) {
	case KWORK_BY_SUM:
		return item->sum_ns;
	case KWORK_BY_AVERAGE:
		return item->sum_ns / item->count;
	case KWORK_BY_MAX:
		return item->max_ns;
	case KWORK_BY_COUNT:
		break;
	}
	return item->count;
}

static int greater_first(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int compare(const void *left, const void *right, void *arg)
{
	const struct sorting *s = arg;
	const struct kwork_item *a = *(const struct kwork_item *const *)left;
	const struct kwork_item *b = *(const struct kwork_item *const *)right;
	int r = 0;

	for (size_t i = 0; i < s->order->n && !r; i++)
		r = greater_first(value(a, s->order->keys[i]), value(b, s->order->keys[i]));
	if (!r)
		r = (int)s->rank[a->class] - (int)s->rank[b->class];
	if (!r)
		r = greater_first(a->cpu, b->cpu);
	return r ? r : greater_first(a->id, b->id);
}

const struct kwork_item **kwork_items_sorted(const struct kwork_items *t,
					     const struct kwork_order *order,
					     const struct kwork_classes *classes, size_t *ret_n)
{
	const struct kwork_item **rows = xcalloc(t->n + 1, sizeof(*rows));
	struct sorting s = { .order = order };
	size_t n = 0;

	for (size_t i = 0; i < classes->n; i++)
		s.rank[classes->items[i]] = (unsigned)i;
	for (size_t i = 0; i < t->n; i++)
		if (t->items[i]->count)
			rows[n++] = t->items[i];
	qsort_r(rows, n, sizeof(*rows), compare, &s);
	*ret_n = n;
	return rows;
}
