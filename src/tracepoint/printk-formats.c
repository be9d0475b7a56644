/* SPDX-License-Identifier: MIT */
#include "tracepoint/printk-formats.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct printk_format {
	uint64_t addr;
	const char *string; /* points into the text */
};

struct printk_formats {
	char *text; /* cut into strings */
	struct printk_format *items;
	size_t n, room;
};

/* Removes the closing quote, and the \n before it. False: there is no quote. */
static bool printk_formats_end_string(char *s)
{
	char *quote = strrchr(s, '"');

	if (!quote)
		return false;
	*quote = '\0';
	if (quote - s >= 2 && quote[-2] == '\\' && quote[-1] == 'n')
		quote[-2] = '\0';
	return true;
}

static void printk_formats_add_line(struct printk_formats *p, char *line)
{
	char *s = line;
	uint64_t addr = strtoull(line, &s, 16);

	if (s == line || strncmp(s, " : \"", 4) != 0 || !printk_formats_end_string(s + 4))
		return;
	*ARRAY_ADD(p) = (struct printk_format){ addr, s + 4 };
}

static int printk_formats_by_addr(const void *a, const void *b)
{
	const struct printk_format *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

struct printk_formats *printk_formats_new(const char *text, size_t n)
{
	struct printk_formats *p = xcalloc(1, sizeof(*p));
	char *at, *line;

	p->text = at = xstrndup(text, n);
	while ((line = strsep(&at, "\n")))
		printk_formats_add_line(p, line);
	if (p->n)
		qsort(p->items, p->n, sizeof(p->items[0]), printk_formats_by_addr);
	return p;
}

void printk_formats_free(struct printk_formats *p)
{
	if (!p)
		return;
	free(p->items);
	free(p->text);
	free(p);
}

const char *printk_formats_find(const struct printk_formats *p, uint64_t addr)
{
	const struct printk_format key = { .addr = addr }, *found = NULL;

	if (p->n)
		found = bsearch(&key, p->items, p->n, sizeof(p->items[0]), printk_formats_by_addr);
	return found ? found->string : NULL;
}
