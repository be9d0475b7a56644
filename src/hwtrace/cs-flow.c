/* SPDX-License-Identifier: MIT */
#include "hwtrace/cs-flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hwtrace/decoder.h"

/*
 * The words of a branch in a stack: from, to and flags, of which one is PERF_BRANCH_ENTRY's bit 1.
 */
#define BRANCH_WORDS     3
#define BRANCH_PREDICTED 2

#define BEGIN_FLAGS (AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN)

/*
 * Exceptions of ETMv4 and ETE by number: those that are independent of instructions, and those that
 * an instruction causes. The others are reserved.
 */
#define EXCEPTION_CALL 2
#define ASYNCHRONOUS   (1u << 0 | 1u << 1 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 14 | 1u << 15)
#define SYNCHRONOUS    (1u << EXCEPTION_CALL | 1u << 3 | 1u << 10 | 1u << 11 | 1u << 12)

void cs_flow_init(struct cs_flow *f, const struct cs_flow_setup *setup, uint32_t tid)
{
	*f = (struct cs_flow){ .setup = *setup };
	for (size_t i = 0; i < CS_UNITS_MAX; i++)
		f->channels[i].tid = tid;
	if (setup->last_branch)
		f->stack = xcalloc(setup->last_branch, BRANCH_WORDS * sizeof(f->stack[0]));
}

void cs_flow_done(struct cs_flow *f)
{
	for (size_t i = 0; i < CS_UNITS_MAX; i++)
		free(f->channels[i].branches);
	free(f->stack);
	free(f->steps.items);
}

static struct cs_channel *cs_flow_channel_of(struct cs_flow *f, uint8_t id)
{
	return &f->channels[id % CS_UNITS_MAX];
}

uint32_t cs_flow_thread(const struct cs_flow *f, uint8_t id)
{
	return f->channels[id % CS_UNITS_MAX].tid;
}

static void cs_flow_set_thread(const struct cs_flow *f, struct cs_channel *c,
			       const struct cs_element *e)
{
	if (f->setup.thread_is_vmid && e->has_vmid)
		c->tid = e->vmid;
	else if (!f->setup.thread_is_vmid && e->has_context_id)
		c->tid = e->context_id;
}

static void cs_flow_add_step(struct cs_flow *f, const struct cs_element *e, bool is_end)
{
	const struct cs_channel *c = cs_flow_channel_of(f, e->id);

	if (f->at == f->steps.n)
		f->at = f->steps.n = 0;
	*ARRAY_ADD(&f->steps) =
		(struct cs_step){ .element = *e, .is_end = is_end, .tid = c->tid, .time = c->time };
}

void cs_flow_add(struct cs_flow *f, const struct cs_element *e)
{
	switch (e->kind) {
	case CS_CONTEXT:
		cs_flow_set_thread(f, cs_flow_channel_of(f, e->id), e);
		break;
	case CS_TIME:
		cs_flow_channel_of(f, e->id)->time = e->time;
		break;
	case CS_NO_CODE:
		if (!f->no_code++)
			f->first_no_code = e->start;
		break;
	default:
		cs_flow_add_step(f, e, false);
	}
}

void cs_flow_end(struct cs_flow *f)
{
	for (unsigned i = 0; i < CS_UNITS_MAX; i++)
		if (f->channels[i].before.is_range || f->steps.n)
			cs_flow_add_step(f, &(struct cs_element){ .id = (uint8_t)i }, true);
}

static uint64_t last_instruction(const struct cs_range *r)
{
	return r->is_range ? r->end - r->last_size : 0;
}

/* Reads the code of one instruction, and its length. */
static void read_instruction(const struct cs_flow *f, bool thumb, struct cs_sample *s)
{
	size_t n = f->setup.code(f->setup.arg, s->tid, s->ip, s->insn, sizeof(s->insn));

	s->length = sizeof(s->insn);
	/* A first halfword of 0xe800 or more begins an instruction of two halfwords. */
	if (thumb && n >= 2 && s->insn[1] < 0xe8)
		s->length = 2;
}

