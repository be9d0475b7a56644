/* SPDX-License-Identifier: MIT */
#include "hwtrace/pt-samples.h"

#include <string.h>

#include "base/cleanup.h"
#include "hwtrace/decoder.h"

/* The numbers that Linux's perf uses. */
enum {
	CODE_INTERNAL = 2,
	CODE_BAD_PACKET = 3,
	CODE_NO_INSN = 5,
	CODE_MISMATCH = 6,
	CODE_OVERFLOW = 7,
	CODE_LOOP = 9,
};

const char *pt_error_text(uint32_t code)
{
	switch (code) {
	case CODE_BAD_PACKET:
		return "Bad packet";
	case CODE_NO_INSN:
		return "Failed to get instruction";
	case CODE_MISMATCH:
		return "Trace doesn't match instruction";
	case CODE_OVERFLOW:
		return "Overflow packet";
	case CODE_LOOP:
		return "Never-ending loop";
	default:
		return "Internal error";
	}
}

void pt_sampler_init(struct pt_sampler *s, const struct pt_sampler_setup *setup)
{
	*s = (struct pt_sampler){ .setup = *setup };
	/* Ticks are counted in powers of two. */
	if (s->setup.in_ticks && s->setup.period)
		s->setup.period = UINT64_C(1) << (63 - (unsigned)__builtin_clzll(s->setup.period));
	if (!s->setup.period) {
		s->setup.period = 1;
		s->setup.in_ticks = false;
	}
}

const struct pt_sample *pt_sampler_next(struct pt_sampler *s)
{
	return s->at < s->n ? &s->items[s->at++] : NULL;
}

/* Estimates the time. Linux's perf counts two ticks for an instruction here. */
static uint64_t pt_samples_estimate(const struct pt_sampler *s)
{
	return s->time ? s->time + 2 * s->since : 0;
}

static void move_time(struct pt_sampler *s, uint64_t time)
{
	if (time == s->time)
		return;
	s->time = s->shown = time;
	s->since = 0;
}

/* Adds a new sample of @event, which is to be filled in; NULL: it is not wanted. */
static struct pt_sample *pt_samples_add(struct pt_sampler *s, enum pt_event event)
{
	struct pt_sample *new;

	if (event < PT_EVENTS && !s->setup.wanted[event])
		return NULL;
	if (event < PT_EVENTS && ++s->events <= s->setup.skip)
		return NULL;
	if (s->n == PT_SAMPLES_MAX)
		return NULL;
	new = &s->items[s->n++];
	*new = (struct pt_sample){ .event = event, .time = s->shown, .period = 1 };
	return new;
}

static const uint8_t *opcode_of(const struct pt_step *insn)
{
	const uint8_t *b = insn->bytes;
	size_t i = 0;

	while (i + 2 < insn->length && (b[i] == 0x66 || b[i] == 0xf2 || b[i] == 0xf3 ||
					b[i] == 0x3e || b[i] == 0x2e || (b[i] & 0xf0) == 0x40))
		i++;
	return b + i;
}

static uint32_t far_call_flags(const uint8_t *opcode)
{
	if (opcode[0] == 0x0f && opcode[1] == 0x01)
		return AUX_FLAG_BRANCH | AUX_FLAG_VMENTRY;
	if (opcode[0] == 0x0f)
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET;
	if (opcode[0] >= 0xcc && opcode[0] <= 0xce)
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_INTERRUPT;
	return AUX_FLAG_BRANCH | AUX_FLAG_CALL;
}

static uint32_t far_return_flags(const uint8_t *opcode)
{
	if (opcode[0] == 0x0f && opcode[1] == 0x01)
		return AUX_FLAG_BRANCH | AUX_FLAG_VMENTRY;
	if (opcode[0] == 0x0f)
		return AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET;
	if (opcode[0] == 0xcf)
		return AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_INTERRUPT;
	return AUX_FLAG_BRANCH | AUX_FLAG_RETURN;
}

static uint32_t class_flags(const struct pt_step *insn)
{
	switch (insn->class) {
	case PT_CLASS_CALL:
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL;
	case PT_CLASS_RETURN:
		return AUX_FLAG_BRANCH | AUX_FLAG_RETURN;
	case PT_CLASS_CONDITIONAL:
		return AUX_FLAG_BRANCH | AUX_FLAG_CONDITIONAL;
	case PT_CLASS_JUMP:
	case PT_CLASS_FAR_JUMP:
		return AUX_FLAG_BRANCH;
	case PT_CLASS_FAR_CALL:
		return far_call_flags(opcode_of(insn));
	case PT_CLASS_FAR_RETURN:
		return far_return_flags(opcode_of(insn));
	default:
		return 0;
	}
}

