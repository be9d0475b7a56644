/* SPDX-License-Identifier: MIT */
/* perf kmem stat: shows sums of the work of the kernel's memory allocators. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "capture/loop.h"
#include "cli/command.h"
#include "cli/fitted-output.h"
#include "measure/record.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/target.h"
#include "session/reading.h"
#include "symbol/symbol-request.h"
#include "symbol/symbolizer.h"
#include "tools/kmem/kmem-work.h"
#include "tools/kmem/opts.h"
#include "tools/kmem/pages-view.h"
#include "tools/kmem/slab-view.h"

struct opts {
	struct kmem_opts common;
	bool bpf;
	struct target target;
};

static const struct option options[] = {
	OPT_SET(struct opts, common, kmem_options),

	OPT_HEADING("What happens now:"),
	OPT_FLAG(0, "bpf", struct opts, bpf,
		 "count in the kernel, while a command runs or until Ctrl-C"),
	OPT_SET(struct opts, target, target_options),
	OPT_END,
};

/* Warns about options for a table that is not shown. */
static void warn_unshown(const struct invocation *inv, const struct kmem_opts *o)
{
	const struct kmem_choice *c = &o->choice;
	_cleanup_(diag_done) struct diag diag = { 0 };

	for (int t = 0; t < KMEM_TABLES; t++) {
		if (!c->limited[t] || c->shown[t] || (o->live && kmem_wants_slab(c)))
			continue;
		diag_set(&diag, 0,
			 "--sort and --line are for the table that is named before them; "
			 "this one is for --alloc, which is not shown");
		diag_hint(&diag, "Say: perf kmem stat --caller --sort KEYS --line N");
		command_warn(inv, &diag);
	}
}

static struct kmem_keys kmem_stat_keys_of(const struct kmem_choice *c, enum kmem_allocator a,
					  enum kmem_table t)
{
	return c->keys[a][t].n ? c->keys[a][t] : kmem_keys_default(a);
}

static void show_slab(const struct kmem_opts *o, const struct kmem_symbols *symbols,
		      const struct kmem *k, struct text *out)
{
	const struct kmem_choice *c = &o->choice;
	const struct kmem_keys by_site = kmem_stat_keys_of(c, KMEM_SLAB, KMEM_TABLE_CALLER);
	const struct kmem_keys by_ptr = kmem_stat_keys_of(c, KMEM_SLAB, KMEM_TABLE_ALLOC);
	const struct slab_table sites = { o->raw_ip ? NULL : symbols, &by_site,
					  c->lines[KMEM_TABLE_CALLER] };
	const struct slab_table left = { sites.symbols, NULL, c->lines[c->last_table] };
	const struct slab_table pointers = { NULL, &by_ptr, c->lines[KMEM_TABLE_ALLOC] };

	if (c->shown[KMEM_TABLE_CALLER])
		slab_print_callers(&k->slab, &sites, out);
	if (c->shown[KMEM_TABLE_ALLOC])
		slab_print_pointers(&k->slab, &pointers, out);
	if (o->live)
		slab_print_live(&k->slab, &left, out);
	slab_print_summary(&k->slab, out);
}

static void show_pages(const struct kmem_opts *o, const struct kmem_symbols *symbols,
		       const struct kmem *k, struct text *out)
{
	const struct kmem_choice *c = &o->choice;
	const struct kmem_keys by_site = kmem_stat_keys_of(c, KMEM_PAGE, KMEM_TABLE_CALLER);
	const struct kmem_keys by_page = kmem_stat_keys_of(c, KMEM_PAGE, KMEM_TABLE_ALLOC);
	struct page_table t = { .symbols = symbols,
				.gfp = &k->gfp,
				.keys = &by_site,
				.lines = c->lines[KMEM_TABLE_CALLER],
				.by_number = k->events.pages_by_number,
				.old_types = k->old_types };

	if (c->shown[KMEM_TABLE_CALLER] || c->shown[KMEM_TABLE_ALLOC])
		page_print_legend(&t, out);
	if (c->shown[KMEM_TABLE_CALLER])
		page_print_callers(&k->page, &t, out);
	t.keys = &by_page;
	t.lines = c->lines[KMEM_TABLE_ALLOC];
	if (c->shown[KMEM_TABLE_ALLOC])
		page_print_pages(&k->page, &t, out);
	page_print_summary(&k->page, t.old_types, out);
}

static void kmem_stat_show(const struct invocation *inv, struct kmem *k)
{
	const struct opts *o = inv->opts;
	const struct kmem_symbols symbols = { kmem_name, k };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct fitted_output fitted;

	if (kmem_wants_slab(&o->common.choice))
		show_slab(&o->common, &symbols, k, &out);
	if (kmem_wants_page(&o->common.choice))
		show_pages(&o->common, &symbols, k, &out);
	fitted_open(&fitted, inv, inv->out);
	fwrite(out.chars, 1, out.length, fitted.out);
	fitted_close(&fitted);
}

