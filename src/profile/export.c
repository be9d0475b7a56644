/* SPDX-License-Identifier: MIT */
#include "profile/export.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/build-id.h"
#include "base/memory.h"
#include "profile/export-paths.h"
#include "profile/export-places.h"
#include "profile/export-tasks.h"
#include "session/call-chain.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/symbol.h"
#include "wire/record.h"

/* There is one machine, the host. */
#define HOST_ID 1

/* A data source that says that nothing is known: PERF_MEM_NA of the kernel's header. */
#define DATA_SOURCE_UNKNOWN 0x5080021

struct export
{
	struct export_options options;
	struct export_rows rows;
	struct export_tasks tasks;
	struct export_places places;
	struct export_paths paths;
	struct call_chain chain;
	struct {
		uint64_t *items;
		size_t n, room;
	} events; /* ids by index; 0: no row yet */
	bool has_host;
};

struct export *export_new(const struct export_options *o)
{
	struct export *x = xcalloc(1, sizeof(*x));

	x->options = *o;
	x->rows = (struct export_rows){ .row = o->row, .arg = o->arg };
	export_tasks_init(&x->tasks);
	return x;
}

void export_free(struct export *x)
{
	if (!x)
		return;
	export_tasks_done(&x->tasks);
	export_places_done(&x->places);
	export_paths_done(&x->paths);
	call_chain_done(&x->chain);
	free(x->events.items);
	free(x);
}

/*
 * Kinds of branches, which are bits: a branch, a call, a return, conditional, a system call,
 * asynchronous, an interrupt, an abort, the beginning and the end of a trace, a virtual machine
 * entered and left.
 */
static const struct branch_kind {
	unsigned flags;
	const char *name;
	bool at_ends; /* it may begin or end a trace */
} branch_kinds[] = {
	{ 0, "no branch", true },
	{ 3, "call", true },
	{ 5, "return", true },
	{ 9, "conditional jump", true },
	{ 1, "unconditional jump", false },
	{ 67, "software interrupt", true },
	{ 69, "return from interrupt", true },
	{ 19, "system call", true },
	{ 21, "return from system call", true },
	{ 33, "asynchronous branch", true },
	{ 99, "hardware interrupt", true },
	{ 129, "transaction abort", true },
	{ 257, "trace begin", false },
	{ 513, "trace end", false },
	{ 2051, "vm entry", true },
	{ 4099, "vm exit", true },
};

enum {
	BRANCH_TRACE_BEGIN = 256,
	BRANCH_TRACE_END = 512,
};

typedef int branch_type_fn(void *arg, unsigned number, const char *name);

static int each_end(const struct branch_kind *k, branch_type_fn *each, void *arg)
{
	char *begin = xasprintf("trace begin / %s", k->name);
	char *end = xasprintf("%s / trace end", k->name);
	int r = each(arg, k->flags | BRANCH_TRACE_BEGIN, begin);

	if (!r)
		r = each(arg, k->flags | BRANCH_TRACE_END, end);
	free(begin);
	free(end);
	return r;
}

int export_branch_types(branch_type_fn *each, void *arg)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(branch_kinds); i++)
		r = each(arg, branch_kinds[i].flags, branch_kinds[i].name);
	for (size_t i = 0; !r && i < ARRAY_SIZE(branch_kinds); i++)
		if (branch_kinds[i].at_ends)
			r = each_end(&branch_kinds[i], each, arg);
	return r;
}

static int branch_row(void *arg, unsigned number, const char *name)
{
	struct export *x = arg;
	const struct export_value values[] = { { .number = number }, { .text = name } };

	return export_row(&x->rows, EXPORT_BRANCH_TYPE, values, ARRAY_SIZE(values));
}

int export_begin(struct export *x)
{
	return export_branch_types(branch_row, x);
}

static int need_event(struct export *x, const struct session_event *e)
{
	const struct export_value values[] = { { .number = 0 }, { .text = e->name } };

	while (x->events.n <= e->index)
		*ARRAY_ADD(&x->events) = 0;
	if (x->events.items[e->index])
		return 0;
	return export_new_row(&x->rows, EXPORT_EVSEL, values, ARRAY_SIZE(values),
			      &x->events.items[e->index]);
}

static int need_host(struct export *x)
{
	const struct export_value values[] = { { .number = HOST_ID },
					       { .number = -1 },
					       { .text = "" } };

	if (x->has_host)
		return 0;
	x->has_host = true;
	return export_row(&x->rows, EXPORT_MACHINE, values, ARRAY_SIZE(values));
}

static int need_comm(struct export *x, struct export_comm *c, const struct export_thread *th)
{
	const struct export_value values[] = { { .number = 0 },
					       { .text = c->text },
					       { .number = (int64_t)th->id },
					       { .number = (int64_t)c->start },
					       { .number = c->is_exec } };

	return c->id ? 0
		     : export_new_row(&x->rows, EXPORT_COMM, values, ARRAY_SIZE(values), &c->id);
}

