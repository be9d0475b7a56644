/* SPDX-License-Identifier: MIT */
/* The output of perf trace: lines, and tables of calls. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "base/text.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/fitted-output.h"
#include "cli/live-table.h"
#include "kernel/cgroup-names.h"
#include "options/buildid-dir.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"
#include "tools/trace/opts.h"
#include "tools/trace/slowest-model.h"
#include "tools/trace/struct-types-work.h"
#include "tools/trace/summary-model.h"
#include "tools/trace/summary-top-view.h"
#include "tools/trace/tasks-model.h"

/* The interval of tables. A table that changes more often cannot be read. */
#define REFRESH_MS 1000

/* The number of calls that are shown during the run, and the lines above them. */
#define TOP_CALLS 20
#define TOP_HEAD  2

struct trace_show {
	struct invocation *inv;
	FILE *out;
	struct trace_lines *lines;     /* NULL: only a summary */
	struct trace_summary *summary; /* or NULL */
	bool has_counts;               /* the kernel counted, and the summary was printed */
	struct live_table table;       /* shown during the run */
	struct slow {
		struct trace_slowest *calls; /* NULL: not requested */
		struct trace_lines *lines;   /* they write into @text */
		FILE *stream;
		char *text;
		size_t size;
	} slow;
};

static void open_slow(struct slow *s, const struct trace_opts *o)
{
	s->calls = trace_slowest_new(o->slowest);
	s->stream = open_memstream(&s->text, &s->size);
	s->lines = trace_lines_new(s->stream, &o->line);
}

static void close_slow(struct slow *s)
{
	trace_slowest_free(s->calls);
	trace_lines_free(s->lines);
	fclosep(&s->stream);
	free(s->text);
}

/* Writes the line of a call that is among the slowest so far. */
static int add_slow(struct slow *s, const struct trace_call *c)
{
	uint64_t ns = c->has_enter && c->exit_ns > c->enter_ns ? c->exit_ns - c->enter_ns : 0;
	int r;

	if (!c->exit_ns || !trace_slowest_wants(s->calls, ns))
		return 0;
	rewind(s->stream);
	r = trace_lines_call(s->lines, c);
	if (r >= 0)
		r = trace_lines_flush(s->lines);
	if (r >= 0 && fflush(s->stream) == 0)
		trace_slowest_add(s->calls, ns, xstrndup(s->text, s->size));
	return r < 0 ? r : 0;
}

static void print_slow(struct slow *s, FILE *out)
{
	size_t n;
	const struct trace_slow_call *calls = trace_slowest_list(s->calls, &n);

	for (size_t i = 0; i < n; i++)
		fputs(calls[i].text, out);
}

static int trace_show_call(void *arg, const struct trace_call *c)
{
	struct trace_show *s = arg;

	if (s->summary)
		trace_summary_add(s->summary, c);
	if (s->slow.calls)
		return add_slow(&s->slow, c);
	return s->lines ? trace_lines_call(s->lines, c) : 0;
}

static int trace_show_sample(void *arg, const struct session_sample *sample,
			     struct trace_task *task)
{
	struct trace_show *s = arg;

	if (s->summary)
		trace_summary_sample(s->summary, sample, task);
	return s->lines ? trace_lines_sample(s->lines, sample, task) : 0;
}

static int trace_show_lost(void *arg, uint64_t time_ns, uint64_t count)
{
	struct trace_show *s = arg;

	return s->lines ? trace_lines_lost(s->lines, time_ns, count) : 0;
}

static void show_session(struct trace_lines *l, struct session *session,
			 const struct symbolizer *symbols)
{
	if (!l)
		return;
	trace_lines_session(l, session);
	trace_lines_symbols(l, symbols);
}

static void on_session(void *arg, struct session *session)
{
	struct trace_show *s = arg;
	const struct trace_opts *o = s->inv->opts;

	show_session(s->lines, session, o->rq.symbolizer);
	show_session(s->slow.lines, session, o->rq.symbolizer);
}

