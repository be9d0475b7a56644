/* SPDX-License-Identifier: MIT */
#include "tools/stat/show.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "base/text.h"
#include "base/wrap.h"
#include "capture/opened-events.h"
#include "capture/task-list.h"
#include "capture/workload.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "cli/terminal.h"
#include "event/event.h"
#include "kernel/perf-event.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/limit-status.h"
#include "tools/stat/count-compare-work.h"
#include "tools/stat/count-replay-work.h"
#include "tools/stat/csv-view.h"
#include "tools/stat/history-model.h"
#include "tools/stat/json-view.h"
#include "tools/stat/live-view.h"
#include "tools/stat/opts.h"
#include "tools/stat/text-view.h"
#include "view/attr-text.h"
#include "view/stat/compare-json.h"
#include "view/stat/compare-text.h"
#include "wire/abi.h"

/* `perf stat -vv`: prints every attr that was passed to the kernel, and the result. */

/* Prints one call of open: event @i on its CPU number @cpu for task number @task. */
static void print_open(const struct opened_events *es, const struct task_list *tasks, size_t i,
		       size_t cpu, size_t task, FILE *out)
{
	const struct opened_event *e = &es->items[i], *leader = &es->items[e->leader];
	size_t place = cpu * e->n_tasks + task;
	bool of_task = tasks->n && task < tasks->n && e->cpus[cpu] < 0;
	struct attr attr = e->event->attr;
	int pid = e->cgroup_fd >= 0 ? e->cgroup_fd : of_task ? (int)tasks->items[task].tid : -1;
	int group = leader == e ? -1 : opened_event_fd(leader, e->cpus[cpu], task);
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (e->cgroup_fd >= 0)
		flags |= PERF_FLAG_PID_CGROUP;
	attr.size = perf_event_attr_size(&attr);
	attr_print_lines(&attr, out);
	fprintf(out, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", pid,
		e->cpus[cpu], group, flags);
	if (e->fds[place] >= 0)
		fprintf(out, " = %d\n", e->fds[place]);
	else
		fprintf(out, "\nsys_perf_event_open failed, error %d\n", e->error);
}

static bool is_opened(const struct opened_event *e)
{
	return e->state == OPENED || e->state == OPENED_UNSUPPORTED;
}

/* Prints CPU by CPU, and all events for each. */
static void stat_opens_print(const struct opened_events *es, const struct task_list *tasks,
			     FILE *out)
{
	size_t most = 0;

	for (size_t i = 0; i < es->n; i++)
		most = es->items[i].n_cpus > most ? es->items[i].n_cpus : most;
	for (size_t cpu = 0; cpu < most; cpu++)
		for (size_t i = 0; i < es->n; i++)
			for (size_t task = 0;
			     is_opened(&es->items[i]) && cpu < es->items[i].n_cpus &&
			     task < es->items[i].n_tasks;
			     task++)
				print_open(es, tasks, i, cpu, task, out);
}

/* The exit status of Linux's perf when it could not count, or not read, at all. */
#define EXIT_NOT_RUN 255

static char *join_words(char *const *words)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; words[i]; i++)
		text_addf(&t, "%s%s", i ? " " : "", words[i]);
	return text_take(&t);
}

static char *join_ids(const struct id_list *l)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < l->n; i++)
		text_addf(&t, "%s%d", i ? "," : "", l->items[i]);
	return text_take(&t);
}

static void stat_show_make_title(struct stat_output *out, const struct stat_opts *o,
				 const struct invocation *inv, bool has_cpus)
{
	struct stat_title *title = &out->view.title;

	if (o->rq.bpf.programs.n) {
		title->target = STAT_TARGET_BPF;
		out->title = join_ids(&o->rq.bpf.programs);
	} else if (o->rq.target.pids.n) {
		title->target = STAT_TARGET_PROCESSES;
		out->title = join_ids(&o->rq.target.pids);
	} else if (o->rq.target.tids.n) {
		title->target = STAT_TARGET_THREADS;
		out->title = join_ids(&o->rq.target.tids);
	} else if (o->rq.target.user.given) {
		title->target = STAT_TARGET_USER;
		out->title = xasprintf("%u", (unsigned)o->rq.target.user.uid);
	} else if (has_cpus && o->rq.target.cpus.n && !o->rq.target.all_cpus) {
		title->target = STAT_TARGET_CPUS;
		out->title = o->rq.target.cpus_text ? xstrdup(o->rq.target.cpus_text)
						    : cpu_list_format(&o->rq.target.cpus);
	} else if (has_cpus) {
		title->target = STAT_TARGET_SYSTEM;
	} else {
		title->target = STAT_TARGET_COMMAND;
		out->title = join_words(inv->argv);
	}
	title->text = out->title;
}

