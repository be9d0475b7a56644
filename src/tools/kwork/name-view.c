/* SPDX-License-Identifier: MIT */
#include "tools/kwork/name-view.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "tools/kwork/items-model.h"

/* Work items have an address for a number, which says nothing beside the function's name. */
static void kwork_name_compose(char *name, size_t size, const struct kwork_item *item)
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

/* Longer names lose their end, as in Linux's perf, and a blank follows. */
void kwork_name_add(struct text *t, const struct kwork_item *item, size_t width)
{
	char name[KWORK_NAME_WIDTH];
	size_t from = t->length;

	assert(width && width <= sizeof(name));
	kwork_name_compose(name, width, item);
	escape_terminal(t, name, strlen(name));
	text_pad(t, from, width, 0, ' ');
}
