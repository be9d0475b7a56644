/* SPDX-License-Identifier: MIT */
#include "measure/record-stacks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "bpf/stack-sample.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "wire/sample.h"

/* The fields of a sample that the program fills. For DATA_SRC it says that nothing is known. */
#define SAMPLE_FIELDS                                                                              \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |                      \
	 PERF_SAMPLE_STACK_USER | PERF_SAMPLE_DATA_SRC)

/* The kernel's PERF_MEM_NA: each part of the word says that it is not available. */
#define DATA_SRC_NONE 0x68100142

#define KERNEL_FRAMES_MAX 127

struct record_stacks {
	struct stack_samples *samples;
	const struct record_job *job;
	struct u64_map by_id; /* struct event */
	struct bytes record, chain;
	const struct record_taker *to;
	struct runtime_addresses frames; /* the user's, with those of interpreted functions */
};

void record_stacks_free(struct record_stacks *s)
{
	if (!s)
		return;
	stack_samples_free(s->samples);
	u64_map_done(&s->by_id);
	bytes_done(&s->record);
	bytes_done(&s->chain);
	free(s->frames.items);
	free(s);
}

/* Finds the ids of the events, which are known only once the rings are mapped. */
static void find_ids(struct record_stacks *s)
{
	const struct opened_events *es = &s->job->opened;

	for (size_t i = 0; i < es->n; i++)
		for (size_t k = 0; es->items[i].ids && k < opened_event_places(&es->items[i]); k++)
			if (es->items[i].ids[k])
				u64_map_put(&s->by_id, es->items[i].ids[k], es->items[i].event);
}

static const struct event *record_stacks_event_of(struct record_stacks *s, uint64_t id)
{
	if (!s->by_id.n)
		find_ids(s);
	return u64_map_find(&s->by_id, id);
}

static struct words record_stacks_chain_of(struct record_stacks *s, const struct stack_sample *from,
					   const uint64_t *frames)
{
	struct bytes *room = &s->chain;

	room->n = 0;
	if (from->n_kernel) {
		bytes_u64(room, PERF_CONTEXT_KERNEL);
		bytes_add(room, frames, from->n_kernel * sizeof(frames[0]));
	}
	if (s->frames.n) {
		bytes_u64(room, PERF_CONTEXT_USER);
		bytes_add(room, s->frames.items, s->frames.n * sizeof(s->frames.items[0]));
	}
	return (struct words){ .bytes = room->data, .n = room->n / sizeof(uint64_t) };
}

/* Sets the user's frames of @from. */
static int record_stacks_set_frames(struct record_stacks *s, const struct stack_sample *from,
				    const uint64_t *frames, const struct event *e)
{
	const struct sample_id id = { .pid = from->pid,
				      .tid = from->tid,
				      .time = from->time,
				      .id = from->id,
				      .stream_id = from->stream_id,
				      .cpu = from->cpu };

	return record_interpreted_translate(s->job->functions, RUNTIME_STACKS_SAMPLES, &id,
					    &e->attr, frames, from->n_user, s->to, &s->frames);
}

static int record_stacks_take_sample(void *arg, const struct stack_sample *from,
				     const uint64_t *frames)
{
	struct record_stacks *s = arg;
	const struct event *e = record_stacks_event_of(s, from->id);
	int r = e ? record_stacks_set_frames(s, from, frames + from->n_kernel, e) : 0;
	bool is_interpreted = !from->n_kernel && from->n_user && RUNTIME_IS_FRAME(frames[0]) &&
			      s->frames.n;
	const struct sample sample = {
		.misc = (uint16_t)from->misc,
		.id = from->id,
		.ip = is_interpreted ? s->frames.items[0] : from->ip,
		.pid = from->pid,
		.tid = from->tid,
		.time = from->time,
		.addr = from->addr,
		.stream_id = from->stream_id,
		.cpu = from->cpu,
		.period = from->period,
		.chain = record_stacks_chain_of(s, from, frames),
		.data_src = DATA_SRC_NONE,
	};

	s->record.n = 0;
	if (r < 0 || !e || sample_encode(&sample, &e->attr, &s->record) < 0)
		return r;
	return s->to->take(s->to->arg, s->record.data, s->record.n);
}

