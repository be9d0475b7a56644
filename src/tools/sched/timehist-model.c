/* SPDX-License-Identifier: MIT */
#include "tools/sched/timehist-model.h"

#include <stdlib.h>

#include "base/cpu-list.h"
#include "base/id-list.h"
#include "base/memory.h"
#include "session/sched-event.h"
#include "wire/record.h"

struct timehist {
	struct timehist_options o;
	struct timehist_tasks tasks;
	struct timehist_sums sums;
	struct {
		uint64_t *items; /* by CPU: the time of its last switch; 0: not seen yet */
		size_t n, room;
	} switched;
	struct {
		struct timehist_idle_chain *items;
		size_t n, room;
	} chains;
	struct u64_map chain_index; /* by CPU and chain: index + 1 into chains */
};

/* The times of a row. */
struct sched_timehist_times {
	uint64_t wait, delay, run, pre_migration;
};

char timehist_state_char(uint64_t prev_state, bool newer)
{
	/*
	 * Indexed by bit: the first letter is for no bit, the second for the bit of value 1. In the
	 * newer letters 256 is R+: preempted.
	 */
	static const char letters[2][12] = { "RSDTtZXxKWP", "RSDTtXZPIR?" };
	unsigned bit = prev_state ? (unsigned)__builtin_ctzll(prev_state) + 1 : 0;

	return bit < sizeof(letters[0]) - 1 ? letters[newer][bit] : '?';
}

static bool id_is_in(const struct id_list *l, int32_t id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i] == id)
			return true;
	return false;
}

static void decide_on_task(void *arg, struct timehist_task *task)
{
	const struct timehist_options *o = &((struct timehist *)arg)->o;
	bool by_pid = o->pids && o->pids->n, by_tid = o->tids && o->tids->n;

	task->is_unwanted = (by_pid && !id_is_in(o->pids, task->pid)) ||
			    (by_tid && !id_is_in(o->tids, task->tid));
}

struct timehist *timehist_new(const struct timehist_options *o)
{
	struct timehist *t = xcalloc(1, sizeof(*t));

	t->o = *o;
	t->tasks.on_new = decide_on_task;
	t->tasks.arg = t;
	return t;
}

void timehist_free(struct timehist *t)
{
	if (!t)
		return;
	timehist_tasks_done(&t->tasks);
	u64_map_done(&t->chain_index);
	free(t->switched.items);
	free(t->chains.items);
	free(t);
}

void timehist_take_record(struct timehist *t, const struct record *r)
{
	timehist_tasks_take(&t->tasks, r);
}

static bool is_chosen_prio(const struct timehist_options *o, int32_t prio)
{
	for (size_t i = 0; i < o->n_prios; i++)
		if (prio >= 0 && (uint32_t)prio >= o->prios[i].first &&
		    (uint32_t)prio <= o->prios[i].last)
			return true;
	return !o->n_prios;
}

/*
 * Computes the times of a task that came to the CPU at @tprev and leaves it at @t, from the task's
 * state.
 */
static struct sched_timehist_times times_of(const struct timehist_task *task, uint64_t t,
					    uint64_t tprev)
{
	struct sched_timehist_times d = { 0 };

	if (!tprev)
		return d;
	d.run = t - tprev;
	if (task->woken_ns && task->woken_ns <= tprev) {
		d.delay = tprev - task->woken_ns;
		if (task->moved_ns > task->woken_ns)
			d.pre_migration = task->moved_ns - task->woken_ns;
	}
	if (task->out_ns && task->out_ns <= tprev)
		d.wait = tprev - task->out_ns;
	return d;
}

static void timehist_model_add_times(struct timehist_task *task,
				     const struct sched_timehist_times *d)
{
	moments_add(&task->run, (double)d->run);
	if (task->run.n == 1 || d->run < task->min_run_ns)
		task->min_run_ns = d->run;
	if (d->run > task->max_run_ns)
		task->max_run_ns = d->run;
	task->run_ns += d->run;
	task->delay_ns += d->delay;
	task->pre_migration_ns += d->pre_migration;
	if (task->out_state == 'R')
		task->preempted_ns += d->wait;
	else if (task->out_state == 'D')
		task->iowait_ns += d->wait;
	else
		task->sleep_ns += d->wait;
}

