/* SPDX-License-Identifier: MIT */
#include "tools/kwork/order-model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/kwork/items-model.h"

const char *const kwork_key_names[] = {
	[KWORK_BY_SUM] = "runtime",
	[KWORK_BY_AVERAGE] = "avg",
	[KWORK_BY_MAX] = "max",
	[KWORK_BY_COUNT] = "count",
	NULL,
};

static int kwork_order_refuse_key(const char *const *names, const char *word, size_t length,
				  struct diag *diag)
{
	_cleanup_(text_done) struct text all = TEXT_EMPTY;

	for (size_t i = 0; names[i]; i++)
		text_addf(&all, "%s%s", i ? ", " : "", names[i]);
	diag_set(diag, -EINVAL, "'%.*s' is not a sort key", (int)length, word);
	diag_hint(diag, "There are: %s.", all.chars);
	return -EINVAL;
}

static int kwork_order_add_key(struct kwork_order *o, const char *const *names, const char *word,
			       size_t length, struct diag *diag)
{
	unsigned key = 0;

	while (names[key] &&
	       (strlen(names[key]) != length || strncmp(names[key], word, length) != 0))
		key++;
	if (!names[key])
		return kwork_order_refuse_key(names, word, length, diag);
	for (size_t i = 0; i < o->n; i++)
		if (o->keys[i] == key)
			return 0;
	o->keys[o->n++] = key;
	return 0;
}

int kwork_order_parse(const char *text, const char *const *names, struct kwork_order *ret,
		      struct diag *diag)
{
	struct kwork_order o = { .n = 0 };
	int r = 0;

	while (*text && r >= 0) {
		size_t length = strcspn(text, ", ");

		if (length)
			r = kwork_order_add_key(&o, names, text, length, diag);
		text += length + (text[length] != '\0');
	}
	if (r >= 0)
		*ret = o;
	return r;
}

struct kwork_order_sorting {
	const struct kwork_order *order;
	unsigned rank[KWORK_CLASSES];
};

static uint64_t kwork_order_value(const struct kwork_item *item, unsigned key)
{
	switch ((enum kwork_key)key) {
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

static int kwork_order_compare(const void *left, const void *right, void *arg)
{
	const struct kwork_order_sorting *s = arg;
	const struct kwork_item *a = *(const struct kwork_item *const *)left;
	const struct kwork_item *b = *(const struct kwork_item *const *)right;
	int r = 0;

	for (size_t i = 0; i < s->order->n && !r; i++)
		r = greater_first(kwork_order_value(a, s->order->keys[i]),
				  kwork_order_value(b, s->order->keys[i]));
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
	struct kwork_order_sorting s = { .order = order };
	size_t n = 0;

	for (size_t i = 0; i < classes->n; i++)
		s.rank[classes->items[i]] = (unsigned)i;
	for (size_t i = 0; i < t->n; i++)
		if (t->items[i]->count)
			rows[n++] = t->items[i];
	qsort_r(rows, n, sizeof(*rows), kwork_order_compare, &s);
	*ret_n = n;
	return rows;
}
