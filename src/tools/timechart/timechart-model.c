/* SPDX-License-Identifier: MIT */
#include "tools/timechart/timechart-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/sched-event.h"
#include "tools/timechart/internal-model.h"

/*
 * The maximum number of pieces: about 15 MB, and as much as a picture can contain without becoming
 * slow to open.
 */
#define PIECES_MAX 262144

#define IDLE_TASK 0

static const struct lane_mark nothing = { .by = LANE_NONE, .stack = LANE_NONE };

void chart_init(struct chart *c, const struct chart_options *o)
{
	*c = (struct chart){ .options = *o };
	lanes_init(&c->lanes, o->max_pieces ? o->max_pieces : PIECES_MAX);
}

void chart_done(struct chart *c)
{
	for (size_t i = 0; i < c->tasks.n; i++)
		free(c->tasks.items[i].io);
	free(c->tasks.items);
	free(c->cpus.items);
	lanes_done(&c->lanes);
	u64_map_done(&c->by_tid);
	u64_map_done(&c->by_cpu);
}

uint64_t chart_event(struct chart *c, uint64_t time)
{
	if (!c->has_time) {
		c->has_time = true;
		c->first = c->last = time;
	}
	c->n_events++;
	if (time > c->last)
		c->last = time;
	return c->last;
}

static uint32_t timechart_add_task(struct chart *c, uint32_t tid)
{
	uint32_t place = (uint32_t)c->tasks.n;

	*ARRAY_ADD(&c->tasks) = (struct chart_task){
		.tid = tid,
		.pid = LANE_NONE,
		.lane = lanes_add(&c->lanes),
		.io_lane = LANE_NONE,
	};
	u64_map_put(&c->by_tid, tid, (void *)(uintptr_t)(place + 1));
	return place;
}

uint32_t chart_task_of(struct chart *c, uint32_t tid)
{
	uintptr_t found = (uintptr_t)u64_map_find(&c->by_tid, tid);

	if (!found || c->tasks.items[found - 1].has_ended)
		return timechart_add_task(c, tid);
	return (uint32_t)(found - 1);
}

struct chart_task *chart_task_at(struct chart *c, uint32_t tid)
{
	uint32_t place = chart_task_of(c, tid);

	return &c->tasks.items[place];
}

/*
 * Returns the CPU, which is made if it is new. The table contains 1 + index, so that no value is
 * NULL.
 */
static struct chart_cpu *timechart_cpu_of(struct chart *c, uint32_t number)
{
	uintptr_t found = (uintptr_t)u64_map_find(&c->by_cpu, number);
	uint32_t place = (uint32_t)c->cpus.n;

	if (found)
		return &c->cpus.items[found - 1];
	*ARRAY_ADD(&c->cpus) = (struct chart_cpu){ .number = number,
						   .lane = lanes_add(&c->lanes),
						   .idle_lane = LANE_NONE,
						   .frequency_lane = LANE_NONE,
						   .now = LANE_NONE };
	u64_map_put(&c->by_cpu, number, (void *)(uintptr_t)(place + 1));
	return &c->cpus.items[place];
}

void chart_set_comm(struct chart_task *t, const char *chars, size_t n)
{
	char comm[CHART_COMM_MAX] = { 0 };

	memcpy(comm, chars, n < sizeof(comm) ? n : sizeof(comm));
	if (!n || !memcmp(t->comm, comm, sizeof(comm)))
		return;
	memcpy(t->before, t->comm, sizeof(comm));
	memcpy(t->comm, comm, sizeof(comm));
}

/*
 * Returns the task that runs on the CPU. It is usually known; the table is only used for another
 * task.
 */
static uint32_t task_on_cpu(struct chart *c, const struct chart_cpu *cpu, uint32_t tid)
{
	if (cpu->now != LANE_NONE && c->tasks.items[cpu->now].tid == tid)
		return cpu->now;
	return chart_task_of(c, tid);
}

/*
 * Reports the wait that ends at @time, if @task waits. The stack of a waker is not used for the
 * thread.
 */
static void tell_wait(struct chart *c, uint32_t task, uint64_t time)
{
	const struct chart_task *t = &c->tasks.items[task];
	const struct lane *lane = &c->lanes.items[t->lane];
	const struct lane_piece *p = lane->n ? &lane->items[lane->n - 1] : NULL;

	if (p && p->mark.state > CHART_RUNNING && p->mark.stack != LANE_NONE && time > p->start &&
	    (p->mark.state != CHART_RUNNABLE || p->mark.flags & CHART_PREEMPTED))
		c->options.waited(c->options.arg, t, &p->mark, p->start, time);
}

static void set_state(struct chart *c, uint32_t task, uint64_t time, const struct lane_mark *mark)
{
	if (c->options.waited)
		tell_wait(c, task, time);
	lanes_set(&c->lanes, c->tasks.items[task].lane, time, mark);
}

