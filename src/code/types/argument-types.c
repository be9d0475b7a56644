/* SPDX-License-Identifier: MIT */
#include "code/types/argument-types.h"

#include "base/c-type.h"
#include "code/types/follow-step.h"

/* Further copies are not recognized. */
#define SLOTS_MAX 64

/* A register, plus one, whose value at the entry is meant; 0: none. */
typedef uint8_t origin;

struct origin_slot {
	int64_t offset; /* in the frame; all copies have 8 bytes */
	origin of;
};

struct argument_search {
	const struct follow_context *context;
	struct held_state state;
	origin regs[ACCESS_REGISTERS];
	struct origin_slot slots[SLOTS_MAX];
	size_t n_slots;
	struct held found[ACCESS_REGISTERS];
	bool is_torn[ACCESS_REGISTERS]; /* stored in variables of different types */
};

static origin *slot_at(struct argument_search *a, int64_t offset)
{
	for (size_t i = 0; i < a->n_slots; i++)
		if (a->slots[i].offset == offset)
			return &a->slots[i].of;
	if (a->n_slots == SLOTS_MAX)
		return NULL;
	a->slots[a->n_slots] = (struct origin_slot){ .offset = offset };
	return &a->slots[a->n_slots++].of;
}

/* Removes copies that overlap the @size bytes at @offset; 0: any size. */
static void slots_forget(struct argument_search *a, int64_t offset, uint64_t size)
{
	for (size_t i = 0; i < a->n_slots; i++)
		if (a->slots[i].offset + 8 > offset &&
		    a->slots[i].offset < offset + (int64_t)(size ? size : 64))
			a->slots[i].of = 0;
}

static void set_register(struct argument_search *a, uint8_t reg, origin of)
{
	if (reg < ACCESS_REGISTERS)
		a->regs[reg] = of;
}

/* Learns from a store of the value of @reg, @from bytes after the operand's beginning. */
static void code_argument_types_learn(struct argument_search *a, const struct followed_step *step,
				      uint8_t reg, int64_t from)
{
	origin of = reg < ACCESS_REGISTERS ? a->regs[reg] : 0;
	struct held h;

	if (!of || !follow_stored(a->context, &a->state, &step->access, step->addr, from, &h))
		return;
	if (a->found[of - 1].kind == HELD_UNKNOWN)
		a->found[of - 1] = h;
	else if (a->found[of - 1].kind != h.kind ||
		 c_type_bare(a->found[of - 1].type) != c_type_bare(h.type))
		a->is_torn[of - 1] = true;
}

static void argument_types_step_store(struct argument_search *a, const struct followed_step *step)
{
	const struct code_access *c = &step->access;
	uint8_t regs[] = { c->from, c->second };
	int64_t frame;

	code_argument_types_learn(a, step, c->from, 0);
	code_argument_types_learn(a, step, c->second, c->size);
	if (!follow_on_frame(a->context, &a->state, c, step->addr, &frame))
		return;
	for (size_t i = 0; i < 2 && regs[i] != ACCESS_NONE; i++, frame += c->size) {
		origin *slot;

		slots_forget(a, frame, c->size);
		slot = c->size == 8 && regs[i] < ACCESS_REGISTERS ? slot_at(a, frame) : NULL;
		if (slot)
			*slot = a->regs[regs[i]];
	}
}

static void argument_types_step_load(struct argument_search *a, const struct followed_step *step)
{
	const struct code_access *c = &step->access;
	origin first = 0, second = 0, *slot;
	int64_t frame;

	if (c->size == 8 && follow_on_frame(a->context, &a->state, c, step->addr, &frame)) {
		slot = slot_at(a, frame);
		first = slot ? *slot : 0;
		slot = slot_at(a, frame + 8);
		second = slot ? *slot : 0;
	}
	set_register(a, c->to, first);
	set_register(a, c->second, second);
}

static void step_other(struct argument_search *a, const struct followed_step *step)
{
	const struct code_access *c = &step->access;
	int64_t frame;

	/* An unknown instruction may write its operand. */
	if (c->has_memory && follow_on_frame(a->context, &a->state, c, step->addr, &frame))
		slots_forget(a, frame, 0);
	set_register(a, c->to, 0);
	if (c->before || c->after)
		set_register(a, c->memory.base, 0);
}

static void step_one(struct argument_search *a, const struct followed_step *step)
{
	const struct code_access *c = &step->access;

	if (c->action == ACCESS_STORE)
		argument_types_step_store(a, step);
	else if (c->action == ACCESS_LOAD)
		argument_types_step_load(a, step);
	else if (c->action == ACCESS_COPY && c->from < ACCESS_REGISTERS && !c->is_narrow)
		set_register(a, c->to, a->regs[c->from]);
	else
		step_other(a, step);
	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		if (c->written >> i & 1)
			a->regs[i] = 0;
}

void argument_types_learn(const struct follow_context *c, const struct followed_step *steps,
			  size_t n, struct held_state *entry)
{
	struct argument_search a = { .context = c };

	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		a.regs[i] = entry->regs[i].kind == HELD_UNKNOWN ? (origin)(i + 1) : 0;
	held_state_copy(&a.state, entry);
	for (size_t i = 0; i < n && steps[i].access.flow == ACCESS_ON; i++) {
		if (i && steps[i].addr != steps[i - 1].addr + steps[i - 1].access.length)
			break;
		step_one(&a, &steps[i]);
		follow_step(c, &a.state, &steps[i].access, steps[i].addr);
	}
	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		if (a.found[i].kind != HELD_UNKNOWN && !a.is_torn[i])
			entry->regs[i] = a.found[i];
	held_state_done(&a.state);
}
