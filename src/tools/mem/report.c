/* SPDX-License-Identifier: MIT */
/* perf mem report: runs perf report for accesses to memory, or, with -D, prints a line for each. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "event/memory-events.h"
#include "options/buildid-dir.h"
#include "options/filter.h"
#include "options/input.h"
#include "options/record-line.h"
#include "options/symbols.h"
#include "profile/profile.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "tools/mem/opts.h"
#include "tools/mem/samples-view.h"

static const char *mem_report_keys_of(const struct mem_opts *o)
{
	if (o->type_profile)
		return "mem,snoop,tlb,type";
	if (o->accesses == MEMORY_STORES)
		return "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";
	return "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked";
}

/* Returns the sort keys. NULL: the keys of report's --mem-mode apply. */
static char *mem_report_sort_of(const struct mem_opts *o)
{
	if (o->accesses != MEMORY_STORES && !o->phys_data && !o->data_page_size && !o->type_profile)
		return NULL;
	return xasprintf("--sort=%s%s%s", mem_report_keys_of(o), o->phys_data ? ",phys_daddr" : "",
			 o->data_page_size ? ",data_page_size" : "");
}

static void mem_report_add_value(struct record_line *l, const char *option, const char *value)
{
	if (!value)
		return;
	record_line_add(l, option);
	record_line_add(l, value);
}

static void add_table_words(struct record_line *l, const struct mem_opts *o, const char *sort)
{
	record_line_add(l, "--mem-mode");
	record_line_add(l, "--breakdown");
	record_line_add(l, "-n");
	mem_report_add_value(l, "-t", o->separator);
	if (sort)
		record_line_add(l, sort);
	mem_report_add_value(l, "--sort", o->sort);
}

static void mem_report_add_words(struct record_line *l, const struct mem_opts *o)
{
	if (o->hide_unresolved)
		record_line_add(l, "-U");
	if (o->force)
		record_line_add(l, "-f");
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(l, "-v");
	mem_report_add_value(l, "-C", o->cpus);
	mem_report_add_value(l, "-i", o->input);
}

/* The state of `perf mem report -D`. */
struct dump {
	struct memory_samples_view view;
	struct profile profile;
	bool hide_unresolved;
	FILE *out;
};

static bool mem_report_is_wanted(const struct dump *d, const struct session_sample *s,
				 const struct location *at)
{
	const struct sample_filter *f = d->profile.filter;
	const struct sample *sample = s->sample;

	if (d->hide_unresolved && !at->sym)
		return false;
	return !f || (sample_filter_passes_task(f, sample->pid, sample->tid) &&
		      sample_filter_passes_comm(f, machine_comm(d->profile.session, sample->pid,
								sample->tid, s->time)) &&
		      sample_filter_passes_place(f, at));
}

static int mem_report_take(void *arg, const struct sample_batch *b)
{
	struct dump *d = arg;

	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];
		struct location at = { 0 };

		machine_resolve(d->profile.session, s->sample->pid,
				address_mode_of(s->sample->misc), s->sample->ip, s->time, &at);
		if (mem_report_is_wanted(d, s, &at))
			memory_sample_print(&d->view, s->sample, &at, d->out);
	}
	return 0;
}

static int print_samples(struct dump *d, struct profile_request *rq, struct notes *notes,
			 struct diag *diag)
{
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .undivided = true,
				    .on_this_thread = true,
				    .samples = mem_report_take,
				    .arg = d };
	struct consumer filtered = c;
	int r = profile_open(&d->profile, rq, diag);

	if (r < 0)
		return r;
	filtered.filter = d->profile.filter;
	memory_samples_title(&d->view, d->out);
	r = session_feed(d->profile.session, NULL, &filtered, diag);
	profile_note(&d->profile, notes);
	return r;
}

/* The options of perf report that -D has: the sources of names, and the filters for samples. */
struct dump_opts {
	const char *input;
	bool force, hide_unresolved;
	unsigned verbose;
	struct filter_request filter;
	struct symbol_request symbols;
};

static const struct option dump_options[] = {
	OPT_INPUT(struct dump_opts, input),
	OPT_FORCE(struct dump_opts, force),
	OPT_COUNT('v', "verbose", struct dump_opts, verbose, "say more"),
	OPT_FLAG('U', "hide-unresolved", struct dump_opts, hide_unresolved,
		 "only samples with a known function"),
	OPT_SET(struct dump_opts, filter, filter_options),
	OPT_DSOS('d', struct dump_opts, filter.dsos),
	OPT_SET(struct dump_opts, symbols, symbol_options),
	OPT_MODULES,
	OPT_END
};

static int dump_with(struct invocation *inv, const struct dump_opts *dump)
{
	const struct mem_opts *o = inv->opts;
	struct dump d = { .view = { .separator = o->separator ? o->separator : " ",
				    .phys_data = o->phys_data,
				    .data_page_size = o->data_page_size },
			  .hide_unresolved = dump->hide_unresolved,
			  .out = inv->out };
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct profile_request rq = { .path = input_path(dump->input),
				      .force = dump->force,
				      .symbols = dump->symbols,
				      .verbose = dump->verbose,
				      .filter = dump->filter,
				      .hide_unresolved = dump->hide_unresolved,
				      .buildid_dir = dir,
				      .progress = command_progress(inv, false, true) };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = command_notes(inv);
	int r = print_samples(&d, &rq, &notes, &diag);

	profile_done(&d.profile);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static int dump_run(struct invocation *inv, struct record_line *l)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct dump_opts o = { 0 };
	struct option_line line;
	int r, status;

	for (char **word = inv->argv; *word; word++)
		record_line_add(l, *word);
	record_line_add(l, NULL);
	r = option_parse(dump_options, &o, l->items, OPTION_STOP_NEVER, &line, &diag);
	if (r >= 0 && line.argc && !o.input)
		o.input = l->items[0];
	else if (r >= 0 && line.argc)
		r = diag_set(&diag, -EINVAL, "one profile at a time: what is '%s' for?",
			     l->items[0]);
	status = r < 0 ? command_usage(inv, &diag) : dump_with(inv, &o);
	filter_request_done(&o.filter);
	return status;
}

/* Returns -EINVAL with @diag if options contradict each other. */
static int mem_report_check(const struct mem_opts *o, struct diag *diag)
{
	if (o->dump_samples && o->type_profile)
		return diag_set(diag, -EINVAL,
				"-T is a table of types, and -D shows samples: choose one");
	if (o->dump_samples && o->sort)
		return diag_set(diag, -EINVAL,
				"--sort is for rows, and -D shows samples: choose one");
	return 0;
}

static int mem_report_run(struct invocation *inv)
{
	const struct mem_opts *o = inv->opts;
	_cleanup_(freep) char *sort = mem_report_sort_of(o);
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (mem_report_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	if (!o->dump_samples)
		add_table_words(&l, o, sort);
	mem_report_add_words(&l, o);
	return o->dump_samples ? dump_run(inv, &l) : record_line_run(&l, inv, "report");
}

static const struct option options[] = {
	OPT_INCLUDE(mem_options),
	OPT_STRING('s', "sort", struct mem_opts, sort, "key[,keys...]",
		   "rows by these keys, in place of the usual ones; +key adds to them"),
	OPT_END
};

static const char *const usage[] = { "[<options>] [<options of perf report>]", NULL };

const struct command cmd_mem_report = {
	.name = "mem report",
	.summary = "show what the accesses to memory add up to",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct mem_opts),
	.passes_to = "report",
	.run = mem_report_run,
};