/* Adds the row that thread @th runs under the name @c of its process. */
static int need_comm_thread(struct export *x, const struct export_comm *c, struct export_thread *th)
{
	const struct export_value values[] = { { .number = 0 },
					       { .number = (int64_t)c->id },
					       { .number = (int64_t)th->id } };
	uint64_t id;

	if (th->told == c)
		return 0;
	th->told = c;
	return export_new_row(&x->rows, EXPORT_COMM_THREAD, values, ARRAY_SIZE(values), &id);
}

static int need_thread_row(struct export *x, struct export_thread *th, uint64_t main_id)
{
	const struct export_value values[] = { { .number = 0 },
					       { .number = HOST_ID },
					       { .number = (int64_t)main_id },
					       { .number = (int32_t)th->pid },
					       { .number = (int32_t)th->tid } };

	if (th->id)
		return 0;
	return export_new_row(&x->rows, EXPORT_THREAD, values, ARRAY_SIZE(values), &th->id);
}

/* Adds a main thread, and the name of its process. */
static int need_main(struct export *x, struct export_thread *th)
{
	struct export_comm *c = export_process_comm(th);
	int r = need_thread_row(x, th, export_rows_next(&x->rows, EXPORT_THREAD));

	if (!r)
		r = need_comm(x, c, th);
	return r ? r : need_comm_thread(x, c, th);
}

/*
 * Adds a thread, all rows that it refers to, and its present name; returns the name of its process.
 */
static int need_thread(struct export *x, struct export_thread *th, uint64_t *ret_comm)
{
	struct export_thread *main = th->pid == th->tid
					     ? th
					     : export_tasks_get(&x->tasks, th->pid, th->pid);
	struct export_comm *c = export_process_comm(main);
	int r = need_main(x, main);

	if (!r && th != main)
		r = need_thread_row(x, th, main->id);
	if (!r && th != main)
		r = need_comm_thread(x, c, th);
	if (!r)
		r = need_comm(x, th->comm, th);
	*ret_comm = c->id;
	return r;
}

/* Adds one side of a context switch. If nothing is known about the task, both results are 0. */
static int switch_side(struct export *x, uint32_t pid, uint32_t tid, uint64_t *ret_thread,
		       uint64_t *ret_comm)
{
	struct export_thread *th = pid == UINT32_MAX ? NULL : export_tasks_find(&x->tasks, tid);
	int r;

	*ret_thread = *ret_comm = 0;
	if (!th)
		return 0;
	r = need_host(x);
	if (!r)
		r = need_thread(x, th, ret_comm);
	*ret_thread = th->id;
	return r;
}

struct task_ids {
	uint32_t pid, tid;
};

static int export_take_switch(struct export *x, const struct record *rec, uint64_t time)
{
	bool is_out = rec->header.misc & PERF_RECORD_MISC_SWITCH_OUT;
	bool is_preempted = is_out && rec->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	struct task_ids self = { rec->id.pid, rec->id.tid }, other = { UINT32_MAX, UINT32_MAX };
	uint64_t self_thread, self_comm, other_thread, other_comm, id;
	int r;

	if (rec->header.type == PERF_RECORD_SWITCH_CPU_WIDE)
		other = (struct task_ids){ rec->context_switch.next_prev_pid,
					   rec->context_switch.next_prev_tid };

	/* The record's own task comes first: rows are numbered in the order of their first use. */
	r = switch_side(x, self.pid, self.tid, &self_thread, &self_comm);
	if (!r)
		r = switch_side(x, other.pid, other.tid, &other_thread, &other_comm);
	/* A switch between the idle task and an unknown one is not reported. */
	if (r || ((!self_thread || !self.tid) && (!other_thread || !other.tid)))
		return r;

	const struct export_value values[] = {
		{ .number = 0 },
		{ .number = HOST_ID },
		{ .number = (int64_t)time },
		{ .number = (int32_t)rec->id.cpu },
		{ .number = (int64_t)(is_out ? self_thread : other_thread) },
		{ .number = (int64_t)(is_out ? self_comm : other_comm) },
		{ .number = (int64_t)(is_out ? other_thread : self_thread) },
		{ .number = (int64_t)(is_out ? other_comm : self_comm) },
		{ .number = (is_out ? 1 : 0) | (is_preempted ? 2 : 0) },
	};

	return export_new_row(&x->rows, EXPORT_CONTEXT_SWITCH, values, ARRAY_SIZE(values), &id);
}

int export_record(struct export *x, const struct record *rec, uint64_t time)
{
	switch (rec->header.type) {
	case PERF_RECORD_COMM:
		export_tasks_name(&x->tasks, rec->comm.pid, rec->comm.tid, rec->comm.comm, time,
				  rec->header.misc & PERF_RECORD_MISC_COMM_EXEC);
		return 0;
	case PERF_RECORD_FORK:
		export_tasks_fork(&x->tasks, rec->task.pid, rec->task.tid, rec->task.ppid,
				  rec->task.ptid, time);
		return 0;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return export_take_switch(x, rec, time);
	default:
		return 0;
	}
}