static void on_start(void *arg, uint64_t time_ns)
{
	struct trace_show *s = arg;

	if (s->lines)
		trace_lines_start(s->lines, time_ns);
	if (s->slow.lines)
		trace_lines_start(s->slow.lines, time_ns);
}

/* Prints the sample from which a part of a call was made, as in Linux's perf: for debugging. */
static void trace_show_print_sample(void *arg, const struct session_sample *sample)
{
	struct trace_show *s = arg;
	const struct sample *d = sample->sample;
	const struct trace_opts *o = s->inv->opts;
	const char *comm = trace_tasks_comm(o->rq.tasks, d->tid);
	_cleanup_(text_done) struct text event = TEXT_EMPTY, task = TEXT_EMPTY;

	escape_terminal(&event, sample->event->name, strlen(sample->event->name));
	escape_terminal(&task, comm ? comm : "?", comm ? strlen(comm) : 1);
	if (s->lines)
		trace_lines_flush(s->lines);
	fprintf(s->out, "%22s %10.3f %s %u/%u [%u]\n", event.chars, (double)sample->time / 1e6,
		task.chars, d->pid, d->tid, d->cpu);
}

static int trace_show_flush(void *arg)
{
	struct trace_show *s = arg;
	int r = s->lines ? trace_lines_flush(s->lines) : 0;

	if (r >= 0 && fflush(s->out) != 0)
		r = -errno;
	return r;
}

/* Renames an existing file to NAME.old, as in Linux's perf. */
static int keep_old(const char *path, struct diag *diag)
{
	_cleanup_(freep) char *old = xasprintf("%s.old", path);
	struct stat st;
	int r;

	if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	r = output_file_rename(path, old);
	return r >= 0 ? 0
		      : diag_set(diag, r, "cannot rename %s to %s: %s", path, old, strerror(-r));
}

static int trace_show_open_output(struct trace_show *s, const char *path, struct diag *diag)
{
	int r;

	s->out = s->inv->err;
	if (!path)
		return 0;
	s->out = s->inv->out;
	if (!strcmp(path, "-"))
		return 0;
	r = keep_old(path, diag);
	if (r < 0)
		return r;
	return output_file_stream(path, OUTPUT_TRUNCATE, 0666, &s->out, diag);
}

static bool owns_output(const struct trace_show *s)
{
	return s->out && s->out != s->inv->err && s->out != s->inv->out;
}

/*
 * Writes the data that is still in the stream. Returns the error if it could not be written:
 * @error, if that occurred before.
 */
static int trace_show_close_output(struct trace_show *s, int error)
{
	bool failed = ferror(s->out) || fflush(s->out) != 0;
	int r = !failed ? 0 : error < 0 ? error : -(errno ? errno : EIO);

	/* This reports it once, and not again when standard output is closed. */
	if (failed) {
		__fpurge(s->out);
		clearerr(s->out);
	}
	if (owns_output(s) && fclose(s->out) != 0 && r == 0)
		r = -errno;
	s->out = NULL;
	return r;
}

/* The kernel's types, read when the first of them is needed. */
struct types {
	struct kernel_types *kernel; /* NULL: not read, or not available */
	bool has_tried;
};

static struct kernel_types *kernel_types(struct types *t)
{
	if (!t->has_tried)
		kernel_types_open(&t->kernel);
	t->has_tried = true;
	return t->kernel;
}

static const struct struct_layout *find_struct(void *types, const char *name)
{
	struct kernel_types *k = kernel_types(types);

	return k ? kernel_types_struct(k, name) : NULL;
}

static const struct value_table *find_enum(void *types, const char *name)
{
	struct kernel_types *k = kernel_types(types);

	return k ? kernel_types_enum(k, name) : NULL;
}

