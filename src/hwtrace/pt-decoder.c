/* SPDX-License-Identifier: MIT */
/*
 * Makes samples from Intel PT: a stream joins adjacent pieces of its queue, pt-flow.h follows the
 * program through them, and pt-samples.h makes samples.
 */
#include "hwtrace/pt-decoder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "hwtrace/decoder.h"
#include "hwtrace/intel-pt-info.h"
#include "hwtrace/pt-code.h"
#include "hwtrace/pt-flow.h"
#include "hwtrace/pt-samples.h"
#include "hwtrace/traced-stack.h"

/* The distance between the ids of synthesised events and those of the kernel. */
#define ID_DISTANCE 1000000000

#define CONFIG_POWER 0x10 /* the term pwr_evt */

#define ERROR_TYPE_INSTRUCTIONS 1

#define SAMPLES_INHERIT                                                                            \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |                    \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
	uint64_t sample_type; /* in addition to the bits of all events */
} kinds[PT_EVENTS] = {
	[PT_EVENT_BRANCHES] = { "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
				PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR },
	[PT_EVENT_INSTRUCTIONS] = { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
				    PERF_SAMPLE_PERIOD },
	[PT_EVENT_TRANSACTIONS] = { "transactions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
				    0 },
	[PT_EVENT_PTWRITE] = { "ptwrite", AUX_TYPE_SYNTHETIC, 0, PERF_SAMPLE_RAW },
	[PT_EVENT_MWAIT] = { "mwait", AUX_TYPE_SYNTHETIC, 1, PERF_SAMPLE_RAW },
	[PT_EVENT_PWRE] = { "pwre", AUX_TYPE_SYNTHETIC, 2, PERF_SAMPLE_RAW },
	[PT_EVENT_EXSTOP] = { "exstop", AUX_TYPE_SYNTHETIC, 3, PERF_SAMPLE_RAW },
	[PT_EVENT_PWRX] = { "pwrx", AUX_TYPE_SYNTHETIC, 4, PERF_SAMPLE_RAW },
	[PT_EVENT_CBR] = { "cbr", AUX_TYPE_SYNTHETIC, 5, PERF_SAMPLE_RAW },
	[PT_EVENT_PSB] = { "psb", AUX_TYPE_SYNTHETIC, 6, PERF_SAMPLE_RAW },
};

#define NOT_WANTED SIZE_MAX

struct pt_decoder {
	struct aux_decoder base;
	struct aux_host host;
	struct time_conversion time;
	bool has_left_out; /* a letter of --itrace that is not implemented */
	struct pt_sampler_setup sampler;
	struct pt_flow_setup flow;
	size_t chain_size, last_size; /* for samples; 0: none */
	size_t events[PT_EVENTS];     /* indices into base.events, or NOT_WANTED */
	uint64_t ids[PT_EVENTS];
};

struct pt_thread {
	uint32_t tid;
	struct traced_stack stack;
};

struct pt_stream {
	struct aux_stream base;
	size_t next_piece;
	uint8_t *joined; /* bytes of several pieces */
	struct pt_flow *flow;
	struct pt_sampler sampler;
	struct pt_code code;
	const struct pt_sample *found;
	uint64_t time; /* the latest time so far, in ticks */
	struct aux_task task;
	bool has_task; /* the task is that at `time` */
	struct {
		struct pt_thread *items;
		size_t n, room;
	} threads;
	size_t thread;   /* index of the thread of `task` */
	uint64_t *chain; /* call chain of the sample that was taken */
	uint64_t *last;  /* last branches of that sample */
};

static bool pt_decoder_wants(const struct itrace *o, enum pt_event e, uint64_t config)
{
	switch (e) {
	case PT_EVENT_BRANCHES:
		return o->branches;
	case PT_EVENT_INSTRUCTIONS:
		return o->instructions;
	case PT_EVENT_TRANSACTIONS:
		return o->transactions;
	case PT_EVENT_PTWRITE:
		return o->ptwrites;
	case PT_EVENT_CBR:
	case PT_EVENT_PSB:
		return o->power;
	default:
		return o->power && (config & CONFIG_POWER);
	}
}

