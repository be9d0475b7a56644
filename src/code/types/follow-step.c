/* SPDX-License-Identifier: MIT */
#include "code/types/follow-step.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/c-type.h"
#include "code/types/follow.h"
#include "dwarf/debug-function.h"

static const struct held unknown = { .kind = HELD_UNKNOWN };

/* True if @h is a pointer to something that has members or a size. */
static bool tells_type(struct held h)
{
	const struct c_type *t = c_type_bare(h.type);

	return h.kind == HELD_POINTER && t && t->kind != C_VOID && t->kind != C_CHARACTER;
}

/*
 * True for a variable that is the register plus an offset. It is mostly a pointer to a member of
 * the register's target, so the variable shows nothing about the target itself.
 */
static bool points_outside(struct held h)
{
	return h.kind == HELD_POINTER &&
	       (h.offset < 0 || (h.offset && (uint64_t)h.offset >= c_type_size(h.type)));
}

/*
 * True if both are pointers to the same type, and the followed value has moved by whole elements.
 * The variable is then one element of an array, and unrolled code accesses the next ones, too.
 */
static bool is_in_array(struct held variable, struct held followed)
{
	uint64_t size = c_type_size(variable.type);

	return variable.kind == HELD_POINTER && followed.kind == HELD_POINTER && size &&
	       size <= INT32_MAX && c_type_bare(variable.type) == c_type_bare(followed.type) &&
	       !variable.offset && (followed.offset || followed.stride) &&
	       followed.offset % (int64_t)size == 0 && followed.stride % size == 0;
}

/*
 * Returns the contents of a register. A variable is more reliable than a followed value, unless it
 * has less information.
 */
struct held follow_register(const struct follow_context *c, const struct held_state *s, uint8_t reg,
			    uint64_t pc)
{
	struct held variable, followed;

	if (reg >= ACCESS_REGISTERS)
		return unknown;
	followed = s->regs[reg];
	variable = scope_variables_in(&c->variables, reg, pc);
	if (followed.kind == HELD_FRAME || variable.kind == HELD_UNKNOWN)
		return followed;
	if (points_outside(variable) && tells_type(followed))
		return followed;
	if (is_in_array(variable, followed))
		variable.stride = c_type_size(variable.type);
	if (!tells_type(variable) && (tells_type(followed) || followed.kind == HELD_ADDRESS))
		return followed;
	if (variable.kind == HELD_NUMBER && followed.kind != HELD_UNKNOWN)
		return followed;
	return variable;
}

void follow_variables(const struct follow_context *c, struct held_state *s, uint64_t pc)
{
	for (uint8_t i = 0; i < ACCESS_REGISTERS; i++)
		if (c->variables.regs[i].n)
			s->regs[i] = follow_register(c, s, i, pc);
}

void follow_variable(const struct follow_context *c, struct held_state *s,
		     const struct typed_variable *v, uint64_t pc)
{
	if ((v->where == TYPED_REGISTER || v->where == TYPED_SUM) && v->reg < ACCESS_REGISTERS)
		s->regs[v->reg] = follow_register(c, s, v->reg, pc);
}

/* An operand while it is determined: its object, and the origin. */
struct follow_step_operand {
	struct object_place place;
	uint64_t stride; /* stride of an index, as in struct held */
	bool is_found, is_followed;
};

/*
 * True if an index with @stride stays within @t: an index that leads from one variable to another
 * is not valid.
 */
static bool stays_within(const struct c_type *t, uint64_t stride)
{
	uint64_t size = c_type_size(t);

	return !size || stride < size;
}

static struct follow_step_operand static_operand(const struct follow_context *c, uint64_t pc,
						 uint64_t addr, uint64_t stride)
{
	struct follow_step_operand o = { .stride = stride };
	uint64_t start = 0;

	if (scope_variables_static(&c->variables, pc, addr, &o.place)) {
		o.is_found = stays_within(o.place.type, stride);
		return o;
	}
	o.place.type = c->source->static_type(c->source->arg, pc, addr, &start);
	o.place.offset = (int64_t)(addr - start);
	o.is_found = o.place.type && stays_within(o.place.type, stride);
	return o;
}

static struct follow_step_operand thread_operand(const struct follow_context *c, uint64_t pc,
						 int64_t offset, uint64_t stride)
{
	uint64_t at = (uint64_t)offset - (uint64_t)c->source->thread_start, start = 0;
	struct follow_step_operand o = { .stride = stride };

	o.is_found = scope_variables_thread(&c->variables, at, &o.place);
	if (!o.is_found) {
		o.place.type = c->source->thread_type(c->source->arg, pc, at, &start);
		o.place.offset = (int64_t)(at - start);
		o.is_found = o.place.type;
	}
	o.is_found = o.is_found && stays_within(o.place.type, stride);
	return o;
}

