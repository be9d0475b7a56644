/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the models of the scheduler with events in any order, times that run backwards, and absurd
 * CPUs and threads: the models do not crash and do not leak, and the parts of a critical path add
 * up to its interval.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/sched-event.h"
#include "tools/sched/queue-model.h"
#include "tools/sched/task-times-model.h"
#include "tools/sched/timehist-model.h"
#include "tools/sched/wake-path-model.h"
#include "tools/sched/wakes-model.h"
#include "wire/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each event is made of this many bytes. */
#define EVENT_BYTES 8

static const uint32_t cpus[] = { 0, 1, 2, 300, 65536, UINT32_MAX };

struct models {
	struct timehist *timehist, *idle;
	struct task_times times;
	struct sched_queue queue;
	struct wakes wakes;
};

static void on_row(void *arg, const struct timehist_row *row)
{
	(void)arg;
	if (!row->task || !row->event)
		abort();
}

static struct timehist *new_timehist(bool idle)
{
	return timehist_new(&(struct timehist_options){
		.idle = idle, .newer = !idle, .count_moves = true, .row = on_row });
}

static uint64_t time_of(const uint8_t *b, uint64_t before)
{
	if (b[1] == 255)
		return (uint64_t)b[2] << 56 | b[3];
	return before + b[1] * UINT64_C(1000) - (b[1] & 1 ? 500 : 0);
}

static struct sched_event event_of(const uint8_t *b, uint64_t before)
{
	static const struct sched_comm name = { "a task of some name", 19 };

	return (struct sched_event){ .kind = b[0] % SCHED_KINDS,
				     .time = time_of(b, before),
				     .cpu = cpus[b[2] % (sizeof(cpus) / sizeof(*cpus))],
				     .current_pid = b[3] % 8,
				     .current_tid = b[4] == 255 ? UINT32_MAX : b[4] % 16,
				     .tid = b[5] == 255 ? UINT32_MAX : b[5] % 16,
				     .comm = name,
				     .prev_state = b[6],
				     .state = b[6] % (TASK_STATE_DEAD + 1),
				     .next_tid = b[7] % 16,
				     .next_comm = name,
				     .in_interrupt = b[6] & 64,
				     .target_cpu = cpus[b[7] % (sizeof(cpus) / sizeof(*cpus))] };
}

static void take_record(struct models *m, const uint8_t *b)
{
	static const uint32_t types[] = { PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_COMM };
	struct record r = { .header.type = types[b[1] % 3] };

	if (r.header.type == PERF_RECORD_COMM)
		r.comm = (struct record_comm){ b[3] % 16, b[4] % 16, "name" };
	else
		r.task = (struct record_task){
			.pid = b[3] % 16, .ppid = b[5] % 16, .tid = b[4] % 16, .ptid = b[6] % 16
		};
	timehist_take_record(m->timehist, &r);
	timehist_take_record(m->idle, &r);
	task_times_forget(&m->times, b[4] % 16);
	wakes_forget(&m->wakes, b[4] % 16);
}

static void take_event(struct models *m, const struct sched_event *e)
{
	timehist_take(m->timehist, e);
	timehist_take(m->idle, e);
	task_times_take(&m->times, e);
	sched_queue_take(&m->queue, e);
	wakes_take(&m->wakes, e);
}

static void check_path(const struct wakes *w, uint32_t task)
{
	uint64_t from = w->from_ns ? w->from_ns : w->first_ns, sum = 0;
	struct wake_path p;

	wake_path_make(w, task, from, w->last_ns, 4, true, &p);
	for (size_t i = 0; i < p.steps.n; i++)
		sum += p.steps.items[i].to_ns - p.steps.items[i].from_ns;
	if (w->last_ns > from && sum != w->last_ns - from)
		abort();
	wake_path_done(&p);
}

static void ask(struct models *m)
{
	size_t n;

	free(timehist_idle_chains(m->idle, &n));
	free(task_times_sorted(&m->times, &n));
	free(wakes_edges(&m->wakes, &n));
	for (uint32_t i = 0; i < m->wakes.tasks.n; i++)
		check_path(&m->wakes, i);
	sched_queue_end(&m->queue);
	for (size_t i = 0; i < sched_queue_intervals(&m->queue); i++)
		queue_line_interval(&m->queue, &m->queue.all, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct models m = { .timehist = new_timehist(false), .idle = new_timehist(true) };
	uint64_t time = 1000000;

	if (size)
		m.wakes.from_ns = data[0] * UINT64_C(100000);
	sched_queue_init(&m.queue, &(struct queue_options){ .max_intervals = 16 });
	for (; size >= EVENT_BYTES; data += EVENT_BYTES, size -= EVENT_BYTES) {
		struct sched_event e = event_of(data, time);

		time = e.time;
		if (data[0] == 255)
			take_record(&m, data);
		else
			take_event(&m, &e);
	}
	ask(&m);
	timehist_free(m.timehist);
	timehist_free(m.idle);
	task_times_done(&m.times);
	sched_queue_done(&m.queue);
	wakes_done(&m.wakes);
	return 0;
}