static char *pt_decoder_name_of(enum pt_event e, const struct attr *a)
{
	bool counts = kinds[e].type == PERF_TYPE_HARDWARE && e != PT_EVENT_TRANSACTIONS;

	return counts ? aux_event_name(kinds[e].name, a) : xstrdup(kinds[e].name);
}

static struct attr attr_like(const struct pt_decoder *d, const struct attr *recorded,
			     enum pt_event e, bool per_cpu)
{
	struct attr a = {
		.type = kinds[e].type,
		.size = recorded->size,
		.config = kinds[e].config,
		.sample_period = 1,
		.sample_type = (recorded->sample_type & SAMPLES_INHERIT) | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | kinds[e].sample_type,
		.exclude_user = recorded->exclude_user,
		.exclude_kernel = recorded->exclude_kernel,
		.exclude_hv = recorded->exclude_hv,
		.exclude_host = recorded->exclude_host,
		.exclude_guest = recorded->exclude_guest,
		.sample_id_all = recorded->sample_id_all,
		.read_format = recorded->read_format,
	};

	if (d->base.timeless)
		a.sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
	else
		a.sample_type |= PERF_SAMPLE_TIME;
	if (!per_cpu)
		a.sample_type &= ~(uint64_t)PERF_SAMPLE_CPU;
	if (e == PT_EVENT_BRANCHES)
		return a;
	if (d->chain_size)
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (d->last_size) {
		a.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX;
	}
	return a;
}

static void pt_decoder_add_events(struct pt_decoder *d, const struct itrace *o,
				  const struct aux_event *recorded, bool per_cpu)
{
	uint64_t id = recorded->id + ID_DISTANCE;

	for (enum pt_event e = 0; e < PT_EVENTS; e++) {
		struct attr attr = attr_like(d, &recorded->attr, e, per_cpu);
		_cleanup_(freep) char *name = pt_decoder_name_of(e, &attr);

		d->events[e] = NOT_WANTED;
		d->sampler.wanted[e] = pt_decoder_wants(o, e, recorded->attr.config);
		if (!d->sampler.wanted[e])
			continue;
		if (e == PT_EVENT_INSTRUCTIONS)
			attr.sample_period = d->sampler.period;
		d->ids[e] = id ? id : 1;
		d->events[e] = aux_decoder_add_event(&d->base, name, &attr, d->ids[e]);
		id = d->ids[e] + 1;
	}
}

static void set_period(struct pt_decoder *d, const struct itrace *o)
{
	uint64_t period = o->period;

	if (o->unit == ITRACE_NANOSECONDS && d->time.mult)
		period = (uint64_t)(((unsigned __int128)period << (d->time.shift & 63)) /
				    d->time.mult);
	d->sampler.period = period;
	d->sampler.in_ticks = o->unit != ITRACE_INSTRUCTIONS;
}

static void set_sampler(struct pt_decoder *d, const struct itrace *o, const struct pt_info *info)
{
	d->sampler.calls_only = o->calls;
	d->sampler.returns_only = o->returns;
	d->sampler.errors = o->errors;
	d->sampler.overflow_errors = !(o->error_flags.minus >> ('o' - 'a') & 1);
	d->sampler.skip = o->skip;
	d->sampler.max_ratio = (uint32_t)info->word[PT_INFO_MAX_RATIO];
	if (d->time.mult)
		d->sampler.tsc_khz =
			(uint32_t)((UINT64_C(1000000) << (d->time.shift & 31)) / d->time.mult);
	set_period(d, o);
}

static void pt_decoder_set_flow(struct pt_decoder *d, const struct aux_setup *setup,
				const struct pt_info *info, uint64_t config)
{
	uint64_t bits = info->word[PT_INFO_MTC_FREQ_BITS];
	unsigned family = 0, model = 0, stepping = 0;

	d->flow = (struct pt_flow_setup){
		.tsc_ctc_n = (uint32_t)info->word[PT_INFO_TSC_CTC_N],
		.tsc_ctc_d = (uint32_t)info->word[PT_INFO_TSC_CTC_D],
		.mtc_frequency = bits ? (uint8_t)((config & bits) >> __builtin_ctzll(bits)) : 0,
		.nominal_ratio = (uint8_t)info->word[PT_INFO_MAX_RATIO],
	};
	if (setup->cpuid &&
	    sscanf(setup->cpuid, "GenuineIntel,%u,%u,%u", &family, &model, &stepping) == 3) {
		d->flow.family = (uint16_t)family;
		d->flow.model = (uint8_t)model;
		d->flow.stepping = (uint8_t)stepping;
	}
}