static int record_stacks_drain(void *arg, bool file_ends, const struct record_taker *to)
{
	struct record_stacks *s = arg;

	(void)file_ends;
	s->to = to;
	return stack_samples_read(s->samples, record_stacks_take_sample, s);
}

/* Returns why the stacks of all events must be copied; NULL: they need not be. */
static const char *record_stacks_obstacle(const struct record_job *j)
{
	const struct clock_choice *clock = &j->sampling.rq.sample.clock;

	if (clock->given && clock->id != CLOCK_MONOTONIC)
		return "programs in the kernel have only the clock CLOCK_MONOTONIC (-k mono)";
	if (j->rq->buffer.overwrite)
		return "with --overwrite all records have to be in one buffer";
	return NULL;
}

/* True if a sample of @e has fields that the program cannot fill. */
static bool record_stacks_has_more(const struct event *e)
{
	return e->attr.sample_type & ~(uint64_t)SAMPLE_FIELDS;
}

/* True if stacks of @e are to be unwound here. */
static bool record_stacks_has(const struct record_job *j, const struct event *e)
{
	const char *elsewhere = j->rq->sampling.callgraph.unwound_elsewhere;

	return e->attr.sample_type & PERF_SAMPLE_STACK_USER &&
	       !(elsewhere && e->name && !strncmp(e->name, elsewhere, strlen(elsewhere)));
}

/* True if all stacks are the business of another program. */
static bool record_stacks_are_elsewhere(const struct record_job *j)
{
	if (!j->rq->sampling.callgraph.unwound_elsewhere)
		return false;
	for (size_t i = 0; i < j->opened.n; i++)
		if (record_stacks_has(j, j->opened.items[i].event))
			return false;
	return true;
}

static int attach_event(struct stack_samples *s, const struct opened_event *e, struct diag *diag)
{
	int r = 0;

	if (record_stacks_has_more(e->event))
		return diag_set(diag, -EOPNOTSUPP,
				"its samples have more than programs in the kernel can tell");
	if (e->event->attr.precise_ip)
		return diag_set(diag, -EOPNOTSUPP,
				"of a precise event (:p) the kernel gives programs no stack");
	for (size_t i = 0; i < opened_event_places(e) && r >= 0; i++)
		if (e->fds[i] >= 0)
			r = stack_samples_attach(s, e->fds[i], e->event->name, diag);
	return r;
}

static void record_stacks_attach(struct record_job *j, struct stack_samples *s)
{
	for (size_t i = 0; i < j->opened.n; i++) {
		const struct opened_event *e = &j->opened.items[i];
		_cleanup_(diag_done) struct diag why = { 0 };

		if (record_stacks_has(j, e->event) && attach_event(s, e, &why) < 0)
			notes_add(j->notes, NOTE_WARNING, "stacks of %s are copied: %s",
				  e->event->name, why.message);
	}
}

static int open_samples(const struct record_job *j, struct stack_samples **ret, struct diag *diag)
{
	const struct callgraph_request *c = &j->rq->sampling.callgraph;
	const struct stack_samples_request rq = {
		.no_kernel = c->user_only,
		.is_test = c->choice.check,
		.max_kernel = KERNEL_FRAMES_MAX,
		.functions = j->functions,
	};
	const char *why = record_stacks_obstacle(j);

	return why ? diag_set(diag, -EOPNOTSUPP, "%s", why) : stack_samples_open(&rq, ret, diag);
}

