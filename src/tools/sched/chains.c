/* SPDX-License-Identifier: MIT */
/* perf sched chains: shows which task woke which, and what a task waited for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/time.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "tools/sched/chains-view.h"
#include "tools/sched/opts.h"
#include "tools/sched/read-work.h"
#include "tools/sched/wake-path-model.h"
#include "tools/sched/wakes-model.h"
#include "wire/record.h"

#define DEPTH_DEFAULT 8
/* The maximum depth of a tree. Deeper ones are unreadable, and the limit ends the recursion. */
#define DEPTH_MAX 100

struct opts {
	struct sched_opts common;
	int64_t tid;
	const char *comm;
	struct time_window time;
	uint64_t depth;
	bool path, json;
};

static const struct opts defaults = { .tid = -1, .depth = DEPTH_DEFAULT };

static const struct option options[] = {
	OPT_INT('t', "tid", struct opts, tid, "tid", "what this thread waited for"),
	OPT_STRING('c', "comm", struct opts, comm, "name",
		   "what the tasks with this name waited for"),
	OPT_CALL(0, "time", struct opts, time, "start,stop", "only this span of time, in seconds",
		 .set = time_window_set),
	OPT_UINT(0, "depth", struct opts, depth, "n",
		 "follow so many tasks from one to its waker (default: 8)"),
	OPT_FLAG(0, "path", struct opts, path, "show each step of the critical path, too"),
	OPT_FLAG(0, "json", struct opts, json, "as JSON"),
	OPT_SET(struct opts, common, sched_options),
	OPT_END
};

static void sched_chains_take(void *arg, const struct sched_event *e)
{
	wakes_take(arg, e);
}

static void sched_chains_take_fork(void *arg, const struct record *r, uint64_t time)
{
	(void)time;
	wakes_forget(arg, r->task.tid);
}

static bool sched_chains_is_meant(const struct opts *o, const struct wake_task *t)
{
	return o->comm ? !strcmp(t->name.chars, o->comm) : t->tid == (uint32_t)o->tid;
}

struct paths {
	struct wake_path *items;
	size_t n, room;
};

static void paths_done(struct paths *p)
{
	for (size_t i = 0; i < p->n; i++)
		wake_path_done(&p->items[i]);
	free(p->items);
}

static void make_paths(const struct opts *o, const struct wakes *w, struct paths *ret)
{
	uint64_t from = w->from_ns ? w->from_ns : w->first_ns;
	uint64_t to = w->to_ns ? w->to_ns : w->last_ns;

	for (size_t i = 0; i < w->tasks.n; i++)
		if (sched_chains_is_meant(o, &w->tasks.items[i]))
			wake_path_make(w, (uint32_t)i, from, to, (unsigned)o->depth,
				       o->path || o->json, ARRAY_ADD(ret));
}

static void show_path(const struct invocation *inv, const struct wakes *w,
		      const struct wake_path *p)
{
	const struct opts *o = inv->opts;

	chains_print_tree(inv->out, w, p);
	if (o->path) {
		fputc('\n', inv->out);
		chains_print_steps(inv->out, w, p);
	}
	fputc('\n', inv->out);
}

static int show_paths(const struct invocation *inv, const struct wakes *w, struct diag *diag)
{
	const struct opts *o = inv->opts;
	_cleanup_(paths_done) struct paths paths = { 0 };

	make_paths(o, w, &paths);
	if (!paths.n) {
		diag_set(diag, -ESRCH, "no such task switched or was woken in that time");
		diag_hint(diag, "Without --tid and --comm, perf sched chains lists all of them.");
		return -ESRCH;
	}
	if (o->json)
		chains_print_paths_json(inv->out, w, paths.items, paths.n);
	for (size_t i = 0; !o->json && i < paths.n; i++)
		show_path(inv, w, &paths.items[i]);
	return 0;
}

static int sched_chains_show(const struct invocation *inv, const struct wakes *w, struct diag *diag)
{
	const struct opts *o = inv->opts;

	if (o->comm || o->tid >= 0)
		return show_paths(inv, w, diag);
	if (o->json)
		chains_print_edges_json(inv->out, w);
	else
		chains_print_edges(inv->out, w);
	return 0;
}

/*
 * Sets the span of time. Events before it are still read, because they determine the state of tasks
 * when it begins.
 */
static int set_span(const struct opts *o, struct session *s, struct wakes *w, struct diag *diag)
{
	_cleanup_(freep) struct time_span *spans = NULL;
	int r = o->time.n ? reading_spans(&o->time, s, &spans, diag) : 0;

	if (r < 0 || !o->time.n)
		return r;
	w->from_ns = spans->from_ns;
	w->to_ns = spans->to_ns == TIME_OPEN ? 0 : spans->to_ns;
	return 0;
}

static int sched_chains_read_and_show(const struct invocation *inv, struct recorded *r,
				      struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct recorded_request rq = sched_recorded_request(&o->common, inv);
	struct notes notes = command_notes(inv);
	_cleanup_(wakes_done) struct wakes w = { 0 };
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_WAKING) |
			 SCHED_KIND_BIT(SCHED_WAKEUP) | SCHED_KIND_BIT(SCHED_WAKEUP_NEW),
		.unread = SCHED_PRIOS,
		.take = sched_chains_take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK),
		.record = sched_chains_take_fork,
		.arg = &w,
	};
	int status = recorded_open(&rq, r, diag);

	if (status >= 0)
		status = set_span(o, r->session, &w, diag);
	if (status >= 0)
		status = sched_read(r, &reader, &notes, diag);
	return status < 0 ? status : sched_chains_show(inv, &w, diag);
}

static int sched_chains_check(const struct opts *o, struct diag *diag)
{
	if (o->comm && o->tid >= 0)
		return diag_set(diag, -EINVAL, "--tid and --comm both choose a task: give one");
	if (o->time.n > 1)
		return diag_set(diag, -EINVAL, "--time takes one span of time");
	if (!o->depth || o->depth > DEPTH_MAX)
		return diag_set(diag, -EINVAL, "--depth takes 1 to %d", DEPTH_MAX);
	return 0;
}

static int sched_chains_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(recorded_done) struct recorded recorded = { 0 };
	int r;

	if (sched_chains_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	r = sched_dump(&o->common, inv, &diag);
	if (!r)
		r = sched_chains_read_and_show(inv, &recorded, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void sched_chains_done(void *opts)
{
	struct opts *o = opts;

	time_window_done(&o->time);
}

static const char *const usage[] = { "[<options>]", "[<options>] --tid <tid>|--comm <name>", NULL };

const struct command cmd_sched_chains = {
	.name = "sched chains",
	.summary = "show who woke whom, and what a task waited for",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = sched_chains_run,
	.done = sched_chains_done,
};