/*
 * Returns the options. A profile is made from instructions with their callers, not from every
 * branch.
 */
static struct itrace pt_decoder_options_of(const struct aux_setup *setup)
{
	struct itrace o = setup->options;

	if (o.for_profile) {
		o.branches = false;
		o.call_chain = true;
	}
	return o;
}

static bool pt_decoder_leaves_out(const struct itrace *o)
{
	return o->quick || o->approximate_ipc || o->log || o->add_call_chain || o->add_last_branch;
}

static int open_pt(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag)
{
	struct itrace options = pt_decoder_options_of(setup);
	const struct aux_event *recorded;
	struct pt_decoder *d;
	struct pt_info info;
	int r;

	r = pt_flow_check(diag);
	if (r < 0)
		return r;
	if (pt_info_read(&setup->words, &info) < 0)
		return diag_set(diag, -EBADMSG,
				"the AUXTRACE_INFO record of Intel PT is damaged: nothing of its "
				"traces is decoded");
	recorded = aux_setup_recorded(setup, info.word[PT_INFO_PMU_TYPE]);
	if (!recorded)
		return diag_set(diag, -EBADMSG,
				"no event of the recording is of the PMU that its Intel PT traces "
				"are of: they are not decoded");
	d = xcalloc(1, sizeof(*d));
	d->base.class = &pt_class;
	d->host = setup->host;
	d->time = (struct time_conversion){
		.shift = (uint16_t)info.word[PT_INFO_TIME_SHIFT],
		.mult = (uint32_t)info.word[PT_INFO_TIME_MULT],
		.zero = info.word[PT_INFO_TIME_ZERO],
		.has_zero = info.word[PT_INFO_CAP_TIME_ZERO],
	};
	d->base.timeless = options.timeless ||
			   !(recorded->attr.config & info.word[PT_INFO_TSC_BIT]) || !d->time.mult;
	d->has_left_out = pt_decoder_leaves_out(&options);
	d->chain_size = options.call_chain ? options.call_chain_size : 0;
	d->last_size = options.last_branch ? options.last_branch_size : 0;
	set_sampler(d, &options, &info);
	pt_decoder_set_flow(d, setup, &info, recorded->attr.config);
	pt_decoder_add_events(d, &options, recorded, info.word[PT_INFO_PER_CPU]);
	*ret = &d->base;
	return 0;
}

static void free_pt(struct aux_decoder *d)
{
	free((struct pt_decoder *)d);
}

static const struct pt_decoder *pt_decoder_of(const struct pt_stream *s)
{
	return (const struct pt_decoder *)s->base.decoder;
}

static struct aux_stream *pt_stream_new(struct aux_decoder *d, const struct aux_queue *q)
{
	struct pt_stream *s = xcalloc(1, sizeof(*s));

	s->base = (struct aux_stream){ .decoder = d, .queue = q };
	s->code.host = pt_decoder_of(s)->host;
	pt_sampler_init(&s->sampler, &pt_decoder_of(s)->sampler);
	s->chain = xcalloc(pt_decoder_of(s)->chain_size + 1, sizeof(s->chain[0]));
	s->last = xcalloc(3 * pt_decoder_of(s)->last_size + 1, sizeof(s->last[0]));
	return &s->base;
}

static void pt_stream_free(struct aux_stream *base)
{
	struct pt_stream *s = (struct pt_stream *)base;

	pt_flow_free(s->flow);
	free(s->joined);
	pt_code_done(&s->code);
	for (size_t i = 0; i < s->threads.n; i++)
		traced_stack_done(&s->threads.items[i].stack);
	free(s->threads.items);
	free(s->chain);
	free(s->last);
	free(s);
}

static uint64_t perf_time(const struct pt_stream *s, uint64_t ticks)
{
	const struct pt_decoder *d = pt_decoder_of(s);

	return d->base.timeless || !ticks ? 0 : time_of_ticks(&d->time, ticks);
}