static uint32_t pt_samples_flags_of(const struct pt_step *insn)
{
	return class_flags(insn) | (insn->speculative ? AUX_FLAG_IN_TX : 0);
}

static void pt_samples_set_insn(struct pt_sample *p, const struct pt_step *insn)
{
	p->length = insn->length;
	memcpy(p->insn, insn->bytes, sizeof(p->insn));
}

/*
 * True if a branch is selected. 'c' and 'r' exclude other branches; the beginning and the end of a
 * trace are neither.
 */
static bool pt_samples_is_chosen(const struct pt_sampler *s, uint32_t flags)
{
	if (!s->setup.calls_only && !s->setup.returns_only)
		return true;
	return (s->setup.calls_only && (flags & (AUX_FLAG_CALL | AUX_FLAG_TRACE_END))) ||
	       (s->setup.returns_only && (flags & (AUX_FLAG_RETURN | AUX_FLAG_TRACE_BEGIN)));
}

static void pt_samples_add_branch(struct pt_sampler *s, uint64_t from, uint64_t to, uint32_t flags)
{
	struct pt_sample *p;

	s->has_branch = true;
	s->branch.from = from;
	s->branch.to = to;
	s->branch.length = s->last.length;
	s->branch.flags = flags;
	p = pt_samples_is_chosen(s, flags) ? pt_samples_add(s, PT_EVENT_BRANCHES) : NULL;
	if (!p)
		return;
	p->ip = from;
	p->to = to;
	p->flags = flags;
	if (s->last.length && from == s->last.ip)
		pt_samples_set_insn(p, &s->last);
}

/* True if a sample is due. Between two packets with times an instruction counts as a tick. */
static bool is_due(struct pt_sampler *s, uint64_t time)
{
	uint64_t tick;

	if (!s->setup.in_ticks)
		return s->count >= s->setup.period;
	tick = (time + s->since) & ~(s->setup.period - 1);
	if (tick <= s->tick)
		return false;
	/* The very first instruction begins the first period. */
	if (!s->tick) {
		s->tick = tick;
		return false;
	}
	s->tick = tick;
	return true;
}

static void take_insn(struct pt_sampler *s, const struct pt_step *step)
{
	struct pt_sample *p;

	s->count++;
	s->since++;
	s->last = *step;
	if (is_due(s, step->time)) {
		p = pt_samples_add(s, PT_EVENT_INSTRUCTIONS);
		if (p) {
			p->ip = step->ip;
			p->period = s->count;
			p->flags = pt_samples_flags_of(step) |
				   (step->is_last ? AUX_FLAG_TRACE_END : 0);
			pt_samples_set_insn(p, step);
			s->count = 0;
		}
	}
	if (step->has_to)
		pt_samples_add_branch(s, step->ip, step->to, pt_samples_flags_of(step));
	s->ip = step->has_to ? step->to : step->ip + step->length;
}

/*
 * Handles the beginning of tracing. While nothing was traced, time went on, so the estimate is
 * better than the last time in the trace.
 */
static void take_begin(struct pt_sampler *s, const struct pt_step *step)
{
	s->shown = pt_samples_estimate(s);
	if (s->setup.in_ticks)
		s->tick = (s->time + s->since) & ~(s->setup.period - 1);
	s->last = (struct pt_step){ 0 };
	s->ip = step->to;
	pt_samples_add_branch(s, 0, step->to, AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN);
}

static void pt_samples_take_end(struct pt_sampler *s, const struct pt_step *step)
{
	pt_samples_add_branch(s, s->last.ip, step->to,
			      pt_samples_flags_of(&s->last) | AUX_FLAG_TRACE_END);
	s->last = (struct pt_step){ 0 };
	s->ip = 0;
}

/* Handles an asynchronous branch: an interrupt if its target is known. */
static void take_async(struct pt_sampler *s, const struct pt_step *step)
{
	uint32_t flags = AUX_FLAG_BRANCH | AUX_FLAG_ASYNC;

	if (step->has_to)
		flags |= AUX_FLAG_CALL | AUX_FLAG_INTERRUPT;
	if (step->kind == PT_STEP_CUT)
		flags |= AUX_FLAG_TRACE_END;
	s->last = (struct pt_step){ 0 };
	pt_samples_add_branch(s, step->ip, step->to, flags);
	s->ip = step->kind == PT_STEP_CUT ? 0 : step->to;
}

static void pt_samples_add_error(struct pt_sampler *s, uint32_t code)
{
	struct pt_sample *p = s->setup.errors ? pt_samples_add(s, PT_EVENT_ERROR) : NULL;

	if (p) {
		p->code = code;
		p->time = pt_samples_estimate(s);
		p->ip = s->ip;
	}
}

