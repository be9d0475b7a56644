/* SPDX-License-Identifier: MIT */
#include "profile/wait-times.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/sample-filter.h"

/* The present phase of a thread, as far as it is known. */
enum phase {
	UNSEEN,
	NEW, /* it was forked */
	RUNNING,
	WAITING,
	GONE,
};

struct wait_thread {
	uint32_t id;
	enum phase phase;
	uint64_t since;        /* beginning of RUNNING, WAITING and NEW */
	enum wait_state state; /* for WAITING, with this stack */
	uint32_t stack;
	uint64_t woken; /* 0: not yet */
	uint32_t waker;
	uint32_t any_stack; /* the first known stack; or WAIT_NO_STACK */
	/* Used until a stack is known: the time before the first CPU, and its state. */
	uint64_t early_ns;
	enum wait_state early_state;
	bool is_unbegun; /* it waited before its first known event */
	uint64_t run_ns;
	uint64_t weight; /* the weight of all its CPU samples */
};

void wait_times_init(struct wait_times *w, const struct wait_times_options *o)
{
	*w = (struct wait_times){ .options = *o };
	contexts_init(&w->keys, 3);
}

static void wait_times_free_thread(void *arg, uint64_t key, void *value)
{
	(void)arg;
	(void)key;
	free(value);
}

void wait_times_done(struct wait_times *w)
{
	u64_map_for_each(&w->threads, wait_times_free_thread, NULL);
	u64_map_done(&w->threads);
	contexts_done(&w->keys);
	free(w->times.items);
}

static struct wait_thread *wait_times_thread_of(struct wait_times *w, uint32_t id)
{
	struct wait_thread *t = u64_map_find(&w->threads, id);

	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	*t = (struct wait_thread){ .id = id, .any_stack = WAIT_NO_STACK };
	u64_map_put(&w->threads, id, t);
	return t;
}

static void wait_times_note_time(struct wait_times *w, uint64_t time)
{
	if (!w->begin)
		w->begin = time;
	if (time < w->end)
		w->counts.backwards++;
	else
		w->end = time;
}

/* Returns how much of the time from @from to @to counts. */
static uint64_t wait_times_counted(const struct wait_times *w, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	if (!w->options.n_spans)
		return to > from ? to - from : 0;
	for (size_t i = 0; i < w->options.n_spans; i++) {
		const struct time_span *s = &w->options.spans[i];
		uint64_t begin = from > s->from_ns ? from : s->from_ns;
		uint64_t end = to < s->to_ns ? to : s->to_ns;

		sum += end > begin ? end - begin : 0;
	}
	return sum;
}

static bool counts_at(const struct wait_times *w, uint64_t time)
{
	for (size_t i = 0; i < w->options.n_spans; i++)
		if (time >= w->options.spans[i].from_ns && time <= w->options.spans[i].to_ns)
			return true;
	return !w->options.n_spans;
}

/* Adds time. @waker is the thread's number if it runs. */
static void wait_times_add(struct wait_times *w, uint32_t stack, enum wait_state state,
			   uint32_t waker, uint64_t ns)
{
	const uint64_t key[] = { stack, state, waker };
	uint32_t number;

	if (!ns || stack == WAIT_NO_STACK)
		return;
	number = contexts_add(&w->keys, key);
	if (number == w->times.n)
		*ARRAY_ADD(&w->times) =
			(struct wait_time){ .stack = stack, .state = state, .waker = waker };
	w->times.items[number].ns += ns;
	w->times.items[number].count++;
}

static void add_early(struct wait_times *w, struct wait_thread *t)
{
	if (w->options.with_running)
		wait_times_add(w, t->any_stack, t->early_state, WAIT_NO_STACK, t->early_ns);
	w->counts.unbegun += t->is_unbegun;
	t->early_ns = 0;
	t->is_unbegun = false;
}

static void note_stack(struct wait_times *w, struct wait_thread *t, uint32_t stack)
{
	if (t->any_stack != WAIT_NO_STACK || stack == WAIT_NO_STACK)
		return;
	t->any_stack = stack;
	add_early(w, t);
}

static bool has_fit_length(const struct wait_times *w, uint64_t ns)
{
	return ns >= w->options.min_ns && (!w->options.max_ns || ns <= w->options.max_ns);
}

static void wait_times_end_wait(struct wait_times *w, const struct wait_thread *t, uint64_t time)
{
	uint64_t woken = t->woken ? t->woken : time;

	if (t->stack == WAIT_NO_STACK)
		return;
	if (!has_fit_length(w, time > t->since ? time - t->since : 0)) {
		w->counts.unfit++;
		return;
	}
	w->counts.waits++;
	wait_times_add(w, t->stack, t->state, t->waker, wait_times_counted(w, t->since, woken));
	wait_times_add(w, t->stack, WAIT_RUNNABLE, WAIT_NO_STACK,
		       wait_times_counted(w, woken, time));
}

/*
 * Ends a run. A thread whose first event is that it runs or stops running has run from the
 * beginning.
 */
static void wait_times_end_run(struct wait_times *w, struct wait_thread *t, uint64_t time)
{
	if (t->phase == RUNNING || t->phase == UNSEEN)
		t->run_ns += wait_times_counted(w, t->phase == RUNNING ? t->since : w->begin, time);
}