/* Finds the running task: the thread that is traced, or the task on the CPU at the time. */
static void pt_decoder_find_task(struct pt_stream *s)
{
	const struct pt_decoder *d = pt_decoder_of(s);
	const struct aux_queue *q = s->base.queue;
	uint64_t time = perf_time(s, s->time);

	s->task = (struct aux_task){ AUX_NONE, AUX_NONE };
	if (q->tid != AUX_NONE)
		s->task.tid = q->tid;
	else if (q->cpu != AUX_NONE && d->host.running)
		d->host.running(d->host.arg, q->cpu, time ? time : UINT64_MAX, &s->task);
	if (s->task.tid != AUX_NONE && d->host.process)
		d->host.process(d->host.arg, s->task.tid, time, &s->task.pid);
	s->code.pid = s->task.pid;
	s->code.time = time;
	s->has_task = true;
}

/* Returns the stack of the running task. */
static struct traced_stack *pt_decoder_stack_of(struct pt_stream *s)
{
	struct pt_thread *t;

	if (!s->has_task)
		pt_decoder_find_task(s);
	if (s->thread < s->threads.n && s->threads.items[s->thread].tid == s->task.tid)
		return &s->threads.items[s->thread].stack;
	for (s->thread = 0; s->thread < s->threads.n; s->thread++)
		if (s->threads.items[s->thread].tid == s->task.tid)
			return &s->threads.items[s->thread].stack;
	t = ARRAY_ADD(&s->threads);
	t->tid = s->task.tid;
	traced_stack_init(&t->stack, pt_decoder_of(s)->last_size);
	return &t->stack;
}

/* Updates the stack from the last step, after its samples were taken. */
static void pt_decoder_follow(struct pt_stream *s)
{
	const struct pt_sampler *p = &s->sampler;

	if (!pt_decoder_of(s)->chain_size && !pt_decoder_of(s)->last_size)
		return;
	if (p->lost)
		traced_stack_clear(pt_decoder_stack_of(s));
	if (p->has_branch)
		traced_stack_branch(pt_decoder_stack_of(s), p->branch.from, p->branch.to,
				    p->branch.length, p->branch.flags);
}

static size_t code_at(void *arg, uint64_t addr, uint8_t *bytes, size_t size)
{
	struct pt_stream *s = arg;

	if (!s->has_task)
		pt_decoder_find_task(s);
	return pt_code_read(&s->code, addr, bytes, size);
}

/* Returns the number of adjacent pieces from next_piece on, and their size. */
static size_t pt_decoder_count_run(const struct pt_stream *s, size_t *ret_bytes)
{
	const struct aux_queue *q = s->base.queue;
	size_t i = s->next_piece, bytes = 0;

	do
		bytes += q->items[i++].size;
	while (i < q->n && q->items[i].offset == q->items[i - 1].offset + q->items[i - 1].size);
	*ret_bytes = bytes;
	return i - s->next_piece;
}

static const uint8_t *join_run(struct pt_stream *s, size_t n, size_t bytes)
{
	const struct aux_piece *p = &s->base.queue->items[s->next_piece];
	size_t at = 0;

	free(s->joined);
	s->joined = NULL;
	if (n == 1)
		return p->bytes;
	s->joined = xmalloc(bytes);
	for (size_t i = 0; i < n; i++) {
		memcpy(s->joined + at, p[i].bytes, p[i].size);
		at += p[i].size;
	}
	return s->joined;
}

/* Moves to the next pieces without a gap between them. False: there are none. */
static bool next_run(struct pt_stream *s)
{
	struct pt_flow_setup setup = pt_decoder_of(s)->flow;
	size_t n, bytes;

	pt_flow_free(s->flow);
	s->flow = NULL;
	if (s->next_piece >= s->base.queue->n)
		return false;
	n = pt_decoder_count_run(s, &bytes);
	setup.bytes = join_run(s, n, bytes);
	setup.size = bytes;
	setup.code = code_at;
	setup.arg = s;
	s->flow = pt_flow_new(&setup);
	s->next_piece += n;
	return true;
}

static bool next_step(struct pt_stream *s, struct pt_step *ret)
{
	while (!s->flow || !pt_flow_next(s->flow, ret))
		if (!next_run(s))
			return false;
	return true;
}

