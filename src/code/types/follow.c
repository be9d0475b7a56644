/* SPDX-License-Identifier: MIT */
#include "code/types/follow.h"

#include <stdlib.h>
#include <string.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "base/bisect.h"
#include "base/c-type.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "code/types/argument-types.h"
#include "code/types/follow-step.h"
#include "dwarf/debug-function.h"

/* A longer function is not followed. */
#define CODE_MAX (4u << 20)

/* A block that still changes after this number of rounds is left as it is. */
#define ROUNDS_MAX 12

struct types_follow_block {
	size_t first, end; /* its steps: numbers from @first up to @end, exclusive */
	bool is_entered;   /* @in is known */
	bool is_pending;
	bool is_guess; /* @in comes from no block that is known to lead here */
	unsigned rounds;
	struct held_state in;
};

struct follow {
	struct follow_context context;
	struct {
		struct followed_step *items;
		size_t n, room;
	} steps;
	struct {
		struct types_follow_block *items;
		size_t n, room;
	} blocks;
	uint32_t *block_of; /* number of the block that begins at a step, plus one; 0: none */
	/* The state that holds at all jumps through registers, and at all calls. */
	struct spare_state {
		struct held_state state;
		bool is_known;
	} at_jumps, at_calls;
};

static void read_range(struct follow *f, struct code_range r)
{
	const struct follow_source *s = f->context.source;
	size_t size = r.end - r.start < CODE_MAX ? r.end - r.start : CODE_MAX, n, at = 0;
	_cleanup_(freep) uint8_t *bytes = xmalloc(size + 1);

	n = s->code(s->arg, r.start, bytes, size);
	while (at < n) {
		struct followed_step *step = ARRAY_ADD(&f->steps);

		step->addr = r.start + at;
		if (!code_access_read(s->arch, bytes + at, n - at, step->addr, &step->access)) {
			f->steps.n--;
			break;
		}
		at += step->access.length;
	}
}

/*
 * Ends blocks at calls of functions that do not return (abort). Code after such a call is reached
 * from elsewhere, with other values in registers.
 */
static void end_final_calls(struct follow *f)
{
	const struct follow_source *s = f->context.source;

	for (size_t i = 0; i < f->steps.n; i++) {
		struct followed_step *step = &f->steps.items[i];
		struct code_access *a = &step->access;
		const struct typed_call *call;

		if (a->flow != ACCESS_CALL)
			continue;
		call = follow_call(&f->context, step->addr + a->length);
		if (call ? call->is_final : a->has_target && s->never_returns(s->arg, a->target))
			a->flow = ACCESS_END;
	}
}

