/* SPDX-License-Identifier: MIT */
#include "tools/trace/trace-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/consumer.h"
#include "tools/trace/made-stack-model.h"
#include "tools/trace/held-calls-model.h"
#include "tools/trace/open-calls-model.h"

struct trace_model {
	struct trace_choice choice;
	bool may_split; /* calls may be shown in two parts */
	struct trace_tasks *tasks;
	struct trace_sink sink;
	int stop; /* the result with which the sink stopped; it gets nothing more */
	struct open_calls open;
	/*
	 * Without CALL_EVENT_BLOCKED: the last task that began a call. Only this call is
	 * interrupted, when another task begins a call or another event is shown.
	 */
	struct trace_task *current;
	bool expects_stacks;
	struct held_calls held;
	/* For calls whose stacks were unwound where they were made. */
	struct made_stack stack;
	const struct session_event *stack_event; /* that of samples with stacks; NULL: none yet */
};

struct trace_model *trace_model_new(const struct trace_choice *choice, struct trace_tasks *tasks,
				    const struct trace_sink *sink)
{
	struct trace_model *m = xcalloc(1, sizeof(*m));

	m->choice = *choice;
	m->may_split = !choice->min_duration_ns && !choice->only_failures;
	m->tasks = tasks;
	m->sink = *sink;
	return m;
}

void trace_model_free(struct trace_model *m)
{
	if (!m)
		return;
	open_calls_done(&m->open);
	held_calls_done(&m->held);
	made_stack_done(&m->stack);
	free(m);
}

static int trace_give(struct trace_model *m, const struct trace_call *c)
{
	if (!m->stop)
		m->stop = m->sink.call(m->sink.arg, c);
	return m->stop;
}

static uint64_t trace_duration_of(const struct trace_call *c)
{
	return c->exit_ns > c->enter_ns ? c->exit_ns - c->enter_ns : 0;
}

/* True if a call that has ended, and of which nothing was shown yet, is to be shown. */
static bool trace_is_chosen(const struct trace_model *m, const struct trace_call *c)
{
	if (m->choice.min_duration_ns &&
	    (!c->enter_ns || trace_duration_of(c) < m->choice.min_duration_ns))
		return false;
	if (m->choice.only_failures && !trace_call_failed(c))
		return false;
	return !m->choice.wants || m->choice.wants(m->choice.arg, c);
}

/* True if the beginning of a call may be shown before its end is known. */
static bool is_begin_chosen(const struct trace_model *m, const struct trace_call *c)
{
	return m->may_split && (!m->choice.wants || m->choice.wants(m->choice.arg, c));
}

static int trace_release(struct trace_model *m, struct held_call *h,
			 const struct session_sample *s);

/* Shows the beginning of a call that has not ended. */
static int show_begun(struct trace_model *m, struct open_call *o)
{
	struct trace_call *c = &o->kept.call;
	struct held_call *h;
	int r = 0;

	open_calls_no_longer_waits(&m->open, o);
	if (o->is_shown || !o->is_wanted)
		return 0;
	/* Earlier calls of the task whose samples were lost come first. */
	while (!r && (h = held_calls_of_task(&m->held, c->task)))
		r = trace_release(m, h, NULL);
	if (r)
		return r;
	o->is_shown = true;
	c->part = TRACE_CALL_BEGUN;
	return trace_give(m, c);
}

/* Shows the beginnings of waiting calls, because something of @time_ns is about to be shown. */
static int trace_interrupt(struct trace_model *m, uint64_t time_ns)
{
	struct open_call *o;
	int r = 0;

	while (!r && !m->choice.whole && (o = open_calls_waiting(&m->open)) &&
	       o->waits_since_ns <= time_ns)
		r = show_begun(m, o);
	return r;
}

/* Does the same if waiting calls are not reported. */
static int interrupt_current(struct trace_model *m, const struct trace_task *by)
{
	struct trace_task *task = m->current;

	return task && task != by && task->open_call && !m->choice.whole
		       ? show_begun(m, task->open_call)
		       : 0;
}

static int trace_hand_over(struct trace_model *m, const struct trace_call *c)
{
	int r = trace_interrupt(m, c->exit_ns);

	if (!r)
		r = trace_give(m, c);
	trace_task_called(m->tasks, c->task, c);
	return r;
}

/* Passes on the held call @h, with its own stack or that of @s. */
static int trace_release(struct trace_model *m, struct held_call *h, const struct session_sample *s)
{
	struct trace_call *c = &h->kept.call;
	int r;

	c->stack = c->n_frames && m->stack_event ? made_stack_make(&m->stack, c, s, m->stack_event)
						 : s;
	r = trace_hand_over(m, c);
	held_calls_remove(&m->held, h);
	return r;
}

