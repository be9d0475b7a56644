/* SPDX-License-Identifier: MIT */
#include "tools/kmem/pages-view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/kmem/gfp-model.h"
#include "tools/kmem/keys-model.h"
#include "tools/kmem/pages-model.h"
#include "tools/kmem/slab-view.h"

static const char *const type_names[PAGE_MIGRATE_TYPES] = { "UNMOVABL", "MOVABLE", "RECLAIM",
							    "HIGHATOM", "CMA/ISLT" };
static const char *const old_type_names[PAGE_MIGRATE_TYPES] = { "UNMOVABL", "RECLAIM", "MOVABLE",
								"RESERVED", "CMA/ISLT" };
static const char *const type_titles[PAGE_MIGRATE_TYPES] = { "Unmovable", "Movable", "Reclaimable",
							     "HighAtomic", "CMA/Isolated" };
static const char *const old_type_titles[PAGE_MIGRATE_TYPES] = { "Unmovable", "Reclaimable",
								 "Movable", "Reserved",
								 "CMA/Isolated" };

static int gfp_width(const struct gfp_names *gfp, int least)
{
	size_t width = (size_t)least;

	for (size_t i = 0; i < gfp->n; i++)
		if (strlen(gfp->items[i].compact) > width)
			width = strlen(gfp->items[i].compact);
	return (int)width;
}

void page_print_legend(const struct page_table *t, struct text *out)
{
	text_add(out, "#\n# GFP flags\n# ---------\n");
	for (size_t i = 0; i < t->gfp->n; i++)
		text_addf(out, "# %08" PRIx64 ": %*s: %s\n", t->gfp->items[i].flags,
			  gfp_width(t->gfp, 0), t->gfp->items[i].compact, t->gfp->items[i].full);
}

static const char *type_name(const struct page_table *t, int32_t type)
{
	if (type < 0 || type >= PAGE_MIGRATE_TYPES)
		return "UNKNOWN";
	return t->old_types ? old_type_names[type] : type_names[type];
}

static void kmem_pages_add_row(const struct kmem_page_row *row, const struct page_table *t,
			       int width, struct text *out)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (!t->symbols->name(t->symbols->arg, row->call_site, false, &name))
		text_addf(&name, "%" PRIx64, row->call_site);
	text_addf(out, " %16" PRIu64 " | %9" PRIu64 " | %5u | %8s | %-*s | %s\n", row->bytes / 1024,
		  row->hits, row->order, type_name(t, row->migratetype), width,
		  gfp_names_compact(t->gfp, row->gfp_flags), name.chars);
}

static void kmem_pages_add_dots(int width, struct text *out)
{
	text_addf(out, " %-16s | %-9s | %-5s | %-8s | %-*s | ...\n", "...", "...", "...", "...",
		  width, "...");
}

static void kmem_pages_add_titles(const struct page_model *m, int width, struct text *out)
{
	text_addf(out, " %5s alloc (KB) | Hits      | Order | Mig.type | %-*s | Callsite\n",
		  m->live ? "Live" : "Total", width, "GFP flags");
}

static void add_page(const struct kmem_page_row *row, const struct page_table *t, struct text *out)
{
	text_addf(out, t->by_number ? " %16" PRIu64 " |" : " %016" PRIx64 " |", row->page);
}

static void kmem_pages_print(const struct page_model *m, const struct kmem_page_row *rows, size_t n,
			     bool by_page, const struct page_table *t, struct text *out)
{
	_cleanup_(freep) const void **sorted = kmem_keys_sort(t->keys, rows, n, sizeof(*rows));
	size_t shown = kmem_rows_shown(n, t->lines);
	int width = gfp_width(t->gfp, (int)strlen("GFP flags"));

	text_add_char(out, '\n');
	kmem_print_rule(out);
	if (by_page)
		text_addf(out, " %-16s |", t->by_number ? "PFN" : "Page");
	kmem_pages_add_titles(m, width, out);
	kmem_print_rule(out);
	for (size_t i = 0; i < shown; i++) {
		if (by_page)
			add_page(sorted[i], t, out);
		kmem_pages_add_row(sorted[i], t, width, out);
	}
	if (kmem_rows_are_cut(n, t->lines)) {
		if (by_page)
			text_addf(out, " %-16s |", "...");
		kmem_pages_add_dots(width, out);
	}
	kmem_print_rule(out);
}

void page_print_callers(const struct page_model *m, const struct page_table *t, struct text *out)
{
	size_t n;
	_cleanup_(freep) struct kmem_page_row *rows = page_model_callers(m, &n);

	kmem_pages_print(m, rows, n, false, t, out);
}

void page_print_pages(const struct page_model *m, const struct page_table *t, struct text *out)
{
	size_t n;
	_cleanup_(freep) struct kmem_page_row *rows = page_model_pages(m, &n);

	kmem_pages_print(m, rows, n, true, t, out);
}

static void kmem_pages_add_sum(const char *what, const struct page_sum *s, struct text *out)
{
	text_addf(out, "%-30s: %16" PRIu64 "   [ %16" PRIu64 " KB ]\n", what, s->requests,
		  s->bytes / 1024);
}

static void kmem_pages_add_orders(const struct page_totals *totals, bool old_types,
				  struct text *out)
{
	const char *const *titles = old_types ? old_type_titles : type_titles;

	text_addf(out, "%5s", "Order");
	for (int type = 0; type < PAGE_MIGRATE_TYPES; type++)
		text_addf(out, "  %12s", titles[type]);
	text_addf(out, "\n%.5s", "-----");
	for (int type = 0; type < PAGE_MIGRATE_TYPES; type++)
		text_add(out, "  ------------");
	text_add_char(out, '\n');
	for (unsigned order = 0; order < PAGE_ORDERS; order++) {
		text_addf(out, "%5u", order);
		for (int type = 0; type < PAGE_MIGRATE_TYPES; type++) {
			uint64_t count = totals->orders[order][type];

			if (count)
				text_addf(out, "  %12" PRIu64, count);
			else
				text_addf(out, "  %12c", '.');
		}
		text_add_char(out, '\n');
	}
}

void page_print_summary(const struct page_model *m, bool old_types, struct text *out)
{
	const struct page_totals *t = &m->totals;
	const struct page_sum alloc_only = page_model_alloc_only(m);

	text_add(out, "\nSUMMARY (page allocator)\n========================\n");
	kmem_pages_add_sum("Total allocation requests", &t->allocations, out);
	kmem_pages_add_sum("Total free requests", &t->frees, out);
	text_add_char(out, '\n');
	kmem_pages_add_sum("Total alloc+freed requests", &t->freed, out);
	kmem_pages_add_sum("Total alloc-only requests", &alloc_only, out);
	kmem_pages_add_sum("Total free-only requests", &t->free_only, out);
	text_add_char(out, '\n');
	kmem_pages_add_sum("Total allocation failures", &t->failures, out);
	text_add_char(out, '\n');
	kmem_pages_add_orders(t, old_types, out);
}