static int follow_by_addr(const void *a, const void *b)
{
	const struct followed_step *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Returns the number of the step at @addr; steps.n: there is none. */
static size_t step_at(const struct follow *f, uint64_t addr)
{
	size_t at = BISECT(k, f->steps.n, f->steps.items[k].addr < addr);

	return at < f->steps.n && f->steps.items[at].addr == addr ? at : f->steps.n;
}

static bool follow_leads_on(const struct code_access *a)
{
	return a->flow != ACCESS_JUMP && a->flow != ACCESS_END;
}

static bool ends_block(const struct code_access *a)
{
	return a->flow != ACCESS_ON && a->flow != ACCESS_CALL;
}

static bool follow_jumps(const struct code_access *a)
{
	return a->has_target && (a->flow == ACCESS_BRANCH || a->flow == ACCESS_JUMP);
}

static void find_leaders(struct follow *f)
{
	f->block_of = xcalloc(f->steps.n + 1, sizeof(f->block_of[0]));
	for (size_t i = 0; i < f->steps.n; i++) {
		const struct followed_step *s = &f->steps.items[i];
		bool is_gap = i && s[-1].addr + s[-1].access.length != s->addr;

		if (!i || is_gap)
			f->block_of[i] = 1;
		if (ends_block(&s->access))
			f->block_of[i + 1] = 1;
		if (follow_jumps(&s->access))
			f->block_of[step_at(f, s->access.target)] = 1;
	}
	f->block_of[step_at(f, f->context.function->entry)] = 1;
}

static void make_blocks(struct follow *f)
{
	find_leaders(f);
	for (size_t i = 0; i < f->steps.n; i++) {
		if (f->block_of[i]) {
			ARRAY_ADD(&f->blocks)->first = i;
			f->block_of[i] = (uint32_t)f->blocks.n;
		}
		f->blocks.items[f->blocks.n - 1].end = i + 1;
	}
}

/*
 * Enters a block with the state @s. A guess does not replace known states: most such blocks are
 * padding, or never reached.
 */
static void follow_enter(struct follow *f, size_t step, const struct held_state *s, bool is_guess)
{
	struct types_follow_block *b = step < f->steps.n && f->block_of[step]
					       ? &f->blocks.items[f->block_of[step] - 1]
					       : NULL;

	if (!b)
		return;
	if (!b->is_entered) {
		held_state_copy(&b->in, s);
		/*
		 * Done now, so that a pointer that is moved in a loop is merged with its start
		 * value.
		 */
		follow_variables(&f->context, &b->in, f->steps.items[step].addr);
		b->is_entered = b->is_pending = true;
		b->is_guess = is_guess;
	} else if ((!is_guess || b->is_guess) && b->rounds < ROUNDS_MAX &&
		   held_state_merge(&b->in, s)) {
		b->is_pending = true;
	}
}

static void note_spare(struct spare_state *spare, const struct held_state *s)
{
	if (spare->is_known) {
		held_state_merge(&spare->state, s);
	} else {
		held_state_copy(&spare->state, s);
		spare->is_known = true;
	}
}

/* Returns the number of the first variable whose location begins after @pc. */
static size_t variables_behind(const struct follow *f, uint64_t pc)
{
	const struct debug_function_types *t = f->context.function;

	return BISECT(k, t->variables.n, t->variables.items[k].start <= pc);
}

/* Returns the length of the instruction before step @i of @b; 0: another one may run before it. */
static uint8_t preceding_length(const struct follow *f, const struct types_follow_block *b,
				size_t i)
{
	const struct code_access *before = i > b->first ? &f->steps.items[i - 1].access : NULL;

	return before && before->flow == ACCESS_ON ? before->length : 0;
}

/*
 * Processes block @b, from its initial state in @s to its end. The accesses of its instructions are
 * added to @ret, unless that is NULL.
 */
static void walk_block(struct follow *f, const struct types_follow_block *b, struct held_state *s,
		       struct followed *ret)
{
	const struct debug_function_types *t = f->context.function;
	size_t next = variables_behind(f, f->steps.items[b->first].addr);

	held_state_copy(s, &b->in);
	follow_variables(&f->context, s, f->steps.items[b->first].addr);
	for (size_t i = b->first; i < b->end; i++) {
		const struct followed_step *step = &f->steps.items[i];

		for (; next < t->variables.n && t->variables.items[next].start <= step->addr;
		     next++)
			follow_variable(&f->context, s, &t->variables.items[next], step->addr);
		if (ret) {
			struct followed_access *a = ARRAY_ADD(ret);

			follow_operand(&f->context, s, &step->access, step->addr, a);
			a->preceding = preceding_length(f, b, i);
		}
		follow_step(&f->context, s, &step->access, step->addr);
		if (!ret && step->access.flow == ACCESS_CALL)
			note_spare(&f->at_calls, s);
	}
}

/* Processes block @b, and passes its final state to the blocks after it. */
static void run_block(struct follow *f, struct types_follow_block *b, struct held_state *s)
{
	const struct followed_step *last = &f->steps.items[b->end - 1];

	b->is_pending = false;
	b->rounds++;
	walk_block(f, b, s, NULL);
	if (last->access.flow == ACCESS_JUMP && !last->access.has_target)
		note_spare(&f->at_jumps, s);
	if (follow_jumps(&last->access))
		follow_enter(f, step_at(f, last->access.target), s, b->is_guess);
	if (follow_leads_on(&last->access))
		follow_enter(f, step_at(f, last->addr + last->access.length), s, b->is_guess);
}

static void run_pending(struct follow *f, struct held_state *s)
{
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < f->blocks.n; i++)
			if (f->blocks.items[i].is_pending) {
				run_block(f, &f->blocks.items[i], s);
				again = true;
			}
	}
}