void wait_times_out(struct wait_times *w, uint32_t thread, uint64_t time, enum wait_state state,
		    uint32_t stack)
{
	struct wait_thread *t = wait_times_thread_of(w, thread);

	wait_times_note_time(w, time);
	if (t->phase == GONE)
		return;
	note_stack(w, t, stack);
	wait_times_end_run(w, t, time);
	w->counts.lost_ends += t->phase == WAITING;
	t->phase = state == WAIT_DEAD ? GONE : WAITING;
	t->since = time;
	t->state = state;
	t->stack = stack;
	t->woken = 0;
	t->waker = WAIT_NO_STACK;
}

bool wait_times_can_wake(const struct wait_times *w, uint32_t thread)
{
	const struct wait_thread *t = u64_map_find(&w->threads, thread);

	return t && t->phase == WAITING && !t->woken && t->state != WAIT_RUNNABLE;
}

void wait_times_wake(struct wait_times *w, uint32_t thread, uint64_t time, uint32_t waker)
{
	struct wait_thread *t = wait_times_thread_of(w, thread);

	wait_times_note_time(w, time);
	if (!wait_times_can_wake(w, thread) || time < t->since)
		return;
	t->woken = time;
	t->waker = waker;
}

/*
 * Ends the time before a thread's first CPU. It counts only if a stack becomes known: other threads
 * were not recorded.
 */
static void end_early(struct wait_times *w, struct wait_thread *t, uint64_t time)
{
	t->is_unbegun = t->phase == UNSEEN;
	t->early_state = t->is_unbegun ? WAIT_FROM_BEFORE : WAIT_FIRST_CPU;
	t->early_ns = wait_times_counted(w, t->is_unbegun ? w->begin : t->since, time);
	if (t->any_stack != WAIT_NO_STACK)
		add_early(w, t);
}

void wait_times_in(struct wait_times *w, uint32_t thread, uint64_t time)
{
	struct wait_thread *t = wait_times_thread_of(w, thread);

	wait_times_note_time(w, time);
	if (t->phase == RUNNING || t->phase == GONE)
		return;
	if (t->phase == WAITING)
		wait_times_end_wait(w, t, time);
	else
		end_early(w, t, time);
	t->phase = RUNNING;
	t->since = time;
}

void wait_times_fork(struct wait_times *w, uint32_t thread, uint64_t time)
{
	struct wait_thread *t = wait_times_thread_of(w, thread);

	wait_times_note_time(w, time);
	t->phase = NEW;
	t->since = time;
}

void wait_times_exit(struct wait_times *w, uint32_t thread, uint64_t time)
{
	struct wait_thread *t = wait_times_thread_of(w, thread);

	wait_times_note_time(w, time);
	wait_times_end_run(w, t, time);
	t->phase = GONE;
}

void wait_times_sample(struct wait_times *w, uint32_t thread, uint64_t time, uint32_t stack,
		       uint64_t weight)
{
	struct wait_thread *t = wait_times_thread_of(w, thread);

	wait_times_note_time(w, time);
	note_stack(w, t, stack);
	if (t->phase == UNSEEN) {
		t->phase = RUNNING;
		t->since = w->begin;
	}
	if (stack == WAIT_NO_STACK || t->phase == GONE || !counts_at(w, time))
		return;
	wait_times_add(w, stack, WAIT_RUNNING, thread, weight);
	t->weight += weight;
}

static void finish_thread(void *arg, uint64_t key, void *value)
{
	struct wait_times *w = arg;
	struct wait_thread *t = value;

	(void)key;
	if (t->phase == WAITING && t->stack != WAIT_NO_STACK) {
		uint64_t waits = w->counts.waits;

		wait_times_end_wait(w, t, w->end);
		w->counts.unended += w->counts.waits - waits;
	}
	if (t->phase == RUNNING)
		wait_times_end_run(w, t, w->end);
	if (w->options.with_running && !t->weight)
		wait_times_add(w, t->any_stack, WAIT_RUNNING_UNSEEN, WAIT_NO_STACK, t->run_ns);
}

/*
 * Returns a part of @whole. Weights of a damaged recording may have overflowed, but a part is never
 * more than the whole.
 */
static uint64_t wait_times_part_of(uint64_t whole, uint64_t weight, uint64_t all)
{
	return weight < all ? (uint64_t)((double)whole * ((double)weight / (double)all)) : whole;
}

/* Replaces the weight of samples by their share of the time that the thread ran. */
static void divide_running(struct wait_times *w)
{
	for (size_t i = 0; i < w->times.n; i++) {
		struct wait_time *time = &w->times.items[i];
		const struct wait_thread *t;

		if (time->state != WAIT_RUNNING)
			continue;
		t = u64_map_find(&w->threads, time->waker);
		time->ns = wait_times_part_of(t->run_ns, time->ns, t->weight);
		time->waker = WAIT_NO_STACK;
	}
}

void wait_times_finish(struct wait_times *w)
{
	u64_map_for_each(&w->threads, finish_thread, w);
	divide_running(w);
}
