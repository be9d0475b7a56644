/* SPDX-License-Identifier: MIT */
#include "tools/data/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/profile.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/sched-event.h"
#include "session/trace-machine.h"
#include "symbol/symbol.h"
#include "tracepoint/plan.h"
#include "wire/record.h"
#include "wire/sample.h"

struct timeline_feed {
	struct timeline t;
	const struct timeline_writer *writer;
	void *arg; /* the writer's object */
	struct profile *profile;
	struct sched_events sched;
	bool has_sched; /* switches come from tracepoints, so records of them are ignored */
	struct trace_machine *machine;
	struct text text;
	struct diag *diag;
};

static uint32_t timeline_find_task(struct timeline *t, uint32_t pid, uint32_t tid, uint64_t time)
{
	uint64_t key = (uint64_t)pid << 32 | tid;
	uintptr_t number = (uintptr_t)u64_map_find(&t->task_numbers, key);
	struct timeline_task *task;

	if (!number) {
		*ARRAY_ADD(&t->tasks) =
			(struct timeline_task){ .pid = pid, .tid = tid, .first = time };
		number = t->tasks.n;
		u64_map_put(&t->task_numbers, key, (void *)number);
		u64_map_put(&t->threads, tid, (void *)number);
	}
	task = &t->tasks.items[number - 1];
	task->comm = machine_comm(t->session, pid, tid, time);
	task->last = time;
	return (uint32_t)(number - 1);
}

static void timeline_note_time(struct timeline *t, uint64_t time)
{
	if (!t->first || time < t->first)
		t->first = time;
	if (time > t->last)
		t->last = time;
}

/* Returns the time. A sum of waits has no time of its own: it is passed on after all others. */
static uint64_t timeline_time_of(const struct timeline *t, const struct session_sample *s)
{
	return s->time == SAMPLE_TIME_SUM ? t->last : s->time;
}

static int timeline_on_begin(void *arg, struct consumer *c)
{
	struct timeline_feed *f = arg;
	int r = profile_begin(f->profile, f->diag);

	if (r < 0)
		return r;
	f->t.session = f->profile->session;
	stack_table_init(&f->t.stacks, f->profile->env.frames, f->t.src->settings->lines);
	sched_events_bind(&f->sched, f->profile->session, 0);
	f->has_sched = f->sched.has[SCHED_SWITCH];
	f->machine = trace_machine_new(f->profile->session);
	f->arg = f->writer->begin(&f->t, f->t.src);
	if (f->has_sched || !f->writer->switched)
		c->types = 0;
	return 0;
}

/* Returns the thread of that tid that occurred last; otherwise one whose process is not known. */
static uint32_t timeline_find_thread(struct timeline_feed *f, uint32_t tid, uint64_t time)
{
	uintptr_t number = (uintptr_t)u64_map_find(&f->t.threads, tid);

	return timeline_find_task(&f->t, number ? f->t.tasks.items[number - 1].pid : tid, tid,
				  time);
}

static char timeline_letter_of(enum task_state state)
{
	static const char letters[] = {
		[TASK_STATE_RUNNABLE] = 'R', [TASK_STATE_SLEEPING] = 'S',
		[TASK_STATE_BLOCKED] = 'D',  [TASK_STATE_STOPPED] = 'T',
		[TASK_STATE_DEAD] = 'X',
	};

	return letters[state];
}

static void hand_switch(struct timeline_feed *f, const struct session_sample *s)
{
	struct sched_event e;
	struct timeline_switch sw;

	if (!f->writer->switched || !sched_event_read(&f->sched, s, &e) || e.kind != SCHED_SWITCH)
		return;
	sw = (struct timeline_switch){
		.time = s->time,
		.task = timeline_find_thread(f, e.tid, s->time),
		.cpu = e.cpu,
		.state = timeline_letter_of(e.state),
	};
	f->writer->switched(f->arg, &sw);
	sw.comes = true;
	sw.task = timeline_find_thread(f, e.next_tid, s->time);
	f->writer->switched(f->arg, &sw);
}

