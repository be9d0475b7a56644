/* SPDX-License-Identifier: MIT */
#include "profile/off-cpu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "profile/collector.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/sample-filter.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

/* common_flags: TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ. */
#define FLAGS_INTERRUPT 0x18

/* The pid of the idle task, which each CPU has. */
#define IDLE_TASK 0

enum role {
	ROLE_NONE,
	ROLE_SWITCH,
	ROLE_WAKE,
	ROLE_CPU, /* its samples say where threads run */
};

/* The role of an event, and the fields in which it has its data. */
struct off_cpu_source {
	enum role role;
	struct field_ref prev_pid, prev_state, next_pid; /* the fields of a switch */
	struct field_ref pid, flags;                     /* the fields of a wake-up */
};

struct off_cpu {
	struct off_cpu_options options;
	struct wait_times times;
	struct off_cpu_source *sources; /* indexed by event */
	size_t n_sources;
	struct task_states states;
	bool has_switches; /* sched_switch was recorded, and reports which thread leaves */
	/*
	 * Samples number threads as in the namespace in which `perf record` ran, tracepoints as on
	 * the whole machine. Maps the former to the latter, + 1, if these differ, as in a
	 * container.
	 */
	struct u64_map aliases;
	struct contexts stacks; /* event, node and the waker's name, numbered */
};

static bool is_tracepoint(const struct session_event *e, const char *name)
{
	return e->system && !strcmp(e->system, "sched") && !strcmp(e->tracepoint, name);
}

static bool is_switch(const struct session_event *e)
{
	return is_tracepoint(e, "sched_switch");
}

static bool is_wake(const struct session_event *e)
{
	return is_tracepoint(e, "sched_waking") || is_tracepoint(e, "sched_wakeup");
}

/*
 * True if samples of the event count time or cycles; the dummy event and BPF's output count
 * nothing.
 */
static bool is_cpu_clock(const struct session_event *e)
{
	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return attr_is_clock(&e->attr);
	return e->attr.type != PERF_TYPE_TRACEPOINT && e->attr.type != PERF_TYPE_BREAKPOINT;
}

static const struct session_event *off_cpu_find_event(const struct session *s,
						      bool (*is)(const struct session_event *e))
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (is(session_event(s, i)))
			return session_event(s, i);
	return NULL;
}

static bool tells_switches(const struct session_event *e)
{
	return e->attr.context_switch;
}

static bool is_summed(const struct session_event *e)
{
	return !strcmp(e->name, OFF_CPU_SUMMED_EVENT);
}

bool off_cpu_has_summed_event(const struct session *s)
{
	return off_cpu_find_event(s, is_summed);
}

/*
 * The commands that record the needed data, without the part that selects a single command or the
 * whole system.
 */
#define RECORD_OFF_CPU "perf record -e sched:sched_switch -e sched:sched_waking"
#define RECORD_WALL    "perf record -e cpu-clock -e sched:sched_switch"

static int off_cpu_refuse(struct diag *diag, bool wall, const char *what)
{
	const char *record = wall ? RECORD_WALL : RECORD_OFF_CPU;

	diag_set(diag, -ENODATA, "%s", what);
	diag_hint(diag, "Record the system with: %s -a -g -- sleep 10", record);
	diag_hint(diag, "Record a command with: %s --switch-events -g -- COMMAND", record);
	return -ENODATA;
}

int off_cpu_check(const struct session *s, bool wall, struct diag *diag)
{
	const struct session_event *e = off_cpu_find_event(s, is_switch);

	if (!e && !off_cpu_find_event(s, tells_switches))
		return off_cpu_refuse(
			diag, wall,
			"waiting times come from context switches, and the recording has "
			"none");
	if (e && !(e->format && e->attr.sample_type & PERF_SAMPLE_RAW))
		return off_cpu_refuse(
			diag, wall, "the samples of sched:sched_switch do not say who is switched");
	if (e && !(e->attr.sample_type & PERF_SAMPLE_TIME))
		return off_cpu_refuse(diag, wall,
				      "the samples of sched:sched_switch have no times");
	if (wall && !off_cpu_find_event(s, is_cpu_clock))
		return off_cpu_refuse(
			diag, wall,
			"a thread's whole time needs samples of where it runs, and the "
			"recording has none");
	return 0;
}

