/* SPDX-License-Identifier: MIT */
#include "tools/report/job.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "options/buildid-dir.h"
#include "options/explain-missing.h"
#include "profile/record-stats.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "tools/report/data-source-words-model.h"
#include "tools/report/memory-words-model.h"
#include "tools/report/opts.h"
#include "tools/report/tasks-view.h"
#include "tools/report/thread-counts-model.h"
#include "tools/report/threads-view.h"
#include "view/header/header.h"
#include "view/report/dump.h"
#include "view/report/stats.h"
#include "view/report/title.h"

static void report_job_done(struct report_job *j)
{
	profile_done(&j->profile);
}

static bool is_raw(const struct report_opts *o)
{
	return o->pretty && !strcmp(o->pretty, "raw");
}

/* Prints the table of record -s. All records must have been delivered. */
static void print_thread_counts(const struct report_job *j)
{
	_cleanup_(thread_counts_freep) struct thread_counts *t =
		thread_counts_new(j->profile.session);

	report_threads_print(t, is_raw(j->opts), j->inv->out);
}

/* Prints the header. The features of a stream follow the header's last line, as in Linux's perf. */
static void print_full_header(const struct report_job *j)
{
	bool full = j->opts->input.show_info;

	header_print(session_datafile(j->profile.session), full, j->inv->out);
	if (session_is_stream(j->profile.session))
		header_print_features(session_features(j->profile.session), full, j->inv->out);
}

static void print_header(const struct report_job *j)
{
	const struct report_opts *o = j->opts;

	if (o->verbosity.quiet && !o->input.header_only)
		return;
	if (o->input.header || o->input.header_only)
		print_full_header(j);
	else if (!o->stats && !o->tasks && !o->mmaps && !o->json && !o->html)
		report_header_hint_print(command_columns(j->inv, j->inv->out), j->inv->out);
}

void report_warn_empty(const struct report_job *j)
{
	_cleanup_(diag_done) struct diag none = { 0 };

	diag_set(&none, 0, "%s has no samples%s", session_path(j->profile.session),
		 session_counts(j->profile.session)->samples ? " that pass the filters" : "");
	command_warn(j->inv, &none);
}

/* True if words are explained: users get the explanations, scripts only the lines they expect. */
static bool wants_words(const struct report_job *j)
{
	const struct report_opts *o = j->opts;

	if (j->profile.mode != REPORT_MEMORY || o->json || o->html || o->verbosity.quiet)
		return false;
	return o->explain == CHOICE_UNSAID ? terminal_is(j->inv->settings->out)
					   : o->explain == CHOICE_YES;
}

static void print_words(const struct report_job *j)
{
	const struct profile *p = &j->profile;
	_cleanup_(freep) bool *used =
		memory_words_used(p->collector, session_event_count(p->session), &p->plan.keys);

	memory_words_print(used, j->inv->out);
}

static int report_job_show(struct report_job *j)
{
	int r;

	print_header(j);
	r = reading_check_samples(j->profile.session, j->diag);
	if (r < 0)
		return r;
	if (j->opts->html)
		return report_show_page(j);
	if (wants_words(j))
		print_words(j);
	if (j->opts->json || profile_has_samples(&j->profile))
		return report_show(j);
	report_warn_empty(j);
	return 0;
}

static int print_report(struct report_job *j)
{
	int r = profile_collect(&j->profile, j->diag);

	if (r >= 0)
		r = report_job_show(j);
	if (r >= 0 && j->opts->thread_counts)
		print_thread_counts(j);
	if (r >= 0 && !j->opts->verbosity.quiet && profile_shows_names(&j->profile))
		command_explain_missing(j->inv, &j->profile);
	return r;
}

static int report_job_print_stats(struct report_job *j)
{
	_cleanup_(record_stats_freep) struct record_stats *st =
		record_stats_new(j->profile.session);
	int r = record_stats_gather(st, j->diag);

	if (r >= 0)
		report_stats_print(j->profile.session, st, j->opts->skip_empty != CHOICE_NO,
				   j->inv->out);
	return r;
}

static int report_job_print_tasks(struct report_job *j)
{
	int r = session_feed(j->profile.session, NULL, &(struct consumer){ 0 }, j->diag);

	if (r >= 0)
		report_tasks_print(j->profile.session, j->opts->mmaps, j->inv->out);
	return r;
}

static int print_dump(struct report_job *j)
{
	return report_dump_print(j->profile.session,
				 &(struct report_dump_options){
					 .unsorted = j->opts->disable_order,
					 .skip_empty = j->opts->skip_empty != CHOICE_NO,
					 .out = j->inv->out,
				 },
				 j->diag);
}

/* True if the report itself is requested, and not other information about the file. */
static bool wants_report(const struct report_opts *o)
{
	return !o->input.header_only && !o->stats && !o->tasks && !o->mmaps && !o->input.dump_raw;
}

static int print_what_is_wanted(struct report_job *j)
{
	const struct report_opts *o = j->opts;
	int r = o->input.header_only ? reading_stream_header(j->profile.session, j->diag) : 0;

	if (r < 0)
		return r;
	if (wants_report(o))
		return print_report(j);
	print_header(j);
	if (o->input.header_only) {
		fflush(j->inv->out);
		return reading_stream_rest(j->profile.session, j->diag);
	}
	if (o->stats)
		return report_job_print_stats(j);
	if (o->tasks || o->mmaps)
		return report_job_print_tasks(j);
	return print_dump(j);
}

int report_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct report_opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	_cleanup_(report_job_done) struct report_job j = { .inv = inv, .opts = o, .diag = &diag };
	struct profile_request rq = report_profile_request(o);
	struct notes notes = command_notes(inv);
	int r;

	rq.buildid_dir = buildid_dir;
	rq.trees_from = report_trees_from(o);
	rq.progress = command_progress(inv, o->verbosity.quiet, o->input.dump_raw);
	r = profile_open(&j.profile, &rq, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	r = print_what_is_wanted(&j);
	profile_note(&j.profile, &notes);
	/* The caller reports output that could not be written. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	if (r < 0)
		return command_fail(inv, r, &diag);
	/* Only a part of the samples is shown, so the exit status is a failure. */
	return session_is_cut(j.profile.session) && wants_report(o) ? EXIT_FAILED : EXIT_OK;
}

/* The titles of the columns. */
static const char *const titles[DATA_SOURCE_PARTS] = {
	[DATA_SOURCE_PART_LEVEL] = "Memory access", [DATA_SOURCE_PART_SNOOP] = "Snoop",
	[DATA_SOURCE_PART_TLB] = "TLB access",      [DATA_SOURCE_PART_LOCK] = "Locked",
	[DATA_SOURCE_PART_BLOCKED] = "Blocked",
};

/* True if word @i was printed before. Two fields of the hardware share some words. */
static bool report_memory_words_is_repeated(const struct data_source_word *words, const bool *used,
					    size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (used[j] && words[j].part == words[i].part &&
		    !strcmp(words[j].word, words[i].word))
			return true;
	return false;
}

void memory_words_print(const bool *used, FILE *out)
{
	size_t n, printed = 0;
	const struct data_source_word *words = data_source_words(&n);
	int last = -1;

	for (size_t i = 0; i < n; i++) {
		if (!used[i] || report_memory_words_is_repeated(words, used, i))
			continue;
		if (!printed++)
			fprintf(out, "#\n# The words of the columns:\n");
		fprintf(out, "#   %-14s  %-22s %s\n",
			(int)words[i].part == last ? "" : titles[words[i].part], words[i].word,
			words[i].means);
		last = (int)words[i].part;
	}
}