static void add_idle_chain(struct timehist *t, uint32_t cpu, uint32_t chain, uint64_t ns)
{
	uint64_t key = (uint64_t)cpu << 32 | chain;
	uintptr_t i = (uintptr_t)u64_map_find(&t->chain_index, key);
	struct timehist_idle_chain *c;

	if (!i) {
		*ARRAY_ADD(&t->chains) = (struct timehist_idle_chain){ .cpu = cpu, .chain = chain };
		i = t->chains.n;
		u64_map_put(&t->chain_index, key, (void *)i);
	}
	c = &t->chains.items[i - 1];
	c->idle_ns += ns;
	c->count++;
}

/* With options.idle: remembers the task that leaves the CPU, perhaps to its idle task. */
static void remember_before(struct timehist *t, const struct sched_event *e,
			    struct timehist_task *task)
{
	struct timehist_task *idle = timehist_task_idle(&t->tasks, e->cpu);

	idle->before = task;
	if (!e->next_tid && t->o.chain)
		idle->before_chain = t->o.chain(t->o.arg, e);
}

/*
 * With options.idle: ends the idle time of a CPU, which counts for the previous task. Returns
 * false, so that there is no row, if that task is unknown.
 */
static bool take_idle(struct timehist *t, const struct sched_event *e, struct timehist_task *idle,
		      uint64_t now, uint64_t tprev, struct sched_timehist_times *ret)
{
	struct timehist_task *before = idle->before;
	struct sched_timehist_times of_before;

	*ret = times_of(idle, now, tprev);
	timehist_model_add_times(idle, ret);
	if (!before)
		return false;
	of_before = times_of(before, now, tprev);
	timehist_model_add_times(before, &of_before);
	if (idle->before_chain)
		add_idle_chain(t, e->cpu, idle->before_chain, of_before.run);
	idle->before = NULL;
	return true;
}

/* True if the switch is in the chosen span. The times are then cut to the span. */
static bool cut_to_window(const struct timehist_options *o, uint64_t *t, uint64_t *tprev)
{
	if (*t < o->from_ns)
		return false;
	if (*tprev && *tprev < o->from_ns)
		*tprev = o->from_ns;
	if (o->to_ns && (!*tprev || *tprev > o->to_ns))
		return false;
	if (o->to_ns && *t > o->to_ns)
		*t = o->to_ns;
	return true;
}

/* True if the task, or the switch, is filtered out. */
static bool timehist_is_skipped(const struct timehist *t, const struct timehist_task *task,
				const struct sched_event *e)
{
	return task->is_unwanted || !is_chosen_prio(&t->o, e->prio) ||
	       (t->o.idle && e->tid && e->next_tid);
}

static bool is_on_other_cpu(const struct timehist *t, uint32_t cpu)
{
	return t->o.cpus && t->o.cpus->n && !cpu_list_contains(t->o.cpus, cpu);
}

/* Adds the times of a switch to the sums and reports its row. */
static void timehist_tell_switch(struct timehist *t, const struct sched_event *e,
				 struct timehist_task *task, uint64_t time, uint64_t tprev)
{
	struct timehist_row row = { .kind = TIMEHIST_SWITCH,
				    .time_ns = time,
				    .cpu = e->cpu,
				    .task = task,
				    .state = timehist_state_char(e->prev_state, t->o.newer),
				    .event = e };
	struct sched_timehist_times d = { 0 };

	if (t->o.idle && task->is_idle) {
		if (!take_idle(t, e, task, time, tprev, &d))
			return;
	} else if (!t->o.idle) {
		d = times_of(task, time, tprev);
		timehist_model_add_times(task, &d);
	}
	row.wait_ns = d.wait;
	row.delay_ns = d.delay;
	row.run_ns = d.run;
	row.pre_migration_ns = d.pre_migration;
	if (task->is_idle)
		row.state = 'I';
	if (t->o.row)
		t->o.row(t->o.arg, &row);
}

static void timehist_leave(struct timehist *t, const struct sched_event *e,
			   struct timehist_task *task)
{
	task->out_ns = e->time;
	task->out_state = timehist_state_char(e->prev_state, t->o.newer);
	task->woken_ns = t->o.newer && task->out_state == 'R' ? e->time : 0;
	task->moved_ns = 0;
}

static struct timehist_task *leaving_task(struct timehist *t, const struct sched_event *e)
{
	if (!e->current_tid)
		return timehist_task_idle(&t->tasks, e->cpu);
	return timehist_task_get(&t->tasks, (int32_t)e->current_pid, (int32_t)e->current_tid);
}

/* Extends the time of the rows, to which switches that are not shown contribute too. */
static void extend_sums(struct timehist *t, uint64_t time)
{
	if (time < t->o.from_ns || (t->o.to_ns && time > t->o.to_ns))
		return;
	if (!t->sums.first_ns)
		t->sums.first_ns = time;
	t->sums.last_ns = time;
}