static void pt_samples_take_error(struct pt_sampler *s, const struct pt_step *step)
{
	static const uint32_t codes[] = {
		[PT_ERROR_PACKET] = CODE_BAD_PACKET, [PT_ERROR_CODE] = CODE_NO_INSN,
		[PT_ERROR_MISMATCH] = CODE_MISMATCH, [PT_ERROR_LOOP] = CODE_LOOP,
		[PT_ERROR_INTERNAL] = CODE_INTERNAL,
	};

	pt_samples_add_error(s, codes[step->error]);
	s->last = (struct pt_step){ 0 };
	s->ip = 0;
}

static void take_overflow(struct pt_sampler *s, const struct pt_step *step)
{
	if (s->setup.overflow_errors)
		pt_samples_add_error(s, CODE_OVERFLOW);
	if (step->has_to)
		take_begin(s, step);
	else
		s->ip = 0;
}

/*
 * Sets the bytes of events that are not counters: a word of flags, then the contents of the packet.
 */
static void set_raw(struct pt_sample *p, uint32_t flags, uint64_t payload, size_t size)
{
	memcpy(p->raw, &flags, sizeof(flags));
	memcpy(p->raw + sizeof(flags), &payload, sizeof(payload));
	p->raw_size = (uint8_t)size;
}

static void take_told(struct pt_sampler *s, const struct pt_step *step, enum pt_event event)
{
	struct pt_sample *p = pt_samples_add(s, event);

	if (!p)
		return;
	p->ip = step->has_ip ? step->ip : s->ip;
	if (event != PT_EVENT_PSB)
		p->flags = pt_samples_flags_of(&s->last);
	set_raw(p, step->has_ip, step->payload, event == PT_EVENT_EXSTOP ? 4 : 12);
}

/* Handles a ratio; it is reported only if it has changed. */
static void take_cbr(struct pt_sampler *s, const struct pt_step *step)
{
	uint32_t ratio = (uint32_t)step->payload & 0xff, top = s->setup.max_ratio & 0xff;
	uint32_t words[3] = { ratio | top << 16, 0, 0 };
	struct pt_sample *p;

	if (step->payload == s->ratio)
		return;
	s->ratio = step->payload;
	p = pt_samples_add(s, PT_EVENT_CBR);
	if (!p)
		return;
	if (top)
		words[1] = (uint32_t)((uint64_t)s->setup.tsc_khz * ratio / top);
	words[2] = 0;
	p->ip = s->ip;
	p->flags = pt_samples_flags_of(&s->last);
	memcpy(p->raw, words, sizeof(words));
	p->raw_size = sizeof(words);
}

static void pt_samples_take_transaction(struct pt_sampler *s, const struct pt_step *step)
{
	struct pt_sample *p = pt_samples_add(s, PT_EVENT_TRANSACTIONS);

	if (!p)
		return;
	p->ip = step->has_ip ? step->ip : s->ip;
	p->flags = step->payload & 2 ? AUX_FLAG_BRANCH | AUX_FLAG_ASYNC | AUX_FLAG_TX_ABORT : 0;
	if (step->payload & 1)
		p->flags |= AUX_FLAG_IN_TX;
}

void pt_sampler_take(struct pt_sampler *s, const struct pt_step *step)
{
	s->at = s->n = 0;
	s->has_branch = false;
	s->lost = step->kind == PT_STEP_ERROR || step->kind == PT_STEP_OVERFLOW;
	move_time(s, step->time);
	switch (step->kind) {
	case PT_STEP_INSN:
		return take_insn(s, step);
	case PT_STEP_BEGIN:
		return take_begin(s, step);
	case PT_STEP_END:
		return pt_samples_take_end(s, step);
	case PT_STEP_ASYNC:
	case PT_STEP_CUT:
		return take_async(s, step);
	case PT_STEP_OVERFLOW:
		return take_overflow(s, step);
	case PT_STEP_ERROR:
		return pt_samples_take_error(s, step);
	case PT_STEP_CBR:
		return take_cbr(s, step);
	case PT_STEP_TSX:
		return pt_samples_take_transaction(s, step);
	case PT_STEP_PSB:
		return take_told(s, step, PT_EVENT_PSB);
	case PT_STEP_PTWRITE:
		return take_told(s, step, PT_EVENT_PTWRITE);
	case PT_STEP_MWAIT:
		return take_told(s, step, PT_EVENT_MWAIT);
	case PT_STEP_PWRE:
		return take_told(s, step, PT_EVENT_PWRE);
	case PT_STEP_EXSTOP:
		return take_told(s, step, PT_EVENT_EXSTOP);
	case PT_STEP_PWRX:
		return take_told(s, step, PT_EVENT_PWRX);
	}
}