static void plan_style(struct trace_opts *o, struct trace_tasks *tasks, struct types *types)
{
	struct trace_line_style *l = &o->line;

	l->values.tasks = tasks;
	l->values.shows_names = o->arg_names != CHOICE_NO;
	l->values.shows_zeros |= o->arg_names == CHOICE_NO;
	l->values.layout = find_struct;
	l->values.enumeration = find_enum;
	l->values.btf = types;
	l->hides_duration = o->duration == CHOICE_NO;
	l->only_events = !o->rq.selection.takes_calls;
	l->hides_time = o->timestamp == CHOICE_NO;
	l->values.shows_all = o->verbose > 0;
	l->is_verbose = o->verbose > 0;
	l->hides_comm = o->comm == CHOICE_NO;
	l->alignment = (unsigned)o->alignment;
	l->max_stack = (unsigned)o->max_stack;
	l->min_stack = (unsigned)o->min_stack;
	o->summary.max_rows = o->max_summary;
	o->summary.shows_runtime = o->rq.accrues_runtime;
	o->summary.is_json = l->is_json;
}

static void open_sinks(struct trace_show *s, const struct trace_opts *o)
{
	if (o->slowest)
		open_slow(&s->slow, o);
	else if (!o->only_summary)
		s->lines = trace_lines_new(s->out, &o->line);
	if (o->only_summary || o->with_summary)
		s->summary = trace_summary_new(o->summary_mode);
}

static void print_groups(const struct trace_show *s, struct trace_summary *groups,
			 const struct trace_opts *o)
{
	struct fitted_output fitted;

	if (o->summary.is_json) {
		trace_summary_print(s->out, groups, &o->summary);
		return;
	}
	fitted_open(&fitted, s->inv, s->out);
	trace_summary_print(fitted.out, groups, &o->summary);
	fitted_close(&fitted);
}

/* Shows the counts so far during the run, or prints them at the end. */
static int on_counts(void *arg, struct trace_summary *counts, uint64_t elapsed_ns, bool last)
{
	struct trace_show *s = arg;
	const struct trace_opts *o = s->inv->opts;

	if (!last) {
		size_t rows = live_table_size(&s->table).rows, room = TOP_CALLS;
		FILE *page = live_table_page(&s->table);

		if (rows < TOP_HEAD + room)
			room = rows > TOP_HEAD ? rows - TOP_HEAD : 0;
		fputc('\n', page);
		trace_top_print(page, counts ? counts : s->summary, elapsed_ns, room);
		live_table_end(&s->table);
		return 0;
	}
	live_table_close(&s->table, false);
	if (counts)
		print_groups(s, counts, o);
	s->has_counts = counts != NULL;
	return 0;
}

/*
 * Prints statistics in the words of Linux's perf, in which the kernel's part is a probe at
 * getname().
 */
static void trace_show_print_stats(const struct trace_show *s, const struct trace_opts *o)
{
	struct trace_tasks_counts n = trace_tasks_counts(o->rq.tasks);

	fprintf(s->out, "Stats:\n  vfs_getname : %" PRIu64 "\n proc_getname: %" PRIu64 "\n", n.told,
		n.asked);
}