/* Passes on a call that has ended, or keeps it until its stack arrives. */
static int trace_ended(struct trace_model *m, const struct trace_call *c, bool is_shown)
{
	if (!is_shown && !trace_is_chosen(m, c)) {
		trace_task_called(m->tasks, c->task, c);
		return 0;
	}
	if (!m->expects_stacks || c->stack)
		return trace_hand_over(m, c);

	held_calls_add(&m->held, c);
	return held_calls_are_many(&m->held) ? trace_release(m, held_calls_first(&m->held), NULL)
					     : 0;
}

/* Ends a call whose end will not be seen any more. */
static int trace_abandon(struct trace_model *m, struct open_call *o)
{
	int r = show_begun(m, o);

	open_calls_remove(&m->open, o);
	return r;
}

static struct trace_call trace_call_of(const struct call_event *e, struct trace_task *task)
{
	struct trace_call c = {
		.part = TRACE_CALL_WHOLE,
		.task = task,
		.abi = e->abi,
		.cpu = e->cpu,
		.nr = e->nr,
		.desc = e->nr < 0 ? NULL : syscall_find(e->abi, (unsigned)e->nr),
		.has_enter = true,
		.data = e->data,
		.n_data = e->n_data,
		.frames = e->frames,
		.n_frames = e->n_frames,
	};

	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		c.args[i] = e->args[i];
	return c;
}

/* Handles exit(), which is shown when it begins, because it does not end. */
static int no_return(struct trace_model *m, struct trace_call *c)
{
	int r;

	c->part = TRACE_CALL_NO_RETURN;
	r = trace_interrupt(m, c->enter_ns);
	return r ? r : trace_give(m, c);
}

static int forget_open_call(struct trace_model *m, struct trace_task *task)
{
	return task->open_call ? trace_abandon(m, task->open_call) : 0;
}

static int trace_model_begin(struct trace_model *m, const struct call_event *e,
			     struct trace_task *task)
{
	struct trace_call c = trace_call_of(e, task);
	struct open_call *o;
	int r = forget_open_call(m, task);
	bool is_wanted;

	c.enter_ns = e->kind == CALL_EVENT_ENTER || !e->enter_ns ? e->time_ns : e->enter_ns;
	is_wanted = is_begin_chosen(m, &c);
	if (!r && is_wanted)
		r = interrupt_current(m, task);
	if (r)
		return r;
	trace_tasks_revive(m->tasks, task);
	if (!m->choice.tells_blocked && is_wanted)
		m->current = task;
	if (c.desc && c.desc->no_return)
		return is_wanted ? no_return(m, &c) : 0;
	o = open_calls_add(&m->open, &c);
	o->is_wanted = is_wanted;
	if (e->kind == CALL_EVENT_BLOCKED)
		open_calls_waits(&m->open, o, e->time_ns);
	return 0;
}

static int trace_blocked(struct trace_model *m, const struct call_event *e, struct trace_task *task)
{
	struct open_call *o = task->open_call;

	if (!o || (e->nr >= 0 && o->kept.call.nr != e->nr))
		return trace_model_begin(m, e, task);
	if (!o->is_shown)
		open_calls_waits(&m->open, o, e->time_ns);
	return 0;
}

/*
 * True if a new task returns from the call that made it. Some kernels report that (x86_64's),
 * others do not (arm64's). The call belongs to its parent, which alone has begun it.
 */
static bool is_return_of_new_task(const struct trace_call *c)
{
	return !c->result && syscall_makes_task(c->desc);
}

/* Takes the end of a call that began before the trace, or whose beginning was lost. */
static int end_unbegun(struct trace_model *m, const struct call_event *e, struct trace_task *task,
		       const struct session_sample *s)
{
	struct trace_call c = trace_call_of(e, task);

	if (e->nr < 0)
		return 0;
	c.part = TRACE_CALL_CONTINUED;
	c.has_enter = false;
	c.enter_ns = e->enter_ns;
	c.exit_ns = e->time_ns;
	c.result = e->result;
	c.stack = s;
	return is_return_of_new_task(&c) ? 0 : trace_ended(m, &c, false);
}

static int trace_end(struct trace_model *m, const struct call_event *e, struct trace_task *task,
		     const struct session_sample *s)
{
	struct open_call *o = task->open_call;
	struct trace_call c;
	int r;

	/* -1: the kernel has forgotten the number, as in rt_sigreturn(). */
	if (o && e->nr >= 0 && o->kept.call.nr != e->nr) {
		r = trace_abandon(m, o);
		if (r)
			return r;
		o = NULL;
	}
	if (!o)
		return end_unbegun(m, e, task, s);
	open_calls_no_longer_waits(&m->open, o);
	kept_call_add(&o->kept, e->data, e->n_data);
	c = o->kept.call;
	c.part = o->is_shown ? TRACE_CALL_CONTINUED : TRACE_CALL_WHOLE;
	c.cpu = e->cpu;
	c.exit_ns = e->time_ns;
	c.result = e->result;
	c.stack = s;
	c.frames = e->frames;
	c.n_frames = e->n_frames;
	r = trace_ended(m, &c, o->is_shown);
	open_calls_remove(&m->open, o);
	return r;
}