static struct off_cpu_source off_cpu_source_of(const struct off_cpu *o,
					       const struct session_event *e)
{
	bool swap = session_is_swapped(o->options.session);

	if (is_switch(e))
		return (struct off_cpu_source){
			.role = ROLE_SWITCH,
			.prev_pid = tracepoint_field_bind(e->format, "prev_pid", swap),
			.prev_state = tracepoint_field_bind(e->format, "prev_state", swap),
			.next_pid = tracepoint_field_bind(e->format, "next_pid", swap),
		};
	if (is_wake(e))
		return (struct off_cpu_source){
			.role = ROLE_WAKE,
			.pid = tracepoint_field_bind(e->format, "pid", swap),
			.flags = tracepoint_field_bind(e->format, "common_flags", swap),
		};
	/* Several such events would count the same time twice. */
	if (o->options.wall && e == off_cpu_find_event(o->options.session, is_cpu_clock))
		return (struct off_cpu_source){ .role = ROLE_CPU };
	return (struct off_cpu_source){ .role = ROLE_NONE };
}

struct off_cpu *off_cpu_new(const struct off_cpu_options *options)
{
	struct off_cpu *o = xcalloc(1, sizeof(*o));
	const struct session *s = options->session;
	const struct session_event *e = off_cpu_find_event(s, is_switch);

	o->options = *options;
	o->options.times.with_running = options->wall;
	wait_times_init(&o->times, &o->options.times);
	contexts_init(&o->stacks, 3);
	o->has_switches = e;
	task_states_parse(e && e->format ? e->format->print_fmt : "", &o->states);
	o->n_sources = session_event_count(s);
	o->sources = xcalloc(o->n_sources + 1, sizeof(*o->sources));
	for (size_t i = 0; i < o->n_sources; i++)
		o->sources[i] = off_cpu_source_of(o, session_event(s, i));
	return o;
}

void off_cpu_free(struct off_cpu *o)
{
	if (!o)
		return;
	wait_times_done(&o->times);
	contexts_done(&o->stacks);
	u64_map_done(&o->aliases);
	free(o->sources);
	free(o);
}

static uint32_t off_cpu_number_stack(struct off_cpu *o, const struct session_event *e,
				     uint32_t node, const char *waker)
{
	const uint64_t values[] = { e->index, node, (uintptr_t)waker };

	return contexts_add(&o->stacks, values);
}

struct off_cpu_stack off_cpu_stack(const struct off_cpu *o, uint32_t number)
{
	const uint64_t *values = contexts_get(&o->stacks, number);

	return (struct off_cpu_stack){
		.event = session_event(o->options.session, values[0]),
		.node = (uint32_t)values[1],
		.waker = (const char *)(uintptr_t)values[2],
	};
}

/* Returns the stack of a thread that counts, or WAIT_NO_STACK. */
static uint32_t off_cpu_place(struct off_cpu *o, const struct session_sample *s)
{
	const struct sample_filter *f = o->options.filter;
	bool left_out;
	uint32_t node = collector_place(o->options.collector, s, &left_out);

	if (node == STACK_NONE || left_out)
		return WAIT_NO_STACK;
	if (f && !sample_filter_passes_moment(f, 0, s->sample->cpu))
		return WAIT_NO_STACK;
	return off_cpu_number_stack(o, s->event, node, NULL);
}