/* Prints details that the tables and summaries do not contain, with -v. */
static void tell_more(const struct invocation *inv, const struct kmem *k)
{
	const struct opts *o = inv->opts;
	_cleanup_(notes_done) struct notes notes = command_notes(inv);

	if (!o->common.verbose)
		return;
	if (kmem_wants_slab(&o->common.choice))
		notes_add(&notes, NOTE_DETAIL,
			  "Slab: %zu call sites, %zu addresses, %" PRIu64
			  " frees of objects that were not seen allocated.",
			  k->slab.sites.n, k->slab.pointers.n, k->slab.totals.unmatched_frees);
	if (kmem_wants_page(&o->common.choice))
		notes_add(&notes, NOTE_DETAIL,
			  "Pages: %zu rows of call sites, %" PRIu64
			  " frees of pages that were not seen allocated.",
			  k->page.callers.n, k->page.totals.free_only.requests);
}

static struct kmem_request kmem_stat_request_of(const struct opts *o, const struct invocation *inv)
{
	const struct kmem_choice *c = &o->common.choice;

	return (struct kmem_request){ .slab = kmem_wants_slab(c),
				      .page = kmem_wants_page(c),
				      .live = o->common.live,
				      .pages = c->shown[KMEM_TABLE_ALLOC],
				      .argv = inv->argv,
				      .target = o->target };
}

static int kmem_stat_show_recorded(struct invocation *inv, struct kmem_request *rq,
				   struct notes *notes, struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct symbol_request names = { 0 };
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	_cleanup_(symbolizer_freep) struct symbolizer *symbolizer = reading_symbolizer(
		&(struct reading_symbols){ .request = &names, .buildid_dir = dir });
	_cleanup_(kmem_done) struct kmem k = { 0 };
	int r;

	rq->input = (struct recorded_request){ .path = input_path(o->common.input),
					       .force = o->common.force,
					       .filter.time = o->common.time,
					       .symbolizer = symbolizer,
					       .progress = command_progress(inv, false, false) };
	r = kmem_read(rq, &k, notes, diag);
	if (r < 0)
		return command_fail(inv, r, diag);
	tell_more(inv, &k);
	kmem_stat_show(inv, &k);
	return EXIT_OK;
}

static int show_now(struct invocation *inv, const struct kmem_request *rq, struct notes *notes,
		    struct diag *diag)
{
	_cleanup_(kmem_done) struct kmem k = { 0 };
	struct record_result result;
	int r = kmem_count(rq, &k, notes, &result, diag);

	if (r < 0)
		return command_fail(inv, r, diag);
	tell_more(inv, &k);
	kmem_stat_show(inv, &k);
	return record_result_status(&result);
}

/*
 * Checks the options. Words and targets are for a live count; the other options are for recordings.
 */
static int kmem_stat_check(const struct opts *o, const struct invocation *inv, struct diag *diag)
{
	const struct target *t = &o->target;
	bool has_target = t->all_cpus || t->cpus.n || t->pids.n || t->tids.n || t->user.given;

	if (o->bpf && (o->common.input || o->common.time.n || o->common.force))
		return diag_set(diag, -EINVAL,
				"--bpf counts what happens now: -i, -f and --time are for "
				"recordings");
	if (!o->bpf && (inv->argc || has_target)) {
		diag_set(diag, -EINVAL, "a recording is shown as a whole: %s '%s' is for --bpf",
			 inv->argc ? "the command" : "a target such as",
			 inv->argc ? inv->argv[0] : "-a");
		diag_hint(diag, "To record: perf kmem record -- COMMAND; to count now: perf kmem "
				"stat --bpf -- COMMAND");
		return -EINVAL;
	}
	return 0;
}

static int kmem_stat_run(struct invocation *inv)
{
	struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const char *overridden = target_settle(&o->target);
	struct kmem_request rq = kmem_stat_request_of(o, inv);
	struct notes notes = command_notes(inv);

	if (kmem_stat_check(o, inv, &diag) < 0)
		return command_usage(inv, &diag);
	if (overridden) {
		diag_set(&diag, 0, "%s", overridden);
		command_warn(inv, &diag);
	}
	warn_unshown(inv, &o->common);
	return o->bpf ? show_now(inv, &rq, &notes, &diag)
		      : kmem_stat_show_recorded(inv, &rq, &notes, &diag);
}

static void kmem_stat_done(void *opts)
{
	struct opts *o = opts;

	kmem_opts_done(&o->common);
	target_done(&o->target);
}

static const struct opts defaults = { .common = KMEM_OPTS_DEFAULT };

static const char *const usage[] = { "[<options>]", "[<options>] --bpf [-- <command>]", NULL };

const struct command cmd_kmem_stat = {
	.name = "kmem stat",
	.summary = "show who allocated how much",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED | COMMAND_WORKLOAD,
	.run = kmem_stat_run,
	.done = kmem_stat_done,
};
