/* SPDX-License-Identifier: MIT */
#include "cmd/report-job.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cmd/buildid-dir.h"
#include "cmd/report-opts.h"
#include "count/thread-counts.h"
#include "job/reading.h"
#include "profile/record-stats.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "symbol/symbolizer.h"
#include "view/header/header.h"
#include "view/report/dump.h"
#include "view/report/stats.h"
#include "view/report/tasks.h"
#include "view/report/threads.h"
#include "view/report/title.h"

static bool is_raw(const struct report_opts *o)
{
	return o->pretty && !strcmp(o->pretty, "raw");
}

/* The table of record -s, for which all records have been delivered. */
static void print_thread_counts(const struct report_job *j)
{
	_cleanup_(thread_counts_freep) struct thread_counts *t = thread_counts_new(j->session);

	report_threads_print(t, is_raw(j->opts), j->inv->out);
}

/* The features of a stream come behind the header's last line, where Linux's perf prints them. */
static void print_full_header(const struct report_job *j)
{
	bool full = j->opts->input.show_info;

	header_print(session_datafile(j->session), full, j->inv->out);
	if (session_is_stream(j->session))
		header_print_features(session_features(j->session), full, j->inv->out);
}

static void print_header(const struct report_job *j)
{
	const struct report_opts *o = j->opts;

	if (o->verbosity.quiet && !o->input.header_only)
		return;
	if (o->input.header || o->input.header_only)
		print_full_header(j);
	else if (!o->stats && !o->tasks && !o->mmaps && !o->json)
		report_header_hint_print(j->inv->out);
}

static bool has_samples(const struct report_job *j)
{
	for (size_t i = 0; i < session_event_count(j->session); i++)
		if (collector_tally(j->collector, i)->total.samples)
			return true;
	return false;
}

static int show(struct report_job *j)
{
	_cleanup_(diag_done) struct diag none = { 0 };
	int r;

	print_header(j);
	r = reading_check_samples(j->session, j->diag);
	if (r < 0)
		return r;
	if (j->opts->json || has_samples(j))
		return report_show(j);
	diag_set(&none, 0, "%s has no samples%s", session_path(j->session),
		 session_counts(j->session)->samples ? " that the filters leave" : "");
	command_warn(j->inv, &none);
	return 0;
}

static int print_report(struct report_job *j)
{
	int r = report_collect(j);

	if (r >= 0)
		r = show(j);
	if (r >= 0 && j->opts->thread_counts)
		print_thread_counts(j);
	if (r >= 0 && !j->opts->verbosity.quiet)
		report_explain_missing(j);
	report_collect_done(j);
	return r;
}

static int print_stats(struct report_job *j)
{
	_cleanup_(record_stats_freep) struct record_stats *st = record_stats_new(j->session);
	int r = record_stats_gather(st, j->diag);

	if (r >= 0)
		report_stats_print(j->session, st, j->opts->skip_empty != CHOICE_NO, j->inv->out);
	return r;
}

static int print_tasks(struct report_job *j)
{
	int r = session_feed(j->session, NULL, &(struct consumer){ 0 }, j->diag);

	if (r >= 0)
		report_tasks_print(j->session, j->opts->mmaps, j->inv->out);
	return r;
}

static int print_dump(struct report_job *j)
{
	return report_dump_print(j->session,
				 &(struct report_dump_options){
					 .unsorted = j->opts->disable_order,
					 .skip_empty = j->opts->skip_empty != CHOICE_NO,
					 .out = j->inv->out,
				 },
				 j->diag);
}

static int print_what_is_wanted(struct report_job *j)
{
	const struct report_opts *o = j->opts;
	int r = o->input.header_only ? reading_stream_header(j->session, j->diag) : 0;

	if (r < 0)
		return r;
	if (o->input.header_only || o->stats || o->tasks || o->mmaps || o->input.dump_raw)
		print_header(j);
	if (o->input.header_only) {
		fflush(j->inv->out);
		return reading_stream_rest(j->session, j->diag);
	}
	if (o->stats)
		return print_stats(j);
	if (o->tasks || o->mmaps)
		return print_tasks(j);
	return o->input.dump_raw ? print_dump(j) : print_report(j);
}

static int open_filter(struct report_job *j, const struct time_span *spans,
		       struct sample_filter_request *request)
{
	const struct filter_opts *f = &j->opts->filter;

	*request = (struct sample_filter_request){
		.spans = spans,
		.n_spans = f->time.n,
		.cpus = &f->cpus,
		.pids = f->pids.items,
		.n_pids = f->pids.n,
		.tids = f->tids.items,
		.n_tids = f->tids.n,
		.comms = f->comms,
		.symbols = f->symbols,
		.dsos = f->dsos,
	};
	return sample_filter_new(request, &j->filter, j->diag);
}

static int work(struct report_job *j)
{
	const struct report_opts *o = j->opts;
	_cleanup_(freep) struct time_span *spans = NULL;
	struct notes notes = command_notes(j->inv);
	struct sample_filter_request request;
	int r = reading_spans(&o->filter.time, j->session, &spans, j->diag);

	if (r >= 0)
		r = open_filter(j, spans, &request);
	if (r < 0)
		return command_fail(j->inv, r, j->diag);
	r = print_what_is_wanted(j);
	reading_note_damage(j->session, &notes);
	reading_note_losses(j->session, &notes);
	reading_note_stacks(j->session, &notes);
	sample_filter_free(j->filter);
	/* Lost output is told by whoever closes it. */
	if (r < 0 && ferror(j->inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(j->inv, r, j->diag) : EXIT_OK;
}

int report_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct report_opts *o = inv->opts;
	struct progress *progress = command_progress(inv, o->verbosity.quiet, o->input.dump_raw);
	_cleanup_(freep) char *buildid_dir = command_symbols_dir(inv, &o->symbols);
	const struct reading_symbols how = {
		.request = &o->symbols,
		.buildid_dir = buildid_dir,
		.ignore_vmlinux = o->ignore_vmlinux,
		.any_owner = o->input.force,
		.with_parameters = o->verbosity.verbose,
		.progress = progress,
	};
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = reading_symbolizer(&how);
	_cleanup_(session_freep) struct session *session = NULL;
	const struct session_options so = {
		.path = input_path(o->input.path),
		.force = o->input.force,
		.symbolizer = symbols,
		/* Counting needs no order. */
		.in_file_order = o->stats || (o->input.dump_raw && o->disable_order),
		.progress = progress,
	};
	int r = symbol_files_check(&how, &diag);

	if (r >= 0)
		r = session_open(&so, &session, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	return work(&(struct report_job){
		.inv = inv, .opts = o, .session = session, .symbolizer = symbols, .diag = &diag });
}
