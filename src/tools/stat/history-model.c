/* SPDX-License-Identifier: MIT */
#include "tools/stat/history-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct stat_history_entry {
	char *key;
	size_t n;
	double values[HISTORY_MAX];
};

/* In the order of the rows. */
struct stat_history_entries {
	struct stat_history_entry **items;
	size_t n, room;
};

struct history {
	struct stat_history_entries now, before;
	size_t next; /* the most probable position of the next row in @before */
};

struct history *history_new(void)
{
	return xcalloc(1, sizeof(struct history));
}

static void entry_free(struct stat_history_entry *e)
{
	if (e)
		free(e->key);
	free(e);
}

static void forget_before(struct history *h)
{
	for (size_t i = 0; i < h->before.n; i++)
		entry_free(h->before.items[i]);
	h->before.n = 0;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->now.n; i++)
		entry_free(h->now.items[i]);
	forget_before(h);
	free(h->now.items);
	free(h->before.items);
	free(h);
}

void history_begin(struct history *h)
{
	struct stat_history_entries rows = h->now;

	h->now = h->before;
	h->now.n = 0;
	h->before = rows;
	h->next = 0;
}

/* Takes a row out of the previous table and returns it. NULL: it is not there. */
static struct stat_history_entry *history_take(struct history *h, const char *key)
{
	for (size_t i = 0; i < h->before.n; i++) {
		size_t at = (h->next + i) % h->before.n;

		if (h->before.items[at] && !strcmp(h->before.items[at]->key, key)) {
			h->next = at + 1;
			return TAKE(h->before.items[at]);
		}
	}
	return NULL;
}

size_t history_add(struct history *h, const char *key, double value)
{
	struct stat_history_entry *e = history_take(h, key);

	if (!e) {
		e = xcalloc(1, sizeof(*e));
		e->key = xstrdup(key);
	}
	if (e->n == HISTORY_MAX)
		memmove(e->values, e->values + 1, --e->n * sizeof(e->values[0]));
	e->values[e->n++] = value;
	*ARRAY_ADD(&h->now) = e;
	return h->now.n - 1;
}

void history_end(struct history *h)
{
	forget_before(h);
}

struct past history_get(const struct history *h, size_t handle)
{
	const struct stat_history_entry *e = h->now.items[handle];

	return (struct past){ e->values, e->n };
}