static void print_start_time(FILE *file)
{
	time_t now = time(NULL);
	char when[64];

	fprintf(file, "# started on %s\n", ctime_r(&now, when));
}

/*
 * Opens the output file. JSON has no comments, so a file of JSON lines does not begin with the
 * start time.
 */
static int stat_show_open_file(struct stat_output *out, const struct stat_opts *o,
			       struct diag *diag)
{
	int fd = output_file_open(o->output, o->append ? OUTPUT_APPEND : OUTPUT_TRUNCATE, 0666,
				  diag);

	if (fd < 0)
		return fd;
	out->file = fdopen(fd, o->append ? "a" : "w");
	if (!out->file)
		return diag_set(diag, -errno, "cannot write '%s': %s", o->output, strerror(errno));
	out->owned = true;
	if (!o->json)
		print_start_time(out->file);
	return 0;
}

static int open_descriptor(struct stat_output *out, const struct stat_opts *o, struct diag *diag)
{
	int fd = dup((int)o->log_fd);

	out->file = fd < 0 ? NULL : fdopen(fd, o->append ? "a" : "w");
	if (!out->file)
		return diag_set(diag, -errno, "Failed opening logfd %d: %s", (int)o->log_fd,
				strerror(errno));
	out->owned = true;
	return 0;
}

static const char *stat_show_separator_of(const struct stat_opts *o)
{
	return o->separator && !strcmp(o->separator, "\\t") ? "\t" : o->separator;
}

int stat_output_open(struct stat_output *out, const struct stat_opts *o,
		     const struct invocation *inv, bool has_cpus, struct diag *diag)
{
	bool is_file = o->output && strcmp(o->output, "-") != 0;
	int r = 0;

	*out = (struct stat_output){ .file = inv->err };
	out->print = o->json ? stat_json_print : o->separator ? stat_csv_print : stat_text_print;
	stat_show_make_title(out, o, inv, has_cpus);
	if (o->verbosity.quiet)
		out->file = NULL;
	else if (is_file)
		r = stat_show_open_file(out, o, diag);
	else if (o->log_fd)
		r = open_descriptor(out, o, diag);
	out->notes = out->file && !out->owned && out->print == stat_text_print &&
		     isatty(fileno(out->file)) && !o->rq.interval_ms;
	out->view.style = (struct stat_style){
		.big_num = o->big_num != CHOICE_NO,
		.colour = out->file && colour_wanted(inv->colour_when, out->file),
		.metric_only = o->metric_only == CHOICE_YES || ((o->rq.topdown || o->rq.smi_cost) &&
								o->metric_only == CHOICE_UNSAID),
		.columns = out->file && isatty(fileno(out->file)) ? terminal_width(out->file) : 0,
		.hide_zeros = o->hide_zeros,
		.clear = o->interval_clear,
		.null_run = o->rq.null_run,
		.list_runs = o->table,
		.csv_summary = !o->no_csv_summary,
		/*
		 * The file output of perf 6.1 is not JSON, so readers of files expect 7.2's format.
		 */
		.counters = is_file,
		.separator = stat_show_separator_of(o),
	};
	return r;
}

/* Flushes, and keeps the first error, because a stream only remembers that there was one. */
static void flush_output(struct stat_output *out)
{
	bool good = fflush(out->file) == 0 && !ferror(out->file);

	if (!good && !out->error)
		out->error = errno ? -errno : -EIO;
}

int stat_output_done(struct stat_output *out)
{
	int error;

	if (out->file)
		flush_output(out);
	if (out->owned && fclose(out->file) != 0 && !out->error)
		out->error = -errno;
	error = out->error;
	free(out->title);
	*out = (struct stat_output){ 0 };
	return error;
}

/* A job, and the destination of its tables. */
struct stat_show {
	struct invocation *inv;
	const struct stat_opts *o;
	struct count_job job;
	struct stat_output out;
	bool is_live; /* intervals replace each other on a terminal */
	bool ascii;
	struct live_table table;
	struct stat_live live;
};

static void stat_show_print_note(void *arg, const struct note *note)
{
	const struct invocation *inv = arg;
	const struct stat_opts *o = inv->opts;

	if (note->kind != NOTE_STATUS || !o->verbosity.quiet)
		command_note(inv, note);
}

static void stat_show_print_table(void *arg, const struct stat_table *table)
{
	struct stat_output *out = arg;

	if (!out->file)
		return;
	out->print(&out->view, table, out->file);
	flush_output(out);
}

static void stat_show_print_remark(FILE *out, const char *message)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, " Note: ");
	text_add_wrapped(&t, message, 7, terminal_width(out));
	fprintf(out, "%s\n", t.chars);
}