/* Finds the variable at @offset of the frame that is described relative to the contents of @reg. */
static bool variable_by_register(const struct follow_context *c, const struct held_state *s,
				 uint8_t reg, uint64_t pc, int64_t offset, struct object_place *ret)
{
	struct held h = follow_register(c, s, reg, pc);

	return h.kind == HELD_FRAME && !h.stride &&
	       scope_variables_at(&c->variables, pc, reg, offset - h.offset, ret);
}

/*
 * Finds the variable at @offset of the frame. gcc counts from the CFA; clang and Rust count from
 * the stack pointer or the frame pointer, whichever a function uses.
 */
static bool frame_variable(const struct follow_context *c, const struct held_state *s, uint64_t pc,
			   int64_t offset, struct object_place *ret)
{
	const struct arch_convention *convention = c->source->arch->convention;

	return scope_variables_frame(&c->variables, pc, offset, ret) ||
	       variable_by_register(c, s, convention->sp, pc, offset, ret) ||
	       variable_by_register(c, s, convention->fp, pc, offset, ret);
}

static struct follow_step_operand
held_operand(const struct follow_context *c, const struct held_state *s, struct held h, uint64_t pc)
{
	struct follow_step_operand o = { .stride = h.stride };

	switch (h.kind) {
	case HELD_POINTER:
		o.place = (struct object_place){ .type = h.type, .offset = h.offset };
		o.is_found = true;
		return o;
	case HELD_ADDRESS:
		return static_operand(c, pc, (uint64_t)h.offset, h.stride);
	case HELD_FRAME:
		o.is_found = (frame_variable(c, s, pc, h.offset, &o.place) ||
			      scope_variables_lone(&c->variables, h.offset, &o.place)) &&
			     stays_within(o.place.type, h.stride);
		return o;
	case HELD_THREAD:
		return thread_operand(c, pc, h.offset, h.stride);
	default:
		return o;
	}
}

/* True if the contents of @reg are those of its variable, and not a followed value. */
static bool follow_step_is_variable(const struct follow_context *c, uint8_t reg, uint64_t pc,
				    struct held h)
{
	struct held v = scope_variables_in(&c->variables, reg, pc);

	return h.kind == HELD_FRAME ||
	       (v.kind == h.kind && v.type == h.type && v.offset == h.offset);
}

/*
 * Returns @h plus itself times @scale (0: 1): `lea (%rdx,%rdx,2)` is three times rdx, which the sum
 * of two unknown numbers would not show.
 */
static struct held added_to_itself(struct held h, uint64_t scale)
{
	return held_scaled(h, (scale ? scale : 1) + 1);
}

/* Returns the address of @m, whose base register, if it has one, holds @base. */
static struct held follow_step_indexed(const struct follow_context *c, const struct held_state *s,
				       const struct access_memory *m, struct held base, uint64_t pc)
{
	struct held index;

	if (m->base == ACCESS_NONE)
		base = (struct held){ .kind = HELD_ADDRESS };
	if (m->base != ACCESS_NONE && m->index == m->base)
		return held_plus(added_to_itself(base, m->scale), m->offset);
	base = held_plus(base, m->offset);
	if (m->index == ACCESS_NONE)
		return base;
	index = follow_register(c, s, m->index, pc);
	return held_sum(base, m->scale > 1 ? held_scaled(index, m->scale) : index);
}

static struct follow_step_operand based_operand(const struct follow_context *c,
						const struct held_state *s,
						const struct access_memory *m, int64_t moved,
						uint64_t pc)
{
	struct held base = follow_register(c, s, m->base, pc);
	struct follow_step_operand o =
		held_operand(c, s, held_plus(follow_step_indexed(c, s, m, base, pc), moved), pc);

	o.is_followed = !follow_step_is_variable(c, m->base, pc, base);
	if (!o.is_found && base.kind != HELD_FRAME) {
		o.is_found = scope_variables_at(&c->variables, pc, m->base, m->offset + moved,
						&o.place);
		o.is_followed = false;
	}
	return o;
}

bool follow_on_frame(const struct follow_context *c, const struct held_state *s,
		     const struct code_access *a, uint64_t pc, int64_t *ret)
{
	struct held base;

	if (a->memory.base == ACCESS_NONE || a->memory.index != ACCESS_NONE)
		return false;
	base = follow_register(c, s, a->memory.base, pc);
	if (base.kind != HELD_FRAME || base.stride)
		return false;
	*ret = base.offset + a->before + a->memory.offset;
	return true;
}

