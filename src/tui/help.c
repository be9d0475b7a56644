/* SPDX-License-Identifier: MIT */
#include "tui/help.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tui/menu.h"

static size_t help_widest(const struct key_binding *keys, const struct panel *p, size_t width)
{
	for (const struct key_binding *b = keys; b && b->run; b++)
		if (b->names && key_binding_applies(b, p) && strlen(b->names) > width)
			width = strlen(b->names);
	return width;
}

/* True if the panel gives the key of a common row another meaning, or another name. */
static bool is_replaced(const struct key_binding *b, const struct panel *p)
{
	for (const struct key_binding *own = p->type->keys; own && own->run && own != b; own++)
		for (size_t i = 0; i < ARRAY_SIZE(own->keys) && own->keys[i]; i++)
			if (own->keys[i] == b->keys[0] && key_binding_applies(own, p))
				return true;
	return false;
}

static void help_add_keys(struct text *t, const struct key_binding *keys, const struct panel *p,
			  size_t width)
{
	for (const struct key_binding *b = keys; b && b->run; b++) {
		size_t from;

		if (!b->names || !key_binding_applies(b, p))
			continue;
		if (keys == panel_common_keys && is_replaced(b, p))
			continue;
		if (b->heading)
			text_addf(t, "\n%s\n\n", b->heading);
		from = t->length;
		text_add(t, b->names);
		text_pad(t, from, width, 0, ' ');
		text_addf(t, "  %s\n", b->what);
	}
}

void help_push(struct panel *p)
{
	struct text t = TEXT_EMPTY;
	size_t width = help_widest(panel_common_keys, p,
				   help_widest(p->type->keys, p, strlen("PGDN/SPACE")));

	help_add_keys(&t, panel_common_keys, p, width);
	help_add_keys(&t, p->type->keys, p, width);
	message_push(p->panels, p->type->name ? p->type->name : "Help", t.chars);
	text_done(&t);
}