/* Prints the notes below the table of a whole run, if it is text and not for a file. */
static void print_notes_below(struct stat_show *s)
{
	_cleanup_(notes_done) struct notes notes = { 0 };

	if (!s->out.file || s->out.owned || s->out.print != stat_text_print)
		return;
	count_job_notes(&s->job, &notes);
	for (size_t i = 0; i < notes.n; i++) {
		const struct note *note = &notes.items[i];

		if (note->kind != NOTE_REMARK)
			fprintf(s->out.file, "%s\n", note->what.message);
		else if (s->out.notes)
			stat_show_print_remark(s->out.file, note->what.message);
	}
	flush_output(&s->out);
}

/*
 * True if the output is text for a user at a terminal. Programs and files get the usual lines. A
 * screen that is cleared each time (--interval-clear) replaces tables anyway, and if each run has
 * its own intervals (-r), they would replace those of the previous run.
 */
static bool stat_show_is_live(const struct stat_show *s)
{
	const struct stat_opts *o = s->o;

	return o->rq.interval_ms && !o->no_live && !o->interval_clear && !o->rq.null_run &&
	       s->out.file && !s->out.owned && s->out.print == stat_text_print &&
	       o->rq.repeat.runs <= 1 && !o->rq.repeat.for_ever && !o->rq.verbose &&
	       redraw_possible(s->out.file);
}

static void begin_live(struct stat_show *s)
{
	s->is_live = true;
	s->ascii = !terminal_has_utf8();
	s->live.past = history_new();
	live_table_open(&s->table, s->inv, s->out.file, count_job_has_command(&s->job));
}

static void end_live(struct stat_show *s)
{
	if (!s->is_live)
		return;
	live_table_close(&s->table, true);
	history_free(s->live.past);
	s->is_live = false;
}

static void stat_show_interval(struct stat_show *s, const struct stat_table *table)
{
	const struct stat_live_style style = { .columns = live_table_size(&s->table).columns,
					       .ascii = s->ascii };

	stat_live_print(&s->live, &s->out.view, table, &style, live_table_page(&s->table));
	live_table_end(&s->table);
}

static void stat_show_table(void *arg, const struct stat_table *table)
{
	struct stat_show *s = arg;

	if (s->is_live) {
		if (!live_table_is_rest(&s->table, table->time_ns, s->o->rq.interval_ms))
			stat_show_interval(s, table);
		return;
	}
	stat_show_print_table(&s->out, table);
	if (!table->interval)
		print_notes_below(s);
}

static void show_opens(void *arg, const struct opened_events *es, const struct task_list *tasks)
{
	const struct stat_show *s = arg;

	stat_opens_print(es, tasks, command_err(s->inv));
}

/* Reports that a signal killed the workload, because its counts are those of an incomplete run. */
static void tell_death(const struct stat_show *s)
{
	int status = s->job.loop.wait_status;

	if (count_job_has_command(&s->job) && WIFSIGNALED(status) && !s->o->verbosity.quiet)
		fprintf(command_err(s->inv), "%s: %s\n", s->inv->argv[0],
			strsignal(WTERMSIG(status)));
}

static void stat_show_result(struct stat_show *s)
{
	const struct count_request *rq = s->job.rq;
	struct stat_table table;

	if (rq->repeat.for_ever)
		return;
	tell_death(s);
	if (rq->interval_ms && !s->o->summary)
		return;
	count_job_table(&s->job, &table);
	table.summary = rq->interval_ms > 0;
	stat_show_table(s, &table);
}

/*
 * Ends by the signal, so that the caller sees that we were interrupted: a shell then stops its
 * loop.
 */