/* Returns the address of instruction number @i of a range. */
static uint64_t cs_flow_instruction_at(const struct cs_flow *f, const struct cs_step *step,
				       uint64_t i)
{
	struct cs_sample s = { .tid = step->tid, .ip = step->element.start };

	if (!step->element.thumb)
		return step->element.start + 4 * i;
	for (; i && s.ip < step->element.end; i--) {
		read_instruction(f, true, &s);
		s.ip += s.length;
	}
	return s.ip;
}

static void remember_branch(struct cs_flow *f, struct cs_channel *c, uint64_t from, uint64_t to)
{
	size_t room = f->setup.last_branch;
	uint64_t *entry;

	if (!c->branches)
		c->branches = xcalloc(room, BRANCH_WORDS * sizeof(c->branches[0]));
	c->newest = (c->newest + room - 1) % room;
	entry = &c->branches[BRANCH_WORDS * c->newest];
	entry[0] = from;
	entry[1] = to;
	entry[2] = BRANCH_PREDICTED;
	c->n_branches += c->n_branches < room;
}

static void copy_branches(const struct cs_flow *f, const struct cs_channel *c, struct cs_sample *s)
{
	for (size_t i = 0; i < c->n_branches; i++)
		memcpy(&f->stack[BRANCH_WORDS * i],
		       &c->branches[BRANCH_WORDS * ((c->newest + i) % f->setup.last_branch)],
		       BRANCH_WORDS * sizeof(f->stack[0]));
	s->branches = f->stack;
	s->n_branches = c->n_branches;
}

static struct cs_sample sample_of(const struct cs_step *step)
{
	return (struct cs_sample){
		.id = step->element.id, .tid = step->tid, .time = step->time, .period = 1
	};
}

/* Makes a sample of the instructions since the last sample, because no more follow. */
static void rest_of_instructions(struct cs_flow *f, struct cs_channel *c,
				 const struct cs_step *step, struct cs_sample *ret)
{
	*ret = sample_of(step);
	ret->ip = last_instruction(&c->before);
	ret->period = c->instructions;
	ret->flags = c->before.flags;
	copy_branches(f, c, ret);
	c->instructions = 0;
	c->n_branches = 0;
}

static void branch_to(struct cs_flow *f, const struct cs_channel *c, const struct cs_step *step,
		      uint64_t to, struct cs_sample *ret)
{
	*ret = sample_of(step);
	ret->is_branch = true;
	ret->ip = last_instruction(&c->before);
	ret->to = to;
	ret->flags = c->before.flags;
	if (c->before.is_range)
		read_instruction(f, c->before.thumb, ret);
}

enum {
	STAGE_BEGIN,
	STAGE_INSTRUCTIONS,
	STAGE_BRANCH,
	STAGE_DONE
};

static void begin_range(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step)
{
	const struct cs_element *e = &step->element;

	if (f->setup.last_branch && c->before.is_range && c->before.taken)
		remember_branch(f, c, last_instruction(&c->before), e->start);
	f->offset = f->setup.period - c->instructions - 1;
	c->instructions += e->n_instructions;
	f->stage = STAGE_INSTRUCTIONS;
}

static bool next_instruction(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step,
			     struct cs_sample *ret)
{
	if (!f->setup.instructions || c->instructions < f->setup.period) {
		f->stage = STAGE_BRANCH;
		return false;
	}
	*ret = sample_of(step);
	ret->ip = cs_flow_instruction_at(f, step, f->offset);
	ret->period = f->setup.period;
	ret->flags = c->before.flags;
	read_instruction(f, step->element.thumb, ret);
	if (f->setup.last_branch)
		copy_branches(f, c, ret);
	c->instructions -= f->setup.period;
	f->offset += f->setup.period;
	return true;
}

static void end_range(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step)
{
	const struct cs_element *e = &step->element;

	c->before = (struct cs_range){
		.is_range = true,
		.is_first = !c->before.is_range,
		.thumb = e->thumb,
		.taken = e->taken,
		.start = e->start,
		.end = e->end,
		.last_size = e->last_size,
		.flags = e->flags,
	};
	if (!f->setup.instructions)
		c->instructions = 0;
	f->stage = STAGE_DONE;
}