static enum chart_state left_in(enum task_state state)
{
	static const enum chart_state states[] = {
		[TASK_STATE_RUNNABLE] = CHART_RUNNABLE, [TASK_STATE_SLEEPING] = CHART_SLEEPING,
		[TASK_STATE_BLOCKED] = CHART_BLOCKED,   [TASK_STATE_STOPPED] = CHART_STOPPED,
		[TASK_STATE_DEAD] = CHART_UNKNOWN,
	};

	return states[state];
}

/*
 * Handles a switch from another task than the one that came: events were lost, and it is unknown
 * when that one left.
 */
static void lose_track(struct chart *c, const struct chart_cpu *cpu, uint32_t leaver, uint64_t time)
{
	const struct lane_mark *now;

	if (cpu->now == LANE_NONE || cpu->now == leaver)
		return;
	c->unexpected++;
	now = lanes_now(&c->lanes, c->tasks.items[cpu->now].lane);
	if (now && now->state == CHART_RUNNING && now->cpu == cpu->number)
		set_state(c, cpu->now, time, &nothing);
}

/*
 * Marks the task as running since before the first event, since it leaves at the first switch of a
 * CPU.
 */
static void begin_on_cpu(struct chart *c, const struct chart_cpu *cpu, uint32_t task)
{
	const struct lane_mark running = {
		.state = CHART_RUNNING, .by = LANE_NONE, .stack = LANE_NONE, .cpu = cpu->number
	};
	const struct lane_mark busy = { .state = CHART_BUSY, .by = task, .stack = LANE_NONE };

	if (lanes_now(&c->lanes, c->tasks.items[task].lane))
		return;
	set_state(c, task, c->first, &running);
	lanes_set(&c->lanes, cpu->lane, c->first, &busy);
}

static void timechart_leave(struct chart *c, struct chart_cpu *cpu, const struct sched_event *e,
			    uint64_t time, uint32_t next, uint32_t stack)
{
	uint32_t task = e->tid == IDLE_TASK ? LANE_NONE : task_on_cpu(c, cpu, e->tid);
	struct lane_mark mark = {
		.state = left_in(e->state), .by = LANE_NONE, .stack = stack, .cpu = cpu->number
	};

	lose_track(c, cpu, task, time);
	if (task == LANE_NONE)
		return;
	chart_set_comm(&c->tasks.items[task], e->comm.chars, sched_comm_length(e->comm));
	if (e->current_tid == e->machine_tid)
		c->tasks.items[task].pid = e->current_pid;
	if (!cpu->was_switched)
		begin_on_cpu(c, cpu, task);
	if (mark.state == CHART_RUNNABLE) {
		mark.flags = CHART_PREEMPTED;
		mark.by = next;
	}
	if (mark.state == CHART_UNKNOWN)
		mark = nothing;
	set_state(c, task, time, &mark);
	c->tasks.items[task].has_ended = mark.state == CHART_UNKNOWN;
}

static void timechart_come(struct chart *c, struct chart_cpu *cpu, uint64_t time, uint32_t task)
{
	const struct lane_mark running = {
		.state = CHART_RUNNING, .by = LANE_NONE, .stack = LANE_NONE, .cpu = cpu->number
	};
	const struct lane_mark busy = { .state = CHART_BUSY, .by = task, .stack = LANE_NONE };

	if (task != LANE_NONE)
		set_state(c, task, time, &running);
	lanes_set(&c->lanes, cpu->lane, time, task == LANE_NONE ? &nothing : &busy);
	cpu->now = task;
	cpu->was_switched = true;
}

static void timechart_take_switch(struct chart *c, const struct sched_event *e, uint64_t time,
				  uint32_t stack)
{
	struct chart_cpu *cpu = timechart_cpu_of(c, e->cpu);
	uint32_t next = e->next_tid == IDLE_TASK ? LANE_NONE : chart_task_of(c, e->next_tid);

	if (next != LANE_NONE)
		chart_set_comm(&c->tasks.items[next], e->next_comm.chars,
			       sched_comm_length(e->next_comm));
	timechart_leave(c, cpu, e, time, next, stack);
	timechart_come(c, cpu, time, next);
}

static struct lane_mark woken_by(struct chart *c, const struct sched_event *e, uint32_t stack)
{
	bool somebody = !e->in_interrupt && e->machine_tid != IDLE_TASK;

	return (struct lane_mark){
		.state = CHART_RUNNABLE,
		.flags = e->in_interrupt ? CHART_INTERRUPT : 0,
		.by = somebody ? chart_task_of(c, e->machine_tid) : LANE_NONE,
		.stack = stack,
		.cpu = e->target_cpu,
	};
}

/*
 * True if a wake-up changes the thread's state. A thread that runs or waits for a CPU is not
 * affected.
 */