static uint32_t place_waker(struct off_cpu *o, const struct session_sample *s,
			    const struct off_cpu_source *from)
{
	bool left_out;
	uint32_t node = collector_place(o->options.collector, s, &left_out);
	const char *name = NULL;
	uint64_t flags = 0;

	if (node == STACK_NONE)
		return WAIT_NO_STACK;
	field_ref_number(&from->flags, s->sample->raw, s->sample->raw_size, &flags);
	if (!(flags & FLAGS_INTERRUPT))
		name = machine_comm(o->options.session, s->sample->pid, s->sample->tid, s->time);
	return off_cpu_number_stack(o, s->event, node, name);
}

static void learn_alias(struct off_cpu *o, uint32_t tid, uint64_t pid)
{
	if (tid != pid && tid != IDLE_TASK && tid != SAMPLE_NOBODY)
		u64_map_put(&o->aliases, tid, (void *)(uintptr_t)(pid + 1));
}

/* Returns the number of a thread that samples call @tid. */
static uint32_t off_cpu_thread_of(const struct off_cpu *o, uint32_t tid)
{
	uintptr_t pid = o->aliases.n ? (uintptr_t)u64_map_find(&o->aliases, tid) : 0;

	return pid ? (uint32_t)(pid - 1) : tid;
}

static void off_cpu_take_switch(struct off_cpu *o, const struct session_sample *s,
				const struct off_cpu_source *from)
{
	const void *raw = s->sample->raw;
	size_t size = s->sample->raw_size;
	uint64_t prev, next, bits;

	if (!field_ref_number(&from->prev_pid, raw, size, &prev) ||
	    !field_ref_number(&from->next_pid, raw, size, &next) ||
	    !field_ref_number(&from->prev_state, raw, size, &bits))
		return;
	if (prev != IDLE_TASK) {
		learn_alias(o, s->sample->tid, prev);
		wait_times_out(&o->times, (uint32_t)prev, s->time,
			       (enum wait_state)task_state_of(&o->states, bits),
			       off_cpu_place(o, s));
	}
	if (next != IDLE_TASK)
		wait_times_in(&o->times, (uint32_t)next, s->time);
}

static void take_wake(struct off_cpu *o, const struct session_sample *s,
		      const struct off_cpu_source *from)
{
	uint64_t pid;

	if (!field_ref_number(&from->pid, s->sample->raw, s->sample->raw_size, &pid))
		return;
	if (wait_times_can_wake(&o->times, (uint32_t)pid))
		wait_times_wake(&o->times, (uint32_t)pid, s->time, place_waker(o, s, from));
}

static void profile_off_cpu_take(struct off_cpu *o, const struct session_sample *s)
{
	uint32_t tid = s->sample->tid;

	if (tid != IDLE_TASK && tid != SAMPLE_NOBODY)
		wait_times_sample(&o->times, off_cpu_thread_of(o, tid), s->time,
				  off_cpu_place(o, s), s->period);
}

void off_cpu_take(struct off_cpu *o, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];
		const struct off_cpu_source *from;

		if (s->event->index >= o->n_sources || !s->time)
			continue;
		from = &o->sources[s->event->index];
		if (from->role == ROLE_SWITCH)
			off_cpu_take_switch(o, s, from);
		else if (from->role == ROLE_WAKE)
			take_wake(o, s, from);
		else if (from->role == ROLE_CPU)
			profile_off_cpu_take(o, s);
	}
}

/* Returns the root of the stacks of a thread, for a record that has no stack. */
static uint32_t place_thread(struct off_cpu *o, const struct delivered *d, const struct record *r)
{
	const struct sample sample = {
		.pid = r->id.pid, .tid = r->id.tid, .time = d->time, .cpu = r->id.cpu
	};
	const struct session_sample s = {
		.record = d, .event = d->event, .sample = &sample, .time = d->time
	};
	const struct stacks *stacks;
	uint32_t number = off_cpu_place(o, &s), node;

	if (number == WAIT_NO_STACK)
		return number;
	stacks = &collector_tally(o->options.collector, d->event->index)->stacks;
	for (node = off_cpu_stack(o, number).node; !stacks_is_root(stacks, node);)
		node = stacks->nodes[node].parent;
	return off_cpu_number_stack(o, d->event, node, NULL);
}