static bool peek_pt(struct aux_stream *base, uint64_t *ret_time)
{
	struct pt_stream *s = (struct pt_stream *)base;
	struct pt_step step;

	while (!s->found && !(s->found = pt_sampler_next(&s->sampler))) {
		pt_decoder_follow(s);
		s->sampler.has_branch = s->sampler.lost = false;
		if (!next_step(s, &step))
			return false;
		if (step.time > s->time) {
			s->time = step.time;
			s->has_task = false;
		}
		pt_sampler_take(&s->sampler, &step);
	}
	*ret_time = perf_time(s, s->found->time);
	return true;
}

static uint16_t pt_decoder_misc_of(uint64_t ip)
{
	return ip >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

static void pt_decoder_make_error(const struct pt_stream *s, const struct pt_sample *p,
				  struct aux_item *ret)
{
	ret->kind = AUX_ERROR;
	ret->error = (struct record_auxtrace_error){
		.type = ERROR_TYPE_INSTRUCTIONS,
		.code = p->code,
		.cpu = s->base.queue->cpu,
		.pid = s->task.pid,
		.tid = s->task.tid,
		.fmt = 1,
		.ip = p->ip,
		.time = perf_time(s, p->time),
		.msg = pt_error_text(p->code),
	};
}

static void pt_decoder_make_sample(const struct pt_stream *s, const struct pt_sample *p,
				   struct aux_item *ret)
{
	const struct pt_decoder *d = pt_decoder_of(s);

	ret->event = d->events[p->event];
	ret->sample = (struct sample){
		.misc = pt_decoder_misc_of(p->ip ? p->ip : p->to),
		.id = d->ids[p->event],
		.stream_id = d->ids[p->event],
		.pid = s->task.pid,
		.tid = s->task.tid,
		.ip = p->ip,
		.time = perf_time(s, p->time),
		.addr = p->to,
		.cpu = s->base.queue->cpu,
		.period = p->period,
		.raw = p->raw,
		.raw_size = p->raw_size,
	};
	ret->moment = ret->sample.time;
	ret->facts.flags = p->flags;
	ret->facts.insn_length = p->length;
	memcpy(ret->facts.insn, p->insn, sizeof(p->insn));
}

static struct words words_over(const uint64_t *items, size_t n)
{
	return (struct words){ .bytes = (const uint8_t *)items, .n = n };
}

static void pt_decoder_add_stacks(struct pt_stream *s, struct sample *ret)
{
	const struct pt_decoder *d = pt_decoder_of(s);
	const struct traced_stack *stack = d->chain_size || d->last_size ? pt_decoder_stack_of(s)
									 : NULL;

	if (d->chain_size)
		ret->chain = words_over(
			s->chain, traced_stack_chain(stack, ret->ip, s->chain, d->chain_size + 1));
	if (d->last_size) {
		ret->branches = words_over(s->last, 3 * traced_stack_last(stack, s->last));
		ret->branch_hw_index = UINT64_MAX;
	}
}

static void take_pt(struct aux_stream *base, struct aux_item *ret)
{
	struct pt_stream *s = (struct pt_stream *)base;
	const struct pt_sample *p = s->found;

	s->found = NULL;
	if (!s->has_task)
		pt_decoder_find_task(s);
	*ret = (struct aux_item){ .kind = AUX_SAMPLE };
	if (p->event == PT_EVENT_ERROR)
		pt_decoder_make_error(s, p, ret);
	else
		pt_decoder_make_sample(s, p, ret);
	if (p->event < PT_EVENTS && p->event != PT_EVENT_BRANCHES)
		pt_decoder_add_stacks(s, &ret->sample);
}

static const char *remark_pt(const struct aux_decoder *base)
{
	const struct pt_decoder *d = (const struct pt_decoder *)base;

	return d->has_left_out ? "the letters q, A, d, G and L of --itrace do nothing for Intel PT "
				 "in this version"
			       : NULL;
}

const struct aux_class pt_class = {
	.type = AUXTRACE_INTEL_PT,
	.name = "Intel PT",
	.open = open_pt,
	.free = free_pt,
	.stream = pt_stream_new,
	.stream_free = pt_stream_free,
	.peek = peek_pt,
	.take = take_pt,
	.remark = remark_pt,
};
