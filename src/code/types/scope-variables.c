/* SPDX-License-Identifier: MIT */
#include "code/types/scope-variables.h"

#include <stdlib.h>

#include "base/c-type.h"
#include "base/memory.h"
#include "dwarf/debug-function.h"

/* Larger structures are treated as equally large. */
#define SIZE_MAX_RANKED (1u << 24)

/*
 * Returns the rank of a variable. Several variables may be in one register: parameters of inlined
 * functions are copies. A pointer to a structure has more information than a pointer to void or a
 * number. The register itself has more than a sum, which is mostly the address of a member. Of two
 * structures the larger one has more, because the other is its beginning. After that the innermost
 * one counts.
 */
static uint64_t rank_of(const struct typed_variable *v, struct held h)
{
	const struct c_type *target = c_type_bare(h.type);
	bool has_members = c_type_has_members(target);
	uint64_t quality = 1, size = has_members ? target->size : 0;

	if (h.kind == HELD_POINTER)
		quality = !target ? 2 : has_members && size ? 4 : 3;
	if (size > SIZE_MAX_RANKED)
		size = SIZE_MAX_RANKED;
	return quality << 41 | (uint64_t)(v->where == TYPED_REGISTER) << 40 | size << 8 | v->depth;
}

/*
 * Returns the contents of a variable. A structure in a register, such as a smart pointer, is its
 * only member.
 */
static struct held held_of_variable(const struct c_type *t)
{
	const struct c_type *only = c_type_has_members(c_type_bare(t))
					    ? c_type_piece(t, 0, c_type_size(t))
					    : NULL;

	return held_of_type(only ? only : t);
}

void scope_variables_init(struct scope_variables *v, const struct debug_function_types *f)
{
	*v = (struct scope_variables){ .function = f };
	v->held = xcalloc(f->variables.n + 1, sizeof(v->held[0]));
	for (uint32_t i = 0; i < f->variables.n; i++) {
		const struct typed_variable *t = &f->variables.items[i];

		if (t->where != TYPED_REGISTER && t->where != TYPED_SUM) {
			*ARRAY_ADD(&v->memory) = i;
		} else if (t->reg < ACCESS_REGISTERS) {
			struct held h = held_of_variable(t->type);

			range_map_add(&v->regs[t->reg], t->start, t->end, rank_of(t, h), i);
			/*
			 * The variable is the register plus an offset, so the offset is subtracted
			 * for the register.
			 */
			v->held[i] = held_plus(h, t->where == TYPED_SUM ? -t->offset : 0);
		}
	}
	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		range_map_settle(&v->regs[i]);
}

void scope_variables_done(struct scope_variables *v)
{
	for (size_t i = 0; i < ACCESS_REGISTERS; i++)
		range_map_done(&v->regs[i]);
	free(v->memory.items);
	free(v->held);
}

struct held scope_variables_in(const struct scope_variables *v, uint8_t reg, uint64_t pc)
{
	const struct range *r = v->regs[reg].n ? range_map_find(&v->regs[reg], pc) : NULL;

	return r ? v->held[r->value] : (struct held){ .kind = HELD_UNKNOWN };
}

static bool scope_variables_covers(const struct typed_variable *t, uint64_t pc)
{
	return t->start <= pc && pc < t->end;
}

/* Finds the innermost variable of @where that contains @offset; the last one of equals. */
static bool scope_variables_find(const struct scope_variables *v, enum typed_where where,
				 uint64_t pc, uint8_t reg, int64_t offset, struct object_place *ret)
{
	const struct typed_variable *best = NULL;

	for (size_t i = 0; i < v->memory.n; i++) {
		const struct typed_variable *t = &v->function->variables.items[v->memory.items[i]];

		if (t->where != where || (where == TYPED_AT_REGISTER && t->reg != reg) ||
		    offset < t->offset ||
		    (where != TYPED_THREAD_LOCAL && !scope_variables_covers(t, pc)) ||
		    (best && best->depth > t->depth) ||
		    (uint64_t)(offset - t->offset) >= c_type_size(t->type))
			continue;
		best = t;
	}
	if (best)
		*ret = (struct object_place){ .type = best->type, .offset = offset - best->offset };
	return best;
}

bool scope_variables_frame(const struct scope_variables *v, uint64_t pc, int64_t offset,
			   struct object_place *ret)
{
	return scope_variables_find(v, TYPED_FRAME, pc, 0, offset, ret);
}

bool scope_variables_lone(const struct scope_variables *v, int64_t offset, struct object_place *ret)
{
	const struct typed_variable *found = NULL;

	for (size_t i = 0; i < v->memory.n; i++) {
		const struct typed_variable *t = &v->function->variables.items[v->memory.items[i]];

		if (t->where != TYPED_FRAME || offset < t->offset ||
		    (uint64_t)(offset - t->offset) >= c_type_size(t->type))
			continue;
		if (found && (found->offset != t->offset || found->type != t->type))
			return false;
		found = t;
	}
	if (found)
		*ret = (struct object_place){ .type = found->type,
					      .offset = offset - found->offset };
	return found;
}

bool scope_variables_at(const struct scope_variables *v, uint64_t pc, uint8_t reg, int64_t offset,
			struct object_place *ret)
{
	return scope_variables_find(v, TYPED_AT_REGISTER, pc, reg, offset, ret);
}

bool scope_variables_static(const struct scope_variables *v, uint64_t pc, uint64_t addr,
			    struct object_place *ret)
{
	return scope_variables_find(v, TYPED_STATIC, pc, 0, (int64_t)addr, ret);
}

bool scope_variables_thread(const struct scope_variables *v, uint64_t offset,
			    struct object_place *ret)
{
	return scope_variables_find(v, TYPED_THREAD_LOCAL, 0, 0, (int64_t)offset, ret);
}