static void stat_show_die_of(int signal_number)
{
	fflush(NULL);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/*
 * True if Ctrl-C killed the workload. A workload that handles Ctrl-C and ends normally has an exit
 * status of its own.
 */
static bool was_cut_short(const struct count_job *j)
{
	return j->loop.signal && (!count_job_has_command(j) || WIFSIGNALED(j->loop.wait_status));
}

static int stat_show_exit_status(const struct count_job *j)
{
	/* A workload that we ended ourselves, on request, has not failed. */
	if (!count_job_has_command(j) || j->loop.end == LOOP_END_TIMEOUT)
		return EXIT_OK;
	return workload_status(j->loop.wait_status);
}

static int run_shown(struct stat_show *s, struct diag *diag)
{
	int r = count_job_prepare(&s->job);

	if (r >= 0)
		r = stat_output_open(&s->out, s->o, s->inv, s->job.cpus, diag);
	if (r >= 0 && stat_show_is_live(s))
		begin_live(s);
	if (r >= 0)
		r = count_job_run(&s->job);
	end_live(s);
	if (r < 0)
		return r;
	stat_show_result(s);
	return count_job_finish(&s->job);
}

int stat_count(struct invocation *inv, struct stat_opts *o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct notes notes = { .listener = stat_show_print_note, .arg = inv };
	struct stat_show s = { .inv = inv, .o = o };
	int status, unwritten, r;

	/* Needed for the thousands separators and the decimal point of the text. */
	setlocale(LC_NUMERIC, "");
	o->rq.buildid_dir = dir;
	count_job_init(&s.job, &o->rq, &notes, &diag);
	s.job.on_table = stat_show_table;
	s.job.on_open = o->verbosity.verbose > 1 ? show_opens : NULL;
	s.job.arg = &s;
	r = run_shown(&s, &diag);
	status = s.job.planned || r == -EOPNOTSUPP ? EXIT_NOT_RUN : EXIT_USAGE;
	if (r < 0)
		command_fail(inv, r, &diag);
	else
		status = stat_show_exit_status(&s.job);
	count_job_done(&s.job);
	unwritten = stat_output_done(&s.out);
	if (unwritten < 0 && r >= 0)
		status = command_failf(inv, "cannot write the counts: %s", strerror(-unwritten));
	if (r >= 0 && was_cut_short(&s.job))
		stat_show_die_of(s.job.loop.signal);
	return status;
}

static int print_comparison(const struct count_comparison *c, const struct stat_output *out,
			    bool json)
{
	struct compare_text_style style = {
		.colour = out->view.style.colour,
		.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
	};

	if (out->file && json)
		compare_json_print(c->compare, &c->results, out->file);
	else if (out->file)
		compare_text_print(c->compare, &c->results, &style, out->file);
	return c->results.n_failed    ? EXIT_LIMIT_EXCEEDED
	       : c->results.n_unknown ? EXIT_LIMIT_UNKNOWN
				      : EXIT_OK;
}

static int prepare_comparison(struct count_comparison *c, const struct stat_opts *o)
{
	int r = 0;

	for (size_t i = 0; i < o->fail_if.n && r >= 0; i++)
		r = count_comparison_limit(c, o->fail_if.items[i]);
	return r < 0 ? r : count_comparison_prepare(c);
}

int stat_compare(struct invocation *inv, struct stat_opts *o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct notes notes = { .listener = stat_show_print_note, .arg = inv };
	struct stat_output out = { 0 };
	struct count_comparison c;
	int status, unwritten, r;

	setlocale(LC_CTYPE, "");
	o->rq.buildid_dir = dir;
	count_comparison_init(&c, &o->rq, inv->argv, (size_t)inv->argc, &notes, &diag);
	r = prepare_comparison(&c, o);
	if (r >= 0)
		r = stat_output_open(&out, o, inv, false, &diag);
	status = r < 0 ? EXIT_USAGE : EXIT_NOT_RUN;
	if (r >= 0)
		r = count_comparison_run(&c);
	if (r < 0)
		command_fail(inv, r, &diag);
	else
		status = print_comparison(&c, &out, o->json);
	count_comparison_done(&c);
	unwritten = stat_output_done(&out);
	if (unwritten < 0 && r >= 0)
		status = command_failf(inv, "cannot write the comparison: %s",
				       strerror(-unwritten));
	return status;
}

static int open_replay_output(const struct count_replay *r, struct stat_output *out,
			      const struct invocation *inv, struct diag *diag)
{
	int error = stat_output_open(out, inv->opts, inv, false, diag);

	free(out->title);
	out->title = count_replay_title(r);
	out->view.title = (struct stat_title){ .target = STAT_TARGET_COMMAND, .text = out->title };
	return error;
}

int stat_report(struct invocation *inv, const struct stat_opts *o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = { .listener = stat_show_print_note, .arg = inv };
	struct stat_output out = { 0 };
	_cleanup_(count_replay_done) struct count_replay r = {
		.aggregate = o->rq.aggregate,
		.on_table = stat_show_print_table,
		.arg = &out,
	};
	int unwritten, error;

	setlocale(LC_NUMERIC, "");
	error = count_replay_open(&r, input_path(o->input), &diag);
	if (error >= 0)
		error = open_replay_output(&r, &out, inv, &diag);
	if (error >= 0)
		error = count_replay_run(&r, &diag);
	count_replay_notes(&r, &notes);
	unwritten = stat_output_done(&out);
	if (unwritten < 0 && error >= 0)
		error = diag_set(&diag, -EIO, "cannot write the counts: %s", strerror(-unwritten));
	if (error >= 0)
		return EXIT_OK;
	command_fail(inv, error, &diag);
	return EXIT_NOT_RUN;
}