/* Finds the symbol of frame @i, which is looked up inside the call. */
static void locate_frame(struct export *x, const struct session_sample *ss, size_t i,
			 struct location *ret)
{
	const struct chain_entry *e = &x->chain.items[i];
	const struct session *s = x->options.session;
	uint32_t pid = ss->sample->pid;
	uint64_t addr = e->ip;

	if (e->is_return && call_chain_is_call(&x->chain, s, pid, ss->time, i))
		addr--;
	machine_resolve(s, pid, e->mode, addr, ss->time, ret);
	ret->addr = e->ip;
}

/* Adds the rows of the sample's stack; *@ret_path is the innermost one. */
static int export_take_stack(struct export *x, const struct session_sample *ss, uint64_t *ret_path)
{
	uint64_t path = 0;
	int r = 0;

	*ret_path = 0;
	if (!(ss->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return 0;
	call_chain_take(&x->chain, x->options.session, ss->sample, ss->time, x->options.max_stack);
	if (!x->chain.n)
		return 0;
	path = export_paths_root(&x->paths);
	for (size_t i = x->chain.n; !r && i-- > 0;) {
		struct export_place place = { 0 };
		struct location loc;

		locate_frame(x, ss, i, &loc);
		/* A frame without a name goes by its run-time address, unlike a sample. */
		r = export_place_of(&x->places, &x->rows, &loc, loc.addr, &place);
		path = export_paths_step(&x->paths, path, place.symbol,
					 place.symbol ? 0 : loc.addr);
	}
	*ret_path = path;
	return r ? r : export_paths_rows(&x->paths, &x->rows);
}

static int export_take_target(struct export *x, const struct session_sample *ss,
			      struct export_place *ret)
{
	const struct session *s = x->options.session;
	const struct sample *p = ss->sample;
	struct location loc;

	ret->addr = p->addr;
	if (!attr_addr_has_symbols(&ss->event->attr))
		return 0;
	if (!machine_resolve(s, p->pid, address_mode_of(p->misc), p->addr, ss->time, &loc))
		machine_resolve(s, p->pid, ADDRESS_USER, p->addr, ss->time, &loc);
	return export_place_of(&x->places, &x->rows, &loc, loc.image_addr, ret);
}

static int sample_row(struct export *x, const struct session_sample *ss, uint64_t thread,
		      uint64_t comm, const struct export_place *at, const struct export_place *to,
		      uint64_t path)
{
	const struct sample *p = ss->sample;
	bool has_source = ss->event->attr.sample_type & PERF_SAMPLE_DATA_SRC;
	const struct export_value values[EXPORT_COLUMNS_MAX] = {
		{ .number = 0 },
		{ .number = (int64_t)x->events.items[ss->event->index] },
		{ .number = HOST_ID },
		{ .number = (int64_t)thread },
		{ .number = (int64_t)comm },
		{ .number = (int64_t)at->dso },
		{ .number = (int64_t)at->symbol },
		{ .number = (int64_t)at->offset },
		{ .number = (int64_t)p->ip },
		{ .number = (int64_t)ss->time },
		{ .number = (int32_t)p->cpu },
		{ .number = (int64_t)to->dso },
		{ .number = (int64_t)to->symbol },
		{ .number = (int64_t)to->offset },
		{ .number = (int64_t)to->addr },
		{ .number = (int64_t)ss->period },
		{ .number = (int64_t)p->weight },
		{ .number = (int64_t)p->transaction },
		{ .number = has_source ? (int64_t)p->data_src : DATA_SOURCE_UNKNOWN },
		/*
		 * Only hardware traces give these values: branch, transaction, and the counts after
		 * the path.
		 */
		{ .number = 0 },
		{ .number = 0 },
		{ .number = (int64_t)path },
	};
	uint64_t id;

	return export_new_row(&x->rows, EXPORT_SAMPLE, values, ARRAY_SIZE(values), &id);
}

int export_sample(struct export *x, const struct session_sample *ss)
{
	const struct sample *p = ss->sample;
	struct export_thread *th = export_tasks_get(&x->tasks, p->pid, p->tid);
	struct export_place at = { 0 }, to = { 0 };
	uint64_t comm = 0, path = 0;
	struct location loc;
	int r = need_event(x, ss->event);

	if (!r)
		r = need_host(x);
	if (!r)
		r = need_thread(x, th, &comm);
	machine_resolve(x->options.session, p->pid, address_mode_of(p->misc), p->ip, ss->time,
			&loc);
	if (!r)
		r = export_place_of(&x->places, &x->rows, &loc, loc.image_addr, &at);
	if (!r && x->options.call_paths)
		r = export_take_stack(x, ss, &path);
	if (!r)
		r = export_take_target(x, ss, &to);
	return r ? r : sample_row(x, ss, th->id, comm, &at, &to, path);
}

int export_new_row(struct export_rows *x, enum export_table table,
		   const struct export_value *values, size_t n, uint64_t *ret_id)
{
	struct export_value numbered[EXPORT_COLUMNS_MAX];

	assert(n && n <= EXPORT_COLUMNS_MAX);
	memcpy(numbered, values, n * sizeof(*values));
	numbered[0].number = (int64_t)++x->last[table];
	*ret_id = x->last[table];
	return export_row(x, table, numbered, n);
}
