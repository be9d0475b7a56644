/* SPDX-License-Identifier: MIT */
#include "view/kwork/name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/kwork/items.h"
#include "base/escape.h"
#include "base/text.h"

#define WIDTH 30

/* Longer names lose their end, as in Linux's perf. */
#define LENGTH_MAX (WIDTH - 1)

/* Work items have an address for a number, which says nothing beside the function's name. */
static void compose(char *name, size_t size, const struct kwork_item *item)
{
	const char *prefix = kwork_class_names[item->class].prefix;

	if (item->class == KWORK_WORKQUEUE && item->name)
		snprintf(name, size, "%s%s", prefix, item->name);
	else if (item->class == KWORK_WORKQUEUE)
		snprintf(name, size, "%s0x%" PRIx64, prefix, item->id);
	else if (item->name)
		snprintf(name, size, "%s%s:%" PRIu64, prefix, item->name, item->id);
	else
		snprintf(name, size, "%s%" PRIu64, prefix, item->id);
}

void kwork_name_add(struct text *t, const struct kwork_item *item)
{
	char name[LENGTH_MAX + 1];
	size_t from = t->length;

	compose(name, sizeof(name), item);
	escape_terminal(t, name, strlen(name));
	text_pad(t, from, WIDTH, 0, ' ');
}