static void take_switch_record(struct off_cpu *o, const struct delivered *d, const struct record *r)
{
	uint16_t misc = r->header.misc;
	uint32_t thread = off_cpu_thread_of(o, r->id.tid);

	if (r->id.tid == IDLE_TASK)
		return;
	if (!(misc & PERF_RECORD_MISC_SWITCH_OUT))
		wait_times_in(&o->times, thread, d->time);
	else if (!o->has_switches && d->event)
		wait_times_out(&o->times, thread, d->time,
			       misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? WAIT_RUNNABLE
									  : WAIT_OF_ANY_KIND,
			       place_thread(o, d, r));
}

bool off_cpu_places(const struct off_cpu *o, const struct session_event *e)
{
	enum role role = o->sources[e->index].role;

	return role == ROLE_SWITCH || role == ROLE_CPU || (!o->has_switches && tells_switches(e));
}

uint64_t off_cpu_record_types(void)
{
	return RECORD_TYPE_BIT(PERF_RECORD_SWITCH) | RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE) |
	       RECORD_TYPE_BIT(PERF_RECORD_FORK) | RECORD_TYPE_BIT(PERF_RECORD_EXIT);
}

void off_cpu_take_records(struct off_cpu *o, const struct record_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct delivered *d = &b->items[i];
		struct record r;

		/* Records without a time describe the state before the recording. */
		if (!d->time || session_decode_record(o->options.session, d, &r) < 0)
			continue;
		if (r.header.type == PERF_RECORD_FORK)
			wait_times_fork(&o->times, off_cpu_thread_of(o, r.task.tid), d->time);
		else if (r.header.type == PERF_RECORD_EXIT)
			wait_times_exit(&o->times, off_cpu_thread_of(o, r.task.tid), d->time);
		else
			take_switch_record(o, d, &r);
	}
}

int off_cpu_finish(struct off_cpu *o, struct diag *diag)
{
	const struct wait_counts *c = &o->times.counts;

	if (c->lost_ends > c->waits + c->unfit)
		return off_cpu_refuse(
			diag, o->options.wall,
			"the recording says when threads leave a CPU, but not when they come "
			"back");
	wait_times_finish(&o->times);
	return 0;
}

const struct wait_times *off_cpu_times(const struct off_cpu *o)
{
	return &o->times;
}

const struct collector *off_cpu_collector(const struct off_cpu *o)
{
	return o->options.collector;
}

static bool off_cpu_has_stacks(const struct off_cpu *o)
{
	for (size_t i = 0; i < o->n_sources; i++)
		if (o->sources[i].role == ROLE_SWITCH &&
		    session_event(o->options.session, i)->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

/* Adds a note that begins with "1 wait is", "2 waits are". */
static void note_waits(struct notes *notes, enum note_kind kind, uint64_t n, const char *one,
		       const char *several, const char *rest)
{
	if (n)
		notes_add(notes, kind, "%" PRIu64 " %s %s", n, n == 1 ? one : several, rest);
}

void off_cpu_note(const struct off_cpu *o, struct notes *notes)
{
	const struct wait_counts *c = &o->times.counts;

	if (!off_cpu_has_stacks(o))
		notes_add(notes, NOTE_WARNING,
			  "the recording has no stacks of context switches: record "
			  "sched:sched_switch with -g to see where threads wait");
	note_waits(notes, NOTE_WARNING, c->lost_ends, "wait is", "waits are",
		   "left out: the recording does not say when the thread came back");
	note_waits(notes, NOTE_REMARK, c->unended, "wait", "waits",
		   "had not ended: the time up to the end of the recording counts");
	if (!o->options.wall)
		note_waits(notes, NOTE_REMARK, c->unbegun, "wait is", "waits are",
			   "left out: the recording began later");
	note_waits(notes, NOTE_REMARK, c->unfit, "wait is", "waits are",
		   "shorter or longer than asked for");
}