static const char *timeline_text_of(struct timeline_feed *f, const struct session_sample *s)
{
	if (!f->writer->wants_text || !s->event->plan || !s->sample->raw)
		return NULL;
	text_clear(&f->text);
	tracepoint_plan_print(s->event->plan, trace_machine_get(f->machine), s->sample->raw,
			      s->sample->raw_size, &f->text);
	return f->text.chars;
}

static const struct timeline_place nowhere = { .image = CODE_NONE, .function = CODE_NONE };

static struct timeline_place timeline_place_at(struct timeline_feed *f, const struct location *loc)
{
	struct timeline_place at = { .offset = loc->sym ? loc->image_addr - loc->sym->start : 0 };

	code_table_place(&f->t.stacks.code, loc, &at.image, &at.function);
	return at;
}

static struct timeline_place timeline_place_of(struct timeline_feed *f,
					       const struct session_sample *s)
{
	const struct sample *p = s->sample;
	struct location loc;

	if (!f->writer->wants_places ||
	    !machine_resolve(f->t.session, p->pid, address_mode_of(p->misc), p->ip, s->time, &loc))
		return nowhere;
	return timeline_place_at(f, &loc);
}

static struct timeline_place timeline_target_of(struct timeline_feed *f,
						const struct session_sample *s)
{
	const struct session *session = f->t.session;
	const struct sample *p = s->sample;
	struct location loc;

	if (!f->writer->wants_places || !attr_addr_has_symbols(&s->event->attr))
		return nowhere;
	if (!machine_resolve(session, p->pid, address_mode_of(p->misc), p->addr, s->time, &loc) &&
	    !machine_resolve(session, p->pid, ADDRESS_USER, p->addr, s->time, &loc))
		return nowhere;
	return timeline_place_at(f, &loc);
}

static void timeline_hand_sample(struct timeline_feed *f, const struct session_sample *s)
{
	struct collector *c = f->profile->collector;
	bool left_out, has_cpu = s->event->attr.sample_type & PERF_SAMPLE_CPU;
	uint64_t time = timeline_time_of(&f->t, s);
	uint32_t node = collector_place(c, s, &left_out);
	const struct stacks *stacks = &collector_tally(c, s->event->index)->stacks;

	if (left_out)
		return;
	timeline_note_time(&f->t, time);
	f->t.n_samples++;
	f->writer->sample(
		f->arg,
		&(struct timeline_sample){
			.event = s->event,
			.sample = s,
			.time = time,
			.period = s->period,
			.task = timeline_find_task(&f->t, s->sample->pid, s->sample->tid, time),
			.stack = node == STACK_NONE ? CODE_NONE
						    : stack_table_add(&f->t.stacks, s->event->index,
								      stacks, node),
			.cpu = has_cpu ? (int64_t)s->sample->cpu : -1,
			.text = timeline_text_of(f, s),
			.place = timeline_place_of(f, s),
			.target = timeline_target_of(f, s),
		});
	if (f->has_sched)
		hand_switch(f, s);
}

static int timeline_on_samples(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		timeline_hand_sample(arg, &b->items[i]);
	return 0;
}

static int timeline_on_records(void *arg, const struct record_batch *b)
{
	struct timeline_feed *f = arg;

	for (size_t i = 0; i < b->n; i++) {
		const struct delivered *d = &b->items[i];
		struct record r;
		uint16_t misc;

		if (session_decode_record(f->profile->session, d, &r) < 0)
			continue;
		misc = r.header.misc;
		timeline_note_time(&f->t, d->time);
		f->writer->switched(
			f->arg,
			&(struct timeline_switch){
				.time = d->time,
				.task = timeline_find_task(&f->t, r.id.pid, r.id.tid, d->time),
				.cpu = r.id.cpu,
				.comes = !(misc & PERF_RECORD_MISC_SWITCH_OUT),
				.state = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? 'R' : 'S',
			});
	}
	return 0;
}

static void feed_done(struct timeline_feed *f)
{
	if (f->arg)
		f->writer->free(f->arg);
	if (f->t.session) {
		stack_table_done(&f->t.stacks);
		sched_events_done(&f->sched);
	}
	trace_machine_free(f->machine);
	text_done(&f->text);
	free(f->t.tasks.items);
	u64_map_done(&f->t.task_numbers);
	u64_map_done(&f->t.threads);
}

