/* SPDX-License-Identifier: MIT */
#include "cmd/stat-count.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/count-recorder.h"
#include "cli/command.h"
#include "cmd/stat-job.h"
#include "cmd/stat-opts.h"
#include "cmd/stat-output.h"
#include "cmd/stat-record.h"
#include "count/stat-model.h"
#include "job/count-notes.h"

/* What Linux's perf returns when it could not count at all. */
#define EXIT_NOT_RUN 255

/* A job, and where its tables go. */
struct show {
	struct stat_job job;
	struct stat_output out;
};

/* What follows the table. */
static void print_notes(struct show *s)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	const struct stat_job *j = &s->job;

	count_notes(&j->counters, j->cpus && stat_job_has_command(j), "", &notes);
	for (size_t i = 0; i < notes.n; i++) {
		const struct note *note = &notes.items[i];

		if (note->kind != NOTE_REMARK)
			fprintf(s->out.file, "%s\n", note->what.message);
		else if (s->out.notes)
			fprintf(s->out.file, " Note: %s\n\n", note->what.message);
	}
}

static void print_table(struct show *s, bool summary)
{
	struct stat_job *j = &s->job;
	struct stat_table table;

	if (!s->out.file)
		return;
	stat_model_table(j->model, &table);
	table.summary = summary;
	table.has_rusage = stat_job_has_command(j) && !j->cpus && !j->tasks.n && table.runs == 1;
	table.user_s = stat_seconds(j->loop.usage.ru_utime);
	table.system_s = stat_seconds(j->loop.usage.ru_stime);
	s->out.print(&s->out.view, &table, s->out.file);
	if (!table.interval && !j->o->separator && !j->o->json && !s->out.owned)
		print_notes(s);
	fflush(s->out.file);
}

static void print_interval(void *arg)
{
	print_table(arg, false);
}

/* -r 0 runs for ever and prints each run by itself. */
static int run_for_ever(struct show *s)
{
	int r = 0;

	while (r >= 0 && !stat_job_is_over(&s->job)) {
		r = stat_job_run(&s->job);
		if (r >= 0)
			print_table(s, false);
		stat_job_reset(&s->job);
	}
	return r;
}

/* The workload's death is part of the result: its counts are of half a run. */
static void tell_death(const struct stat_job *j)
{
	int status = j->loop.wait_status;

	if (stat_job_has_command(j) && WIFSIGNALED(status) && !j->o->verbosity.quiet)
		fprintf(j->inv->err, "%s: %s\n", j->argv[0], strsignal(WTERMSIG(status)));
}

static int run_all(struct show *s)
{
	const struct stat_opts *o = s->job.o;
	int r = 0;

	if (o->repeat == 0)
		return run_for_ever(s);
	for (int64_t i = 0; i < o->repeat && r >= 0 && !stat_job_is_over(&s->job); i++) {
		if (o->verbosity.verbose && o->repeat > 1)
			fprintf(s->job.inv->err, "[ perf stat: executing run #%d ... ]\n",
				(int)i + 1);
		r = stat_job_run(&s->job);
	}
	if (r >= 0)
		tell_death(&s->job);
	if (r >= 0 && (!o->interval_ms || o->summary))
		print_table(s, o->interval_ms > 0);
	return r;
}

/* Whoever interrupted us shall see that we were: the shell stops its loop then. */
static void die_of(int signal_number)
{
	fflush(NULL);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* A workload that took Ctrl-C as a reason to end in good order has an exit status of its own. */
static bool was_cut_short(const struct stat_job *j)
{
	return j->loop.signal && (!stat_job_has_command(j) || WIFSIGNALED(j->loop.wait_status));
}

static int exit_status(const struct stat_job *j)
{
	int status = j->loop.wait_status;

	/* A workload that we ended ourselves, as we were told, has not failed. */
	if (!stat_job_has_command(j) || j->loop.end == COUNT_END_TIMEOUT)
		return EXIT_OK;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int stat_count(struct invocation *inv, struct stat_opts *o, const char *record)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct show s = { .job = { .inv = inv,
				   .o = o,
				   .diag = &diag,
				   .argv = inv->argv,
				   .signals = SIGNALS_NONE,
				   .cpus = target_is_system(&o->target, inv->argc > 0),
				   .on_interval = print_interval,
				   .arg = &s } };
	_cleanup_(count_recorder_freep) struct count_recorder *recorder = NULL;
	int status, r;

	/* For the thousands separators and the decimal point of the text. */
	setlocale(LC_NUMERIC, "");
	r = stat_job_prepare(&s.job);
	if (r >= 0)
		r = stat_output_open(&s.out, o, inv, s.job.cpus, &diag);
	if (r >= 0 && record)
		r = stat_record_open(record, &recorder, &diag);
	s.job.recorder = recorder;
	if (r >= 0)
		r = run_all(&s);
	if (r >= 0 && recorder)
		r = count_recorder_finish(recorder, &diag);
	status = s.job.planned || r == -EOPNOTSUPP ? EXIT_NOT_RUN : EXIT_USAGE;
	if (r < 0)
		command_fail(inv, r, &diag);
	else
		status = exit_status(&s.job);
	stat_job_done(&s.job);
	if (!stat_output_done(&s.out) && r >= 0)
		status = command_failf(inv, "cannot write the counts: %s", strerror(errno));
	if (r >= 0 && was_cut_short(&s.job))
		die_of(s.job.loop.signal);
	return status;
}