/*
 * Processes blocks that are not known to be reached: targets of a switch, and landing pads of
 * exceptions. Their initial state is the one that holds wherever code jumps through a register, or
 * else at all calls: at least the frame.
 */
static void run_unreached(struct follow *f, struct held_state *s)
{
	for (size_t i = 0; i < f->blocks.n; i++) {
		struct types_follow_block *b = &f->blocks.items[i];

		if (b->is_entered)
			continue;
		follow_enter(f, b->first,
			     &(f->at_jumps.is_known ? &f->at_jumps : &f->at_calls)->state, true);
		run_pending(f, s);
	}
}

/*
 * True for structures of more than two registers that are not of floating point: those are returned
 * in other registers.
 */
static bool is_returned_in_memory(const struct c_type *t)
{
	const struct c_field *fields = NULL;
	const struct c_type *leaf = c_type_bare(t);

	if (!c_type_has_members(leaf) || c_type_size(leaf) <= 16)
		return false;
	for (unsigned depth = 0; depth < 8 && leaf; depth++) {
		if (leaf->kind == C_ARRAY)
			leaf = c_type_bare(c_type_target(leaf));
		else if (c_type_has_members(leaf) && c_type_fields(leaf, &fields))
			leaf = c_type_bare(fields[0].type);
		else
			return leaf->kind != C_FLOAT;
	}
	return false;
}

/*
 * Sets the state at the entry: the stack pointer, x86's below the return address, and the address
 * for a returned structure.
 */
static void enter_function(struct follow *f)
{
	const struct arch *a = f->context.source->arch;
	struct held_state s = { .slots = NULL };
	size_t entry = step_at(f, f->context.function->entry);

	s.regs[a->convention->sp] = (struct held){
		.kind = HELD_FRAME,
		.offset = a->convention->lr == ARCH_NO_REGISTER ? -8 : 0,
	};
	if (is_returned_in_memory(f->context.function->returned))
		s.regs[a->convention->result_address] = (struct held){
			.kind = HELD_POINTER,
			.type = f->context.function->returned,
		};
	entry = entry < f->steps.n ? entry : 0;
	argument_types_learn(&f->context, &f->steps.items[entry], f->steps.n - entry, &s);
	follow_enter(f, entry, &s, false);
	held_state_done(&s);
}

static void note_results(struct follow *f, struct held_state *s, struct followed *ret)
{
	for (size_t i = 0; i < f->blocks.n; i++)
		walk_block(f, &f->blocks.items[i], s, ret);
}

static void follow_done(struct follow *f)
{
	for (size_t i = 0; i < f->blocks.n; i++)
		held_state_done(&f->blocks.items[i].in);
	free(f->blocks.items);
	free(f->steps.items);
	free(f->block_of);
	held_state_done(&f->at_jumps.state);
	held_state_done(&f->at_calls.state);
	scope_variables_done(&f->context.variables);
}

void follow_function(const struct follow_source *source,
		     const struct debug_function_types *function, struct followed *ret)
{
	struct follow f = { .context = { .source = source, .function = function } };
	struct held_state s = { .slots = NULL };

	*ret = (struct followed){ .n = 0 };
	if (!code_access_knows(source->arch))
		return;
	scope_variables_init(&f.context.variables, function);
	for (size_t i = 0; i < function->ranges.n; i++)
		read_range(&f, function->ranges.items[i]);
	if (f.steps.n) {
		qsort(f.steps.items, f.steps.n, sizeof(f.steps.items[0]), follow_by_addr);
		end_final_calls(&f);
		make_blocks(&f);
		enter_function(&f);
		run_pending(&f, &s);
		run_unreached(&f, &s);
		note_results(&f, &s, ret);
	}
	held_state_done(&s);
	follow_done(&f);
}

void followed_done(struct followed *f)
{
	free(f->items);
	*f = (struct followed){ .n = 0 };
}

const struct followed_access *followed_find(const struct followed *f, uint64_t addr)
{
	size_t at = BISECT(k, f->n, f->items[k].addr < addr);

	return at < f->n && f->items[at].addr == addr ? &f->items[at] : NULL;
}