/*
 * Returns the operand for a value saved in the frame where there is no variable: the contents of
 * the slot, or the value that is stored into it.
 */
static struct follow_step_operand saved_operand(const struct follow_context *c,
						const struct held_state *s,
						const struct code_access *a, uint64_t pc,
						int64_t frame)
{
	struct held h = a->action == ACCESS_STORE ? follow_register(c, s, a->from, pc)
						  : held_slot_get(s, frame, a->size);
	struct follow_step_operand o = { .place = { .type = h.value }, .is_followed = true };

	o.is_found = h.value && c_type_size(h.value) == a->size;
	/*
	 * A variable is in its slot once it is stored, and no longer in it after it was loaded
	 * last.
	 */
	if (!o.is_found)
		o.is_found = frame_variable(c, s, pc + a->length, frame, &o.place) ||
			     frame_variable(c, s, pc - 1, frame, &o.place);
	return o;
}

/* Returns an address with the segment of thread-local storage: its base is an offset. */
static struct held thread_address(const struct follow_context *c, const struct held_state *s,
				  const struct access_memory *m, uint64_t pc)
{
	struct held base = follow_register(c, s, m->base, pc);

	return held_sum((struct held){ .kind = HELD_THREAD },
			follow_step_indexed(c, s, m, base, pc));
}

static struct follow_step_operand follow_step_find_operand(const struct follow_context *c,
							   const struct held_state *s,
							   const struct code_access *a, uint64_t pc)
{
	const struct access_memory *m = &a->memory;

	if (m->segment == ACCESS_FS)
		return held_operand(c, s, thread_address(c, s, m, pc), pc);
	if (m->base == ACCESS_NONE)
		return held_operand(c, s, follow_step_indexed(c, s, m, unknown, pc), pc);
	return based_operand(c, s, m, a->before, pc);
}

/*
 * True if it saves or restores registers of the caller, as push and pop do. Machines with a link
 * register have no separate instructions for that.
 */
static bool saves_registers(const struct follow_context *c, const struct code_access *a)
{
	const struct arch_convention *convention = c->source->arch->convention;
	uint32_t clobbered = code_access_clobbered(c->source->arch);
	uint8_t reg = a->action == ACCESS_LOAD ? a->to : a->from;

	return convention->lr != ARCH_NO_REGISTER && a->memory.base == convention->sp &&
	       a->memory.index == ACCESS_NONE && a->size == 8 &&
	       (a->action == ACCESS_LOAD || a->action == ACCESS_STORE) && reg < ACCESS_REGISTERS &&
	       (reg == convention->lr || !(clobbered >> reg & 1));
}

/*
 * True for several bytes at an offset of a character, which are a member of something else: headers
 * lie before strings, and structures in buffers.
 */
static bool is_misfit(const struct follow_step_operand *o, uint64_t size)
{
	const struct c_type *t = c_type_bare(o->place.type);

	return t && (t->kind == C_CHARACTER || t->kind == C_BOOL) && !o->stride && size > 1 &&
	       (o->place.offset < 0 || (o->place.offset && size < 8));
}

void follow_operand(const struct follow_context *c, const struct held_state *s,
		    const struct code_access *a, uint64_t pc, struct followed_access *ret)
{
	struct follow_step_operand o;
	int64_t frame;

	*ret = (struct followed_access){ .addr = pc, .size = a->size };
	if (a->is_stack) {
		ret->status = FOLLOW_STACK;
		return;
	}
	if (!a->has_memory) {
		ret->status = FOLLOW_NO_MEMORY;
		return;
	}
	o = follow_step_find_operand(c, s, a, pc);
	if (!o.is_found && follow_on_frame(c, s, a, pc, &frame))
		o = saved_operand(c, s, a, pc, frame);
	if (!o.is_found) {
		ret->status = a->flow == ACCESS_CALL || saves_registers(c, a) ? FOLLOW_STACK
									      : FOLLOW_NO_TYPE;
		return;
	}
	if (is_misfit(&o, a->size)) {
		ret->status = FOLLOW_BAD_OFFSET;
		return;
	}
	switch (object_place_settle(&o.place, o.stride)) {
	case OBJECT_FOUND:
		ret->status = FOLLOW_FOUND;
		ret->place = o.place;
		ret->is_followed = o.is_followed;
		break;
	case OBJECT_NO_TYPE:
		ret->status = FOLLOW_NO_VOID;
		break;
	case OBJECT_BAD_OFFSET:
		ret->status = FOLLOW_BAD_OFFSET;
	}
}