static bool cs_flow_take_range(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step,
			       struct cs_sample *ret)
{
	bool is_branch = c->before.is_gap || (c->before.is_range && c->before.taken);

	if (f->stage == STAGE_BEGIN)
		begin_range(f, c, step);
	if (f->stage == STAGE_INSTRUCTIONS && next_instruction(f, c, step, ret))
		return true;
	if (is_branch && f->setup.branches)
		branch_to(f, c, step, step->element.start, ret);
	end_range(f, c, step);
	return is_branch && f->setup.branches;
}

static bool take_gap(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step,
		     struct cs_sample *ret)
{
	bool found = false;

	if (f->stage == STAGE_BEGIN) {
		c->before.flags |= c->before.is_range ? AUX_FLAG_TRACE_END : 0;
		f->stage = STAGE_BRANCH;
		if (f->setup.instructions && f->setup.last_branch && c->before.is_range) {
			rest_of_instructions(f, c, step, ret);
			return true;
		}
	}
	if (f->setup.branches && c->before.is_range) {
		branch_to(f, c, step, 0, ret);
		found = true;
	}
	c->before = (struct cs_range){ .is_gap = true, .flags = BEGIN_FLAGS };
	f->stage = STAGE_DONE;
	return found;
}

static bool cs_flow_take_end(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step,
			     struct cs_sample *ret)
{
	f->stage = STAGE_DONE;
	if (!f->setup.instructions || !f->setup.last_branch || !c->before.is_range)
		return false;
	rest_of_instructions(f, c, step, ret);
	if (!c->before.is_first)
		read_instruction(f, c->before.thumb, ret);
	return true;
}

/* True if the last instruction of @r calls the kernel: SVC. */
static bool is_system_call(const struct cs_flow *f, const struct cs_range *r, uint32_t tid)
{
	uint8_t b[4] = { 0 };
	uint32_t word;

	if (f->setup.code(f->setup.arg, tid, last_instruction(r), b, sizeof(b)) < r->last_size)
		return false;
	if (r->thumb && r->last_size == 2)
		return b[1] == 0xdf;
	word = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	return (word & 0xffe0001f) == 0xd4000001;
}

static uint32_t exception_flags(const struct cs_flow *f, const struct cs_channel *c,
				const struct cs_step *step)
{
	uint32_t n = step->element.exception, bit = n < 32 ? 1u << n : 0;

	if (n == EXCEPTION_CALL && is_system_call(f, &c->before, step->tid))
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET;
	if (bit & ASYNCHRONOUS)
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_ASYNC | AUX_FLAG_INTERRUPT;
	if (bit & SYNCHRONOUS)
		return AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_INTERRUPT;
	return c->before.flags;
}

/*
 * Handles an exception, with which the previous range left its path; the next range gives the
 * target.
 */
static void take_exception(struct cs_flow *f, struct cs_channel *c, const struct cs_step *step)
{
	f->stage = STAGE_DONE;
	if (!c->before.is_range)
		return;
	c->before.taken = true;
	if (step->element.kind == CS_EXCEPTION)
		c->before.flags = exception_flags(f, c, step);
	else if (is_system_call(f, &c->before, step->tid))
		c->before.flags = AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET;
	else
		c->before.flags = AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_INTERRUPT;
}

static bool cs_flow_take_step(struct cs_flow *f, const struct cs_step *step, struct cs_sample *ret)
{
	struct cs_channel *c = cs_flow_channel_of(f, step->element.id);

	if (step->is_end)
		return cs_flow_take_end(f, c, step, ret);
	switch (step->element.kind) {
	case CS_RANGE:
		return cs_flow_take_range(f, c, step, ret);
	case CS_GAP:
		return take_gap(f, c, step, ret);
	default:
		take_exception(f, c, step);
		return false;
	}
}

bool cs_flow_next(struct cs_flow *f, struct cs_sample *ret)
{
	bool found = false;

	while (!found && f->at < f->steps.n) {
		found = cs_flow_take_step(f, &f->steps.items[f->at], ret);
		if (f->stage == STAGE_DONE) {
			f->at++;
			f->stage = STAGE_BEGIN;
		}
	}
	return found;
}