int timeline_write(const struct timeline_writer *w, const struct export_source *src,
		   uint64_t *ret_samples, struct diag *diag)
{
	_cleanup_(feed_done) struct timeline_feed f = { .t = { .src = src },
							.writer = w,
							.profile = src->profile,
							.text = TEXT_EMPTY,
							.diag = diag };
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.filter = src->profile->filter,
		.begin = timeline_on_begin,
		.samples = timeline_on_samples,
		.types = RECORD_TYPE_BIT(PERF_RECORD_SWITCH) |
			 RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE),
		.records = timeline_on_records,
		.arg = &f,
	};
	int r = session_feed(src->profile->session, NULL, &consumer, diag);

	if (r >= 0)
		r = w->end(f.arg, diag);
	if (r >= 0)
		*ret_samples = f.t.n_samples;
	return r;
}

const char *timeline_line_name(const struct timeline *t, const struct code_location *l, uint32_t i,
			       char room[TIMELINE_NAME_MAX])
{
	const struct code_table *c = &t->stacks.code;

	if (l->n_lines)
		return c->functions.items[c->lines.items[l->first_line + i].function].name;
	snprintf(room, TIMELINE_NAME_MAX, "0x%" PRIx64, l->addr);
	return room;
}

void stack_table_init(struct stack_table *t, const struct frames *frames, bool with_lines)
{
	*t = (struct stack_table){ 0 };
	code_table_init(&t->code, frames, with_lines);
	contexts_init(&t->items, 2);
}

void stack_table_done(struct stack_table *t)
{
	code_table_done(&t->code);
	contexts_done(&t->items);
	for (size_t i = 0; i < t->n_memos; i++)
		free(t->memos[i].of_node);
	free(t->memos);
	free(t->nodes.items);
}

/* Returns the memo of @event, which can hold @n nodes. */
static struct stack_memo *memo_of(struct stack_table *t, size_t event, size_t n)
{
	struct stack_memo *m;

	if (event >= t->n_memos) {
		t->memos = xrealloc(t->memos, (event + 1) * sizeof(*t->memos));
		memset(t->memos + t->n_memos, 0, (event + 1 - t->n_memos) * sizeof(*t->memos));
		t->n_memos = event + 1;
	}
	m = &t->memos[event];
	if (n > m->n) {
		size_t room = n + n / 2;

		m->of_node = xrealloc(m->of_node, room * sizeof(*m->of_node));
		memset(m->of_node + m->n, 0, (room - m->n) * sizeof(*m->of_node));
		m->n = room;
	}
	return m;
}

uint32_t stack_table_add(struct stack_table *t, size_t event, const struct stacks *s, uint32_t node)
{
	struct stack_memo *m = memo_of(t, event, s->n);
	uint32_t at = code_sampled_node(s, node), stack = 0;

	/* This goes outwards, up to a known node, and then inwards. */
	t->nodes.n = 0;
	while (at != STACK_NONE && !m->of_node[at]) {
		*ARRAY_ADD(&t->nodes) = at;
		code_table_location(&t->code, s, at, &at);
	}
	if (at != STACK_NONE)
		stack = m->of_node[at];
	while (t->nodes.n) {
		uint32_t caller, here = t->nodes.items[--t->nodes.n];
		const uint64_t key[] = { stack, code_table_location(&t->code, s, here, &caller) };

		stack = contexts_add(&t->items, key) + 1;
		m->of_node[here] = stack;
	}
	return stack ? stack - 1 : CODE_NONE;
}

uint32_t stack_caller(const struct stack_table *t, uint32_t stack)
{
	uint64_t caller = contexts_get(&t->items, stack)[0];

	return caller ? (uint32_t)(caller - 1) : CODE_NONE;
}

uint32_t stack_location(const struct stack_table *t, uint32_t stack)
{
	return (uint32_t)contexts_get(&t->items, stack)[1];
}
