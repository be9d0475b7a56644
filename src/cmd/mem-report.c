/* SPDX-License-Identifier: MIT */
/* perf mem report: perf report of accesses to memory; or, with -D, a line for each. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cmd/buildid-dir.h"
#include "cmd/mem-opts.h"
#include "cmd/record-line.h"
#include "cmd/report-job.h"
#include "cmd/report-opts.h"
#include "event/memory-events.h"
#include "job/profile.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "view/memory/samples.h"

static const char *keys_of(const struct mem_opts *o)
{
	if (o->type_profile)
		return "mem,snoop,tlb,type";
	if (o->accesses == MEMORY_STORES)
		return "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";
	return "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked";
}

/* Where nothing is said, the keys are those of report's --mem-mode. */
static char *sort_of(const struct mem_opts *o)
{
	if (o->accesses != MEMORY_STORES && !o->phys_data && !o->data_page_size && !o->type_profile)
		return NULL;
	return xasprintf("--sort=%s%s%s", keys_of(o), o->phys_data ? ",phys_daddr" : "",
			 o->data_page_size ? ",data_page_size" : "");
}

static void add_value(struct record_line *l, const char *option, const char *value)
{
	if (!value)
		return;
	record_line_add(l, option);
	record_line_add(l, value);
}

static void add_words(struct record_line *l, const struct mem_opts *o, const char *sort)
{
	if (!o->dump_samples) {
		record_line_add(l, "--mem-mode");
		record_line_add(l, "--breakdown");
		record_line_add(l, "-n");
		add_value(l, "-t", o->separator);
	}
	if (sort)
		record_line_add(l, sort);
	add_value(l, "--sort", o->sort);
	if (o->hide_unresolved)
		record_line_add(l, "-U");
	if (o->force)
		record_line_add(l, "-f");
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(l, "-v");
	add_value(l, "-C", o->cpus);
	add_value(l, "-i", o->input);
}

/* -D */
struct dump {
	struct memory_samples_view view;
	struct profile profile;
	bool hide_unresolved;
	FILE *out;
};

static bool is_wanted(const struct dump *d, const struct session_sample *s,
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

static int take(void *arg, const struct sample_batch *b)
{
	struct dump *d = arg;

	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];
		struct location at = { 0 };

		machine_resolve(d->profile.session, s->sample->pid,
				address_mode_of(s->sample->misc), s->sample->ip, s->time, &at);
		if (is_wanted(d, s, &at))
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
				    .samples = take,
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

static int dump_with(struct invocation *inv, const struct report_opts *ro)
{
	const struct mem_opts *o = inv->opts;
	struct dump d = { .view = { .separator = o->separator ? o->separator : " ",
				    .phys_data = o->phys_data,
				    .data_page_size = o->data_page_size },
			  .hide_unresolved = ro->hide_unresolved,
			  .out = inv->out };
	struct profile_request rq = report_profile_request(ro);
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = command_notes(inv);
	int r;

	rq.buildid_dir = dir;
	rq.progress = command_progress(inv, ro->verbosity.quiet, true);
	r = print_samples(&d, &rq, &notes, &diag);
	profile_done(&d.profile);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

/* The words for report tell where names come from and which samples are wanted. */
static int dump_run(struct invocation *inv, struct record_line *l)
{
	struct report_opts ro;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct option_line line;
	int r, status;

	for (char **word = inv->argv; *word; word++)
		record_line_add(l, *word);
	record_line_add(l, NULL);
	memcpy(&ro, cmd_report.defaults, sizeof(ro));
	r = option_parse(cmd_report.options, &ro, l->items, OPTION_STOP_NEVER, &line, &diag);
	if (r >= 0 && line.argc && !ro.input.path)
		ro.input.path = l->items[0];
	else if (r >= 0 && line.argc)
		r = diag_set(&diag, -EINVAL, "one profile at a time: what is '%s' for?",
			     l->items[0]);
	status = r < 0 ? command_usage(inv, &diag) : dump_with(inv, &ro);
	cmd_report.done(&ro);
	return status;
}

static int run(struct invocation *inv)
{
	const struct mem_opts *o = inv->opts;
	_cleanup_(freep) char *sort = sort_of(o);
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (o->dump_samples && o->type_profile) {
		diag_set(&diag, -EINVAL,
			 "-T is a table of types, and -D shows samples: choose one");
		return command_usage(inv, &diag);
	}
	add_words(&l, o, sort);
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
	.passes_to = &cmd_report,
	.run = run,
};
