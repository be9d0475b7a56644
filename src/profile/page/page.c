/* SPDX-License-Identifier: MIT */
#include "profile/page/page.h"

#include <stdlib.h>

#include "base/memory.h"

void page_init(struct page *p)
{
	*p = (struct page){ .title = "", .subtitle = "", .bin_ns = 1, .n_bins = 1 };
	*ARRAY_ADD(&p->nodes) = (struct page_node){ .parent = PAGE_NONE, .kind = FLAME_ALL };
	*ARRAY_ADD(&p->objects) = page_text(p, "");
}

static void heat_free(struct page_heat *h)
{
	if (h)
		free(h->cells);
	free(h);
}

void page_done(struct page *p)
{
	free(p->header.items);
	free(p->quality.items);
	free(p->events.items);
	free(p->tasks.items);
	free(p->cpus.items);
	free(p->cgroups.items);
	free(p->names.items);
	free(p->objects.items);
	free(p->nodes.items);
	free(p->wheres.items);
	free(p->cells.items);
	for (size_t i = 0; i < p->functions.n; i++)
		free(p->functions.items[i].rows);
	free(p->functions.items);
	heat_free(p->heat);
	page_columns_done(&p->columns);
	bytes_done(&p->packed);
	intern_done(&p->texts);
	arena_done(&p->arena);
	*p = (struct page){ 0 };
}

const char *page_text(struct page *p, const char *s)
{
	return intern_text(&p->texts, s);
}

void page_add_fact(struct page *p, const char *name, const char *text)
{
	*ARRAY_ADD(&p->header) = (struct page_fact){ page_text(p, name), page_text(p, text) };
}

void page_add_remark(struct page *p, enum page_level level, const char *text, const char *help)
{
	*ARRAY_ADD(&p->quality) = (struct page_remark){
		.level = level,
		.text = page_text(p, text),
		.help = help ? page_text(p, help) : NULL,
	};
}