static void timehist_take_switch(struct timehist *t, const struct sched_event *e)
{
	struct timehist_task *task;
	uint64_t time = e->time, tprev;
	bool is_inside, skipped;

	if (e->cpu >= CPU_MAX)
		return;
	while (t->switched.n <= e->cpu)
		*ARRAY_ADD(&t->switched) = 0;
	task = leaving_task(t, e);
	tprev = t->switched.items[e->cpu];
	t->switched.items[e->cpu] = e->time;
	if (t->o.idle && !task->is_idle)
		remember_before(t, e, task);
	is_inside = cut_to_window(&t->o, &time, &tprev);
	skipped = timehist_is_skipped(t, task, e);
	extend_sums(t, time);
	t->sums.skipped += skipped;
	if (skipped)
		return;
	if (is_inside && !is_on_other_cpu(t, e->cpu))
		timehist_tell_switch(t, e, task, time, tprev);
	timehist_leave(t, e, task);
}

/* Returns the running task. The idle tasks of all CPUs count as one here. */
static struct timehist_task *current_task(struct timehist *t, const struct sched_event *e)
{
	struct timehist_task *task = timehist_task_get(&t->tasks, (int32_t)e->current_pid,
						       (int32_t)e->current_tid);

	if (!task->tid && !task->comm)
		task->comm = "swapper";
	return task;
}

static bool timehist_is_in_window(const struct timehist_options *o, uint64_t time)
{
	return time >= o->from_ns && (!o->to_ns || time <= o->to_ns);
}

/*
 * Reports the row of a wake-up or migration, if either task is wanted. Migrations are shown
 * whatever their time, as in Linux's perf.
 */
static void tell_other(struct timehist *t, const struct sched_event *e, enum timehist_row_kind kind,
		       struct timehist_task *other)
{
	struct timehist_task *task = current_task(t, e);
	const struct timehist_row row = { .kind = kind,
					  .time_ns = e->time,
					  .cpu = e->cpu,
					  .task = task,
					  .other = other,
					  .event = e };

	if (!t->o.row || t->o.idle ||
	    (kind == TIMEHIST_WAKEUP && !timehist_is_in_window(&t->o, e->time)) ||
	    (task->is_unwanted && other->is_unwanted))
		return;
	t->o.row(t->o.arg, &row);
}

static void timehist_take_wakeup(struct timehist *t, const struct sched_event *e)
{
	struct timehist_task *other = timehist_task_get(&t->tasks, TIMEHIST_NO_PID,
							(int32_t)e->tid);

	if (!other->woken_ns)
		other->woken_ns = e->time;
	tell_other(t, e, TIMEHIST_WAKEUP, other);
}

static void timehist_take_migration(struct timehist *t, const struct sched_event *e)
{
	struct timehist_task *other = timehist_task_get(&t->tasks, TIMEHIST_NO_PID,
							(int32_t)e->tid);

	if (t->o.count_moves)
		other->migrations++;
	if (!other->moved_ns)
		other->moved_ns = e->time;
	tell_other(t, e, TIMEHIST_MIGRATION, other);
}

void timehist_take(struct timehist *t, const struct sched_event *e)
{
	switch (e->kind) {
	case SCHED_SWITCH:
		timehist_take_switch(t, e);
		break;
	case SCHED_WAKING:
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		timehist_take_wakeup(t, e);
		break;
	case SCHED_MIGRATE:
		timehist_take_migration(t, e);
		break;
	default:
		break;
	}
}

const struct timehist_tasks *timehist_tasks(const struct timehist *t)
{
	return &t->tasks;
}

struct timehist_sums timehist_sums(const struct timehist *t)
{
	return t->sums;
}

static int by_cpu_and_time(const void *a, const void *b)
{
	const struct timehist_idle_chain *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->idle_ns != y->idle_ns)
		return x->idle_ns > y->idle_ns ? -1 : 1;
	return x->chain < y->chain ? -1 : x->chain > y->chain;
}

struct timehist_idle_chain *timehist_idle_chains(const struct timehist *t, size_t *ret_n)
{
	struct timehist_idle_chain *all = xcalloc(t->chains.n + 1, sizeof(*all));

	for (size_t i = 0; i < t->chains.n; i++)
		all[i] = t->chains.items[i];
	qsort(all, t->chains.n, sizeof(*all), by_cpu_and_time);
	*ret_n = t->chains.n;
	return all;
}