/* True for a word of the GOT, or the thread pointer at the beginning of its target (x86). */
static bool is_constant(const struct follow_context *c, const struct held_state *s,
			const struct code_access *a, uint64_t pc, int64_t from, struct held *ret)
{
	struct held at = follow_step_indexed(c, s, &a->memory,
					     follow_register(c, s, a->memory.base, pc), pc);

	if (a->size != 8 || at.kind != HELD_ADDRESS || at.stride)
		return false;
	if (a->memory.segment == ACCESS_FLAT)
		return c->source->constant(c->source->arg, pc, (uint64_t)(at.offset + from), ret);
	if (a->memory.segment != ACCESS_FS || at.offset || from)
		return false;
	*ret = (struct held){ .kind = HELD_THREAD };
	return true;
}

/* Returns the value that is loaded from the operand, @from bytes after its beginning. */
static struct held follow_step_loaded(const struct follow_context *c, const struct held_state *s,
				      const struct code_access *a, uint64_t pc, int64_t from)
{
	struct follow_step_operand o = follow_step_find_operand(c, s, a, pc);
	struct held h = unknown, slot;
	int64_t frame;

	if (is_constant(c, s, a, pc, from, &h))
		return h;
	if (o.is_found) {
		o.place.offset += from;
		if (object_place_settle(&o.place, o.stride) == OBJECT_FOUND)
			h = object_held(&o.place, a->size);
	}
	if (tells_type(h) || !follow_on_frame(c, s, a, pc, &frame))
		return h;
	slot = held_slot_get(s, frame + from, a->size);
	return slot.kind == HELD_UNKNOWN ? h : slot;
}

bool follow_stored(const struct follow_context *c, const struct held_state *s,
		   const struct code_access *a, uint64_t pc, int64_t from, struct held *ret)
{
	struct follow_step_operand o = { .is_found = true };
	struct held h;
	int64_t frame;

	/* A slot of the frame may hold a variable at one time, and a copy at another. */
	if (follow_on_frame(c, s, a, pc, &frame))
		o.is_found = frame_variable(c, s, pc, frame, &o.place);
	else
		o = follow_step_find_operand(c, s, a, pc);
	o.place.offset += from;
	if (!o.is_found || object_place_settle(&o.place, o.stride) != OBJECT_FOUND)
		return false;
	h = object_held(&o.place, a->size);
	if (!tells_type(h)) {
		const struct c_type *t = c_type_piece(o.place.type, (uint64_t)o.place.offset,
						      a->size);

		h = t ? held_of_type(t) : unknown;
	}
	if (h.kind != HELD_UNKNOWN)
		*ret = h;
	return h.kind != HELD_UNKNOWN;
}

static void follow_step_set(struct held_state *s, uint8_t reg, struct held h)
{
	if (reg < ACCESS_REGISTERS)
		s->regs[reg] = h;
}

static void follow_step_load(const struct follow_context *c, struct held_state *s,
			     const struct code_access *a, uint64_t pc)
{
	struct held first = follow_step_loaded(c, s, a, pc, 0);
	struct held second = a->second == ACCESS_NONE ? unknown
						      : follow_step_loaded(c, s, a, pc, a->size);

	follow_step_set(s, a->to, first);
	follow_step_set(s, a->second, second);
}

/*
 * Gives a value the type of the variable into which it is stored, if nothing else is known about
 * it.
 */
static void learn_from_store(const struct follow_context *c, struct held_state *s,
			     const struct code_access *a, uint64_t pc, uint8_t reg, int64_t from)
{
	struct held h = follow_register(c, s, reg, pc);

	if (reg < ACCESS_REGISTERS &&
	    (h.kind == HELD_UNKNOWN || (h.kind == HELD_POINTER && !h.type)))
		follow_stored(c, s, a, pc, from, &s->regs[reg]);
}

static void follow_step_store(const struct follow_context *c, struct held_state *s,
			      const struct code_access *a, uint64_t pc)
{
	int64_t frame;

	learn_from_store(c, s, a, pc, a->from, 0);
	learn_from_store(c, s, a, pc, a->second, a->size);
	if (!follow_on_frame(c, s, a, pc, &frame))
		return;
	held_slot_set(s, frame, a->size, follow_register(c, s, a->from, pc));
	if (a->second != ACCESS_NONE)
		held_slot_set(s, frame + a->size, a->size, follow_register(c, s, a->second, pc));
}