void record_stacks_start(struct record_job *j)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	struct stack_samples *samples;

	if (j->rq->sampling.callgraph.choice.mode != CALLGRAPH_BPF ||
	    record_stacks_are_elsewhere(j))
		return;
	if (open_samples(j, &samples, &why) < 0) {
		notes_add(j->notes, NOTE_WARNING,
			  "stacks are copied instead of unwound in the "
			  "kernel: %s",
			  why.message);
		return;
	}
	j->stacks = xcalloc(1, sizeof(*j->stacks));
	*j->stacks = (struct record_stacks){ .samples = samples, .job = j };
	record_stacks_attach(j, samples);
	record_job_add_source(j, (struct record_source){ .fd = stack_samples_fd(samples),
							 .drain = record_stacks_drain,
							 .arg = j->stacks });
}

/* The reasons for which stacks were copied after all. */
static const char *const copied[UNWIND_RESULTS] = {
	[UNWIND_NO_USER] = "of 32-bit code or of the kernel alone",
	[UNWIND_NO_TABLES] = "before the rules were loaded",
	[UNWIND_NO_IMAGE] = "with code of no file (JIT)",
	[UNWIND_NEEDS_MORE] = "with code whose rules take more",
	[UNWIND_UNREADABLE] = "with memory that was not there",
	[UNWIND_TOO_DEEP] = "too deep",
	[UNWIND_CHANGED] = "while tables were emptied",
	[UNWIND_NO_ROOM] = "without room in the buffer",
	[UNWIND_NO_TASK] = "of another namespace",
};

static void add_reasons(struct text *t, const struct unwind_tables_facts *f)
{
	for (size_t i = 0; i < UNWIND_RESULTS; i++)
		if (copied[i] && f->results[i])
			text_addf(t, ", %" PRIu64 " %s", f->results[i], copied[i]);
}

static void add_facts(struct unwind_tables_facts *to, const struct unwind_tables_facts *f)
{
	for (size_t i = 0; i < UNWIND_RESULTS; i++)
		to->results[i] += f->results[i];
	for (size_t i = 0; i < RUNTIME_KINDS; i++)
		for (size_t k = 0; k < RUNTIME_RESULTS; k++)
			to->runtime[i][k] += f->runtime[i][k];
	to->emptied += f->emptied;
	to->bytes = to->bytes > f->bytes ? to->bytes : f->bytes;
}

void record_stacks_count(struct record_job *j, const struct unwind_tables_facts *f)
{
	if (!j->more_stacks)
		j->more_stacks = xcalloc(1, sizeof(*j->more_stacks));
	add_facts(j->more_stacks, f);
}

/* Reads the results of all programs. False: there are none. */
static bool record_stacks_facts(const struct record_job *j, struct unwind_tables_facts *ret)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	bool any = j->stacks && stack_samples_facts(j->stacks->samples, ret, &ignored) >= 0;

	if (!any)
		*ret = (struct unwind_tables_facts){ 0 };
	if (j->more_stacks)
		add_facts(ret, j->more_stacks);
	return any || j->more_stacks;
}

void record_stacks_tell(const struct record_job *j)
{
	_cleanup_(text_done) struct text parts = TEXT_EMPTY;
	struct unwind_tables_facts f;
	uint64_t n, all = 0;

	if (!record_stacks_facts(j, &f))
		return;
	n = f.results[UNWIND_DONE] - f.results[UNWIND_NO_ROOM];
	for (size_t i = 0; i < UNWIND_RESULTS; i++)
		all += i == UNWIND_NO_ROOM ? 0 : f.results[i];
	if (!all)
		return;
	if (all > n)
		text_addf(&parts, "; %" PRIu64 " were copied", all - n);
	add_reasons(&parts, &f);
	notes_add(j->notes, NOTE_STATUS,
		  "[ perf %s: Unwound %" PRIu64 " of %" PRIu64 " stacks in the kernel%s ]",
		  j->command, n, all, parts.chars);
	record_interpreted_tell(j, f.runtime);
	if (f.emptied)
		notes_add(j->notes, NOTE_WARNING,
			  "the rules of all code did not fit the kernel's tables (%" PRIu64
			  " KB), which were emptied and filled again %" PRIu64 " times",
			  f.bytes / 1024, f.emptied);
}