static int trace_whole(struct trace_model *m, const struct call_event *e, struct trace_task *task,
		       const struct session_sample *s)
{
	struct trace_call c = trace_call_of(e, task);
	int r = forget_open_call(m, task);

	c.enter_ns = e->enter_ns;
	c.exit_ns = e->time_ns;
	c.result = e->result;
	c.stack = s;
	task->n_events++;
	return r ? r : trace_ended(m, &c, false);
}

static int task_ended(struct trace_model *m, struct trace_task *task)
{
	int r = forget_open_call(m, task);

	if (m->current == task)
		m->current = NULL;
	trace_tasks_ended(m->tasks, task);
	return r;
}

static int trace_lost(struct trace_model *m, const struct call_event *e)
{
	int r = trace_interrupt(m, e->time_ns);

	if (!r)
		r = interrupt_current(m, NULL);
	if (!r && m->sink.lost)
		r = m->stop = m->sink.lost(m->sink.arg, e->time_ns, e->count);
	return r;
}

int trace_model_event_of(struct trace_model *m, const struct call_event *e,
			 const struct session_sample *s)
{
	struct trace_task *task;

	if (m->stop)
		return m->stop;
	switch (e->kind) {
	case CALL_EVENT_TASK:
		task = trace_tasks_named(m->tasks, e->pid, e->tid, e->comm ? e->comm : "");
		if (e->cgroup)
			task->cgroup = e->cgroup;
		return 0;
	case CALL_EVENT_FORK:
		task = trace_tasks_forked(m->tasks, e->pid, e->tid, e->parent_tid);
		if (e->comm)
			trace_tasks_named(m->tasks, e->pid, e->tid, e->comm);
		return forget_open_call(m, task);
	case CALL_EVENT_LOST:
		return trace_lost(m, e);
	default:
		break;
	}

	task = trace_tasks_get(m->tasks, e->pid, e->tid);
	if (e->cgroup)
		task->cgroup = e->cgroup;
	switch (e->kind) {
	case CALL_EVENT_END:
		return task_ended(m, task);
	case CALL_EVENT_FILE:
		trace_task_opened(m->tasks, task, e->fd, e->fd_path, e->time_ns);
		return 0;
	case CALL_EVENT_BLOCKED:
		return trace_blocked(m, e, task);
	default:
		task->n_events++;
	}
	switch (e->kind) {
	case CALL_EVENT_ENTER:
		return trace_model_begin(m, e, task);
	case CALL_EVENT_EXIT:
		return trace_end(m, e, task, s);
	default:
		return trace_whole(m, e, task, s);
	}
}

int trace_model_event(struct trace_model *m, const struct call_event *e)
{
	return trace_model_event_of(m, e, NULL);
}

/*
 * Interrupts a call for a sample. If waiting calls are not reported, a page fault within a call
 * does not interrupt it, as in Linux's perf.
 */
static int interrupt_for_sample(struct trace_model *m, const struct session_sample *s)
{
	int r = trace_interrupt(m, s->time);

	return r || attr_is_page_fault(&s->event->attr) ? r : interrupt_current(m, NULL);
}

int trace_model_sample(struct trace_model *m, const struct session_sample *s)
{
	const struct sample *sample = s->sample;
	struct trace_task *task = NULL;
	int r;

	if (sample->tid != SAMPLE_NOBODY) {
		task = trace_tasks_get(m->tasks, sample->pid, sample->tid);
		task->n_events++;
	}
	if (m->stop || !m->sink.sample)
		return m->stop;
	r = trace_model_stacks_until(m, s->time);
	if (!r && (!m->choice.shows_sample || m->choice.shows_sample(m->choice.arg, s)))
		r = interrupt_for_sample(m, s);
	if (!r)
		r = m->stop = m->sink.sample(m->sink.arg, s, task);
	return r;
}

void trace_model_expect_stacks(struct trace_model *m)
{
	m->expects_stacks = true;
}

int trace_model_stack(struct trace_model *m, const struct session_sample *s, int32_t nr,
		      int64_t result)
{
	struct held_call *h, *earlier;
	int r = trace_model_stacks_until(m, s->time);

	m->stack_event = s->event;
	h = held_calls_match(&m->held, s->sample->tid, nr, result, s->time);
	if (!h)
		return r;
	while (!r && (earlier = held_calls_of_task(&m->held, h->kept.call.task)) != h)
		r = trace_release(m, earlier, NULL);
	return r ? r : trace_release(m, h, s);
}

int trace_model_stacks_until(struct trace_model *m, uint64_t time_ns)
{
	struct held_call *h;
	int r = m->stop;

	while (!r && (h = held_calls_overdue(&m->held, time_ns)))
		r = trace_release(m, h, NULL);
	return r;
}

int trace_model_finish(struct trace_model *m)
{
	struct open_call *o;
	int r = trace_model_stacks_until(m, UINT64_MAX);

	while (!r && (o = open_calls_first(&m->open)))
		r = trace_abandon(m, o);
	return r;
}