static void step_address(const struct follow_context *c, struct held_state *s,
			 const struct code_access *a, uint64_t pc)
{
	const struct access_memory *m = &a->memory;
	struct held base = follow_register(c, s, m->base, pc);
	struct object_place place;
	struct held h = follow_step_indexed(c, s, m, base, pc);

	if (m->base != ACCESS_NONE && m->index == ACCESS_NONE && base.kind < HELD_POINTER &&
	    scope_variables_at(&c->variables, pc, m->base, m->offset, &place))
		h = (struct held){ .kind = HELD_POINTER,
				   .type = place.type,
				   .offset = place.offset };
	follow_step_set(s, a->to, m->segment == ACCESS_FLAT ? h : unknown);
}

const struct typed_call *follow_call(const struct follow_context *c, uint64_t pc)
{
	const struct debug_function_types *f = c->function;
	size_t at = BISECT(k, f->calls.n, f->calls.items[k].addr < pc);

	return at < f->calls.n && f->calls.items[at].addr == pc ? &f->calls.items[at] : NULL;
}

static void step_call(const struct follow_context *c, struct held_state *s,
		      const struct code_access *a, uint64_t pc)
{
	const struct typed_call *call = follow_call(c, pc + a->length);
	const struct c_type *type = NULL;

	held_state_clobber(s, code_access_clobbered(c->source->arch));
	if (call)
		type = call->type;
	else if (a->has_target)
		type = c->source->returned(c->source->arg, a->target);
	/* Register 0 holds the return value, on both machines. */
	if (type)
		s->regs[0] = held_of_type(type);
}

static void move_base(struct held_state *s, const struct code_access *a, struct held base)
{
	uint8_t reg = a->memory.base;

	/* A load into its own base does not change where the base points to. */
	if (reg >= ACCESS_REGISTERS || a->to == reg)
		return;
	s->regs[reg] = held_plus(base, (int64_t)a->before + a->after);
}

/* A 32-bit result is a number. */
static void set_sum(struct held_state *s, const struct code_access *a, struct held sum)
{
	follow_step_set(s, a->to, a->is_narrow ? held_scaled(sum, 1) : sum);
}

static void step_multiply(const struct follow_context *c, struct held_state *s,
			  const struct code_access *a, uint64_t pc)
{
	struct held h = held_product(follow_register(c, s, a->from, pc),
				     follow_register(c, s, a->other, pc));

	if (a->second != ACCESS_NONE)
		h = held_sum(h, follow_register(c, s, a->second, pc));
	set_sum(s, a, h);
}

static void move_stack(const struct follow_context *c, struct held_state *s, int64_t step)
{
	uint8_t sp = c->source->arch->convention->sp;

	s->regs[sp] = held_plus(s->regs[sp], step);
}

void follow_step(const struct follow_context *c, struct held_state *s, const struct code_access *a,
		 uint64_t pc)
{
	bool moves_base = a->before || a->after;
	struct held base = moves_base ? follow_register(c, s, a->memory.base, pc) : unknown;
	struct held first = follow_register(c, s, a->from, pc), other;

	if (a->has_memory && (a->action == ACCESS_ADD || a->action == ACCESS_SUBTRACT))
		other = follow_step_loaded(c, s, a, pc, 0);
	else
		other = follow_register(c, s, a->other, pc);
	if (a->scale > 1)
		other = held_scaled(other, a->scale);
	switch (a->action) {
	case ACCESS_THREAD:
		follow_step_set(s, a->to, (struct held){ .kind = HELD_THREAD });
		break;
	case ACCESS_COPY:
		follow_step_set(s, a->to, first);
		break;
	case ACCESS_CHOOSE:
		follow_step_set(s, a->to, held_choose(first, other));
		break;
	case ACCESS_ADD:
		set_sum(s, a,
			a->from == a->other ? added_to_itself(first, a->scale)
					    : held_sum(first, other));
		break;
	case ACCESS_SUBTRACT:
		set_sum(s, a, held_difference(first, other));
		break;
	case ACCESS_SCALE:
		follow_step_set(s, a->to, held_scaled(first, a->scale));
		break;
	case ACCESS_MULTIPLY:
		step_multiply(c, s, a, pc);
		break;
	case ACCESS_INSERT:
		held_state_clobber(s, 1U << a->to);
		break;
	case ACCESS_ADDRESS:
		step_address(c, s, a, pc);
		break;
	case ACCESS_LOAD:
		follow_step_load(c, s, a, pc);
		break;
	case ACCESS_STORE:
		follow_step_store(c, s, a, pc);
		break;
	case ACCESS_OTHER:
		break;
	}
	if (moves_base)
		move_base(s, a, base);
	if (a->stack_step)
		move_stack(c, s, a->stack_step);
	held_state_clobber(s, a->written);
	if (a->flow == ACCESS_CALL)
		step_call(c, s, a, pc);
}