static bool can_wake(struct chart *c, const struct chart_task *t)
{
	const struct lane_mark *now = lanes_now(&c->lanes, t->lane);

	return !now || (now->state != CHART_RUNNING && now->state != CHART_RUNNABLE);
}

static void timechart_take_wakeup(struct chart *c, const struct sched_event *e, uint64_t time,
				  uint32_t stack)
{
	uint32_t place = chart_task_of(c, e->tid);
	struct lane_mark mark = c->tasks.items[place].waker;
	struct chart_task *t;

	/*
	 * An interrupt on another CPU may complete the wake-up. The waker is the task that began
	 * it.
	 */
	if (!mark.state)
		mark = woken_by(c, e, stack);
	mark.cpu = e->target_cpu;
	t = &c->tasks.items[place];
	t->waker.state = 0;
	chart_set_comm(t, e->comm.chars, sched_comm_length(e->comm));
	if (!can_wake(c, t))
		return;
	t->wakeups++;
	set_state(c, place, time, &mark);
}

static void take_waking(struct chart *c, const struct sched_event *e, uint64_t time, uint32_t stack)
{
	uint32_t place = chart_task_of(c, e->tid);
	struct lane_mark mark;

	if (c->options.waking_is_wakeup) {
		timechart_take_wakeup(c, e, time, stack);
		return;
	}
	mark = woken_by(c, e, stack);
	c->tasks.items[place].waker = mark;
}

/* Moves a thread that waits for a CPU to another CPU. */
static void timechart_take_migration(struct chart *c, const struct sched_event *e, uint64_t time)
{
	uint32_t place = chart_task_of(c, e->tid);
	const struct lane_mark *now = lanes_now(&c->lanes, c->tasks.items[place].lane);
	struct lane_mark mark;

	if (!now || now->state != CHART_RUNNABLE)
		return;
	mark = *now;
	mark.cpu = e->target_cpu;
	lanes_set(&c->lanes, c->tasks.items[place].lane, time, &mark);
}

/* Takes the event for an I/O wait, which comes when the wait is over, before the wake-up. */
static void take_io_wait(struct chart *c, const struct sched_event *e)
{
	struct lane_mark *now = lanes_now(&c->lanes, chart_task_at(c, e->tid)->lane);

	if (now && now->state == CHART_BLOCKED)
		now->state = CHART_IO_WAIT;
}

void chart_sched(struct chart *c, const struct sched_event *e, uint32_t stack)
{
	uint64_t time = chart_event(c, e->time);

	if (e->kind == SCHED_SWITCH)
		timechart_take_switch(c, e, time, stack);
	else if (e->tid == IDLE_TASK)
		return;
	else if (e->kind == SCHED_WAKEUP || e->kind == SCHED_WAKEUP_NEW)
		timechart_take_wakeup(c, e, time, stack);
	else if (e->kind == SCHED_WAKING)
		take_waking(c, e, time, stack);
	else if (e->kind == SCHED_MIGRATE)
		timechart_take_migration(c, e, time);
	else if (e->kind == SCHED_STAT_IOWAIT)
		take_io_wait(c, e);
}

void chart_idle(struct chart *c, uint64_t time, uint32_t number, uint32_t state)
{
	struct chart_cpu *cpu = timechart_cpu_of(c, number);
	struct lane_mark mark = { .by = state, .stack = LANE_NONE };

	time = chart_event(c, time);
	if (cpu->idle_lane == LANE_NONE)
		cpu->idle_lane = lanes_add(&c->lanes);
	mark.state = (uint8_t)(1 + (state < CHART_C_STATES ? state : CHART_C_STATES - 1));
	lanes_set(&c->lanes, cpu->idle_lane, time, state == UINT32_MAX ? &nothing : &mark);
}

void chart_frequency(struct chart *c, uint64_t time, uint32_t number, uint32_t khz)
{
	struct chart_cpu *cpu = timechart_cpu_of(c, number);
	const struct lane_mark mark = { .state = CHART_FREQUENCY, .by = khz, .stack = LANE_NONE };

	time = chart_event(c, time);
	if (cpu->frequency_lane == LANE_NONE)
		cpu->frequency_lane = lanes_add(&c->lanes);
	lanes_set(&c->lanes, cpu->frequency_lane, time, &mark);
}

static int timechart_by_number(const void *a, const void *b)
{
	const struct chart_cpu *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

void chart_finish(struct chart *c)
{
	chart_finish_calls(c);
	for (uint32_t i = 0; c->options.waited && i < c->tasks.n; i++)
		tell_wait(c, i, c->last);
	lanes_finish(&c->lanes, c->last);
	if (c->cpus.n)
		qsort(c->cpus.items, c->cpus.n, sizeof(*c->cpus.items), timechart_by_number);
}

uint64_t chart_task_ns(const struct chart *c, const struct chart_task *t, enum chart_state state)
{
	return c->lanes.items[t->lane].ns[state];
}