static void name_cgroups(struct trace_summary *s)
{
	_cleanup_(cgroup_names_freep) struct cgroup_names *names = NULL;
	_cleanup_(diag_done) struct diag why = { 0 };
	size_t n;
	struct trace_summary_group **groups = trace_summary_groups(s, &n);

	if (cgroup_names_read(NULL, &names, &why) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		trace_summary_group(s, groups[i]->id, cgroup_names_find(names, groups[i]->id));
}

/* Prints the summary of calls that were reported one by one. */
static void print_summary(struct trace_show *s, const struct trace_opts *o)
{
	if (o->rq.accrues_runtime)
		trace_summary_runtimes(s->summary, o->rq.tasks);
	if (o->summary_mode == TRACE_SUMMARY_CGROUP)
		name_cgroups(s->summary);
	print_groups(s, s->summary, o);
}

static int trace_show_finish(struct trace_show *s, const struct trace_opts *o)
{
	int r = trace_show_flush(s);

	if (r >= 0 && s->slow.calls)
		print_slow(&s->slow, s->out);
	if (r >= 0 && s->summary && !s->has_counts)
		print_summary(s, o);
	if (r >= 0 && o->tool_stats)
		trace_show_print_stats(s, o);
	return r;
}

/* Sets the interval of tables. On a terminal they are shown by default. */
static void plan_tables(struct trace_show *s, struct trace_opts *o)
{
	o->rq.refresh_ms = o->interval_ms;
	if (!o->interval_ms && o->only_summary && !o->rq.input && !o->line.is_json &&
	    redraw_possible(s->out))
		o->rq.refresh_ms = REFRESH_MS;
	if (o->rq.refresh_ms)
		live_table_open(&s->table, s->inv, s->out, s->inv->argc > 0);
}

static int trace_show_trace(struct trace_show *s, struct diag *diag)
{
	struct trace_opts *o = s->inv->opts;
	const int fds[] = { fileno(s->out), STDERR_FILENO };
	struct notes notes = command_notes(s->inv);
	struct record_result result;
	int r;

	o->rq.sink = (struct trace_sink){ .call = trace_show_call,
					  .sample = trace_show_sample,
					  .lost = trace_show_lost,
					  .arg = s };
	o->rq.on_session = on_session;
	o->rq.on_start = on_start;
	o->rq.on_pass = trace_show_flush;
	o->rq.only_counts = o->only_summary && !o->slowest && o->bpf_summary != CHOICE_NO;
	o->rq.counts_by = o->summary_mode;
	o->rq.counts_rows = o->summary.shows_quantiles || o->summary.shows_rows;
	o->rq.on_counts = on_counts;
	plan_tables(s, o);
	/* Lines on the terminal show the progress themselves. */
	o->rq.progress = command_progress(s->inv, false, !o->only_summary && !o->output);
	o->rq.on_raw = o->print_sample ? trace_show_print_sample : NULL;
	o->rq.output_fds = fds;
	o->rq.n_output_fds = ARRAY_SIZE(fds);
	o->rq.verbose = o->verbose > 0;
	open_sinks(s, o);
	r = trace_run(&o->rq, &notes, &result, diag);
	live_table_close(&s->table, false);
	if (r >= 0)
		r = trace_show_finish(s, o);
	if (s->slow.calls)
		close_slow(&s->slow);
	trace_lines_free(s->lines);
	trace_summary_free(s->summary);
	return r;
}

static const char *output_name(const char *path)
{
	return !path ? "to standard error" : strcmp(path, "-") ? path : "to standard output";
}

int trace_show(struct invocation *inv, struct diag *diag)
{
	struct trace_opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	const struct reading_symbols how = { .request = &o->symbols,
					     .buildid_dir = dir,
					     .any_owner = o->rq.force };
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = reading_symbolizer(&how);
	_cleanup_(trace_tasks_freep) struct trace_tasks *tasks = trace_tasks_new(!o->rq.input);
	struct trace_show s = { .inv = inv };
	struct types types = { 0 };
	int r = trace_show_open_output(&s, o->output, diag), closed;

	if (r < 0)
		return command_fail(inv, r, diag);
	if (o->rq.accrues_runtime)
		trace_tasks_keep_ended(tasks);
	o->rq.tasks = tasks;
	o->rq.symbolizer = symbols;
	plan_style(o, tasks, &types);
	o->line.is_coloured = colour_wanted(inv->colour_when, s.out);
	r = trace_show_trace(&s, diag);
	closed = trace_show_close_output(&s, r);
	kernel_types_free(types.kernel);
	if (closed < 0)
		return command_failf(inv, "cannot write %s: %s", output_name(o->output),
				     strerror(-closed));
	return r < 0 ? command_fail(inv, r, diag) : EXIT_OK;
}
