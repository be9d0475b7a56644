/* SPDX-License-Identifier: MIT */
/* perf kmem stat: sums of what the kernel's memory allocators did. */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/buildid-dir.h"
#include "cmd/kmem-opts.h"
#include "cmd/opt/input.h"
#include "job/kmem.h"
#include "job/reading.h"
#include "job/symbol-request.h"
#include "symbol/symbolizer.h"
#include "view/kmem/pages.h"
#include "view/kmem/slab.h"

struct opts {
	struct kmem_opts common;
};

static const struct option options[] = {
	OPT_SET(struct opts, common, kmem_options),
	OPT_END,
};

/* What was asked for of a table that is not shown. */
static void warn_unshown(const struct invocation *inv, const struct kmem_choice *c)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	for (int t = 0; t < KMEM_TABLES; t++) {
		if (!c->limited[t] || c->shown[t])
			continue;
		diag_set(&diag, 0,
			 "--sort and --line are for the table that is named before them; "
			 "this one is for --alloc, which is not shown");
		diag_hint(&diag, "Say: perf kmem stat --caller --sort KEYS --line N");
		command_warn(inv, &diag);
	}
}

static struct kmem_keys keys_of(const struct kmem_choice *c, enum kmem_allocator a,
				enum kmem_table t)
{
	return c->keys[a][t].n ? c->keys[a][t] : kmem_keys_default(a);
}

static void show_slab(const struct kmem_opts *o, const struct kmem_symbols *symbols,
		      const struct kmem *k, struct text *out)
{
	const struct kmem_choice *c = &o->choice;
	const struct kmem_keys by_site = keys_of(c, KMEM_SLAB, KMEM_TABLE_CALLER);
	const struct kmem_keys by_ptr = keys_of(c, KMEM_SLAB, KMEM_TABLE_ALLOC);
	const struct slab_table sites = { o->raw_ip ? NULL : symbols, &by_site,
					  c->lines[KMEM_TABLE_CALLER] };
	const struct slab_table pointers = { NULL, &by_ptr, c->lines[KMEM_TABLE_ALLOC] };

	if (c->shown[KMEM_TABLE_CALLER])
		slab_print_callers(&k->slab, &sites, out);
	if (c->shown[KMEM_TABLE_ALLOC])
		slab_print_pointers(&k->slab, &pointers, out);
	if (o->live)
		slab_print_live(&k->slab, &sites, out);
	slab_print_summary(&k->slab, out);
}

static void show_pages(const struct kmem_opts *o, const struct kmem_symbols *symbols,
		       const struct kmem *k, struct text *out)
{
	const struct kmem_choice *c = &o->choice;
	const struct kmem_keys by_site = keys_of(c, KMEM_PAGE, KMEM_TABLE_CALLER);
	const struct kmem_keys by_page = keys_of(c, KMEM_PAGE, KMEM_TABLE_ALLOC);
	struct page_table t = { .symbols = symbols,
				.gfp = &k->gfp,
				.keys = &by_site,
				.lines = c->lines[KMEM_TABLE_CALLER],
				.by_number = k->events.pages_by_number };

	if (c->shown[KMEM_TABLE_CALLER] || c->shown[KMEM_TABLE_ALLOC])
		page_print_legend(&t, out);
	if (c->shown[KMEM_TABLE_CALLER])
		page_print_callers(&k->page, &t, out);
	t.keys = &by_page;
	t.lines = c->lines[KMEM_TABLE_ALLOC];
	if (c->shown[KMEM_TABLE_ALLOC])
		page_print_pages(&k->page, &t, out);
	page_print_summary(&k->page, t.new_types, out);
}

static void show(const struct invocation *inv, struct kmem *k)
{
	const struct opts *o = inv->opts;
	const struct kmem_symbols symbols = { kmem_name, k };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	if (kmem_wants_slab(&o->common.choice))
		show_slab(&o->common, &symbols, k, &out);
	if (kmem_wants_page(&o->common.choice))
		show_pages(&o->common, &symbols, k, &out);
	fwrite(out.chars, 1, out.length, inv->out);
}

static struct kmem_request request_of(const struct kmem_opts *o, const struct invocation *inv,
				      struct symbolizer *symbolizer)
{
	const struct kmem_choice *c = &o->choice;

	return (struct kmem_request){ .input = { .path = input_path(o->input),
						 .force = o->force,
						 .filter.time = o->time,
						 .symbolizer = symbolizer,
						 .progress = command_progress(inv, false, false) },
				      .slab = kmem_wants_slab(c),
				      .page = kmem_wants_page(c),
				      .live = o->live,
				      .pages = c->shown[KMEM_TABLE_ALLOC] };
}

static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct symbol_request names = { 0 };
	_cleanup_(freep) char *dir = command_symbols_dir(inv, &names);
	_cleanup_(symbolizer_freep) struct symbolizer *symbolizer = reading_symbolizer(
		&(struct reading_symbols){ .request = &names, .buildid_dir = dir });
	const struct kmem_request rq = request_of(&o->common, inv, symbolizer);
	struct notes notes = command_notes(inv);
	_cleanup_(kmem_done) struct kmem k;
	int r;

	warn_unshown(inv, &o->common.choice);
	r = kmem_read(&rq, &k, &notes, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	show(inv, &k);
	return EXIT_OK;
}

static void done(void *opts)
{
	struct opts *o = opts;

	kmem_opts_done(&o->common);
}

static const struct opts defaults = { .common = KMEM_OPTS_DEFAULT };

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_kmem_stat = {
	.name = "kmem stat",
	.summary = "show who allocated how much",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = run,
	.done = done,
};
