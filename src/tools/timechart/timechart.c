/* SPDX-License-Identifier: MIT */
/* perf timechart: draws the activities of threads and CPUs over time. */
#include <version.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/family.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/picture-file.h"
#include "options/time.h"
#include "profile/page/page.h"
#include "tools/timechart/timechart-view.h"
#include "tools/timechart/timechart-work.h"
#include "tools/timechart/timechart.h"
#include "view/picture/page.h"

#define USUAL_WIDTH 1000
#define WIDTH_MIN   400
#define WIDTH_MAX   20000

struct timechart_names {
	const char **items;
	size_t n, room;
};

struct opts {
	struct timechart_request rq;
	const char *input, *output;
	uint64_t width, least;
	struct timechart_names processes;
	const char *highlight;
	bool power_only, tasks_only;
	bool html;
};

static const struct opts defaults = {
	.width = USUAL_WIDTH,
	.least = 15,
	.rq.chart = { .io_min_ns = 1000000, .io_merge_ns = 1000 },
};

static int process_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct timechart_names *names = field;

	(void)o, (void)diag;
	if (negated)
		names->n = 0;
	else
		*ARRAY_ADD(names) = value;
	return 0;
}

static const struct option options[] = {
	OPT_HEADING("Input and output:"),
	OPT_INPUT(struct opts, input),
	OPT_FORCE(struct opts, rq.force),
	OPT_STRING('o', "output", struct opts, output, "file",
		   "write to this file (default: output.svg; - is standard output)",
		   .flags = OPTION_WRITES),
	OPT_FLAG(0, "html", struct opts, html,
		 "write a page that has flame graphs, too (default: output.html)"),
	OPT_UINT('w', "width", struct opts, width, "n", "width of the picture (default: 1000)"),
	OPT_STRING(0, "symfs", struct opts, rq.symbols.symfs, "directory",
		   "directory that files with symbols are looked for in"),

	OPT_HEADING("What is drawn:"),
	OPT_FLAG('P', "power-only", struct opts, power_only, "only CPUs and their power states"),
	OPT_FLAG('T', "tasks-only", struct opts, tasks_only, "only threads"),
	OPT_CALL('p', "process", struct opts, processes, "process",
		 "only threads of this name, number or process; may be given several times",
		 .set = process_set),
	OPT_UINT('n', "proc-num", struct opts, least, "n",
		 "draw so many threads at least (default: 15)"),
	OPT_CALL(0, "time", struct opts, rq.time, "from,to", "only this time: '1.5,2' or '10%-20%'",
		 .set = time_window_set),
	OPT_FLAG('t', "topology", struct opts, rq.by_topology,
		 "CPUs of one core and socket side by side"),
	OPT_STRING(0, "highlight", struct opts, highlight, "duration|name",
		   "mark runs of so many nanoseconds or more, or threads of this name"),

	OPT_HEADING("I/O calls:"),
	OPT_FLAG(0, "io-skip-eagain", struct opts, rq.chart.skip_eagain,
		 "leave out calls that fail with EAGAIN"),
	OPT_CALL(0, "io-min-time", struct opts, rq.chart.io_min_ns, "time",
		 "draw shorter calls as long as this (default: 1ms)", .set = duration_set),
	OPT_CALL(0, "io-merge-dist", struct opts, rq.chart.io_merge_ns, "time",
		 "draw calls that follow each other so soon as one (default: 1us)",
		 .set = duration_set),
	OPT_END
};

static int timechart_check(const struct opts *o, struct diag *diag)
{
	if (o->power_only && o->tasks_only)
		return diag_set(diag, -EINVAL,
				"-P and -T options cannot be used at the same time.");
	return 0;
}

static unsigned timechart_width_of(const struct opts *o)
{
	if (o->width < WIDTH_MIN)
		return WIDTH_MIN;
	return o->width > WIDTH_MAX ? WIDTH_MAX : (unsigned)o->width;
}

static struct timechart_picture timechart_picture_of(const struct opts *o,
						     const struct timechart *t)
{
	char *end = NULL;
	unsigned long long ns = o->highlight ? strtoull(o->highlight, &end, 10) : 0;
	bool is_time = o->highlight && *o->highlight && !*end;

	return (struct timechart_picture){
		.chart = &t->chart,
		.rows = &t->rows,
		.stacks = t->has_stacks ? &t->stacks : NULL,
		.cpus = t->cpus,
		.with_cpus = !o->tasks_only,
		.with_tasks = !o->power_only,
		.width = timechart_width_of(o),
		.highlight = is_time ? NULL : o->highlight,
		.highlight_ns = is_time ? ns : 0,
		.title = "Time chart",
	};
}

static void timechart_say_written(const struct invocation *inv, const struct timechart *t,
				  const char *path)
{
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;

	escape_terminal(&shown, path, strlen(path));
	fprintf(command_err(inv), "Written %2.1f seconds of trace to %s.\n",
		(double)(t->chart.last - t->chart.first) / 1e9, shown.chars);
}

static int timechart_print_page(struct timechart *t, const struct timechart_picture *p, FILE *out)
{
	_cleanup_(text_done) struct text data = TEXT_EMPTY;
	_cleanup_(page_done) struct page page;

	timechart_data_add(&data, p);
	timechart_page_make(t, &page);
	page.chart = &data;
	page.views |= PAGE_VIEW_CHART;
	return page_print(out, &page, "perf " PERF_VERSION);
}

static int timechart_write_picture(const struct invocation *inv, struct timechart *t,
				   struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct timechart_picture p = timechart_picture_of(o, t);
	const char *usual = o->html ? "output.html" : "output.svg";
	const char *path = o->output ? o->output : usual;
	_cleanup_(picture_file_done) struct picture_file f;
	int r = picture_file_open(&f, inv, path, path, diag);

	if (r < 0)
		return r;
	r = o->html ? timechart_print_page(t, &p, f.out) : timechart_svg_print(&p, f.out);
	if (r < 0)
		diag_set(diag, r, "cannot write the picture: %s", strerror(-r));
	else
		r = picture_file_commit(&f, inv, true, diag);
	if (r >= 0)
		timechart_say_written(inv, t, path);
	return r;
}

static int timechart_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(timechart_done) struct timechart t = { 0 };
	struct opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	_cleanup_(freep) char *cache = command_buildid_dir(inv);
	int r;

	if (inv->argc) {
		family_refuse(inv->command, inv->argv[0], &diag);
		return command_usage(inv, &diag);
	}
	if (timechart_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	o->rq.path = input_path(o->input);
	o->rq.buildid_dir = cache;
	o->rq.with_page = o->html;
	o->rq.progress = command_progress(inv, false, false);
	o->rq.rows = (struct chart_rows_request){ .selected = o->processes.items,
						  .n_selected = o->processes.n,
						  .least = o->least };
	r = timechart_make(&o->rq, &t, &notes, &diag);
	if (r >= 0)
		r = timechart_write_picture(inv, &t, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void tools_timechart_done(void *opts)
{
	struct opts *o = opts;

	free(o->processes.items);
	time_window_done(&o->rq.time);
}

static const char *const usage[] = { "[<options>]", "record [<options>] [<command>]", NULL };

static const struct command *const subcommands[] = { &cmd_timechart_record, NULL };

const struct command cmd_timechart = {
	.name = "timechart",
	.summary = "draw what threads and CPUs did over time",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.subcommands = subcommands,
	.run = timechart_run,
	.done = tools_timechart_done,
};
