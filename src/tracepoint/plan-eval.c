/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-node.h"

#include <string.h>

#include "tracepoint/format.h"
#include "tracepoint/plan.h"

#define MILLISECONDS 1000

uint64_t integer_at(const struct plan_run *run, const uint8_t *p, unsigned bytes)
{
	return raw_number(p, bytes, run->machine->swap);
}

uint64_t record_load(struct plan_run *run, uint32_t offset, unsigned bytes)
{
	if (offset + bytes > run->size) {
		run->truncated = true;
		return 0;
	}
	return integer_at(run, run->raw + offset, bytes);
}

/* Returns @s, and notes if the end of the record truncates it. */
static struct raw_span note_cut(struct plan_run *run, struct raw_span s)
{
	run->truncated |= s.is_cut;
	return s;
}

static struct raw_span dynamic_span(struct plan_run *run, uint32_t offset, uint32_t origin)
{
	return note_cut(run, raw_dynamic(run->raw, run->size, run->machine->swap, offset, origin));
}

static struct raw_span span_without(struct raw_span s, uint64_t elements, unsigned bytes)
{
	uint64_t skip;

	if (__builtin_mul_overflow(elements, bytes, &skip) || skip > s.size)
		skip = s.size;
	return (struct raw_span){ s.bytes + skip, s.size - (uint32_t)skip, s.is_cut };
}

struct raw_span field_locate(struct plan_run *run, const struct tracepoint_field *f)
{
	struct field_ref ref = field_ref_of(f, run->machine->swap);

	return note_cut(run, field_ref_bytes(&ref, run->raw, run->size));
}

struct raw_span node_locate(struct plan_run *run, uint32_t node)
{
	const struct plan_node *n = &run->plan->nodes.items[node];

	switch (n->op) {
	case NODE_FIELD:
		return note_cut(run,
				raw_span_at(run->raw, run->size, n->a, n->b ? n->b : SIZE_MAX));
	case NODE_DYNAMIC:
		return dynamic_span(run, n->a, 0);
	case NODE_RELATIVE:
		return dynamic_span(run, n->a, n->a + (uint32_t)sizeof(uint32_t));
	case NODE_OFFSET:
		return span_without(node_locate(run, n->a), node_evaluate(run, n->b), n->bytes);
	case NODE_CHOICE:
		return node_locate(run, node_evaluate(run, n->a) ? n->b : n->c);
	default:
		return raw_span_at(run->raw, run->size, 0, 0);
	}
}

/* Returns the value of a place if it has the width of an integer: "%x" of a u8[4]. */
static uint64_t plan_eval_place_value(struct plan_run *run, uint32_t node)
{
	struct raw_span s = node_locate(run, node);

	if (s.size == 1 || s.size == 2 || s.size == 4 || s.size == 8)
		return integer_at(run, s.bytes, (unsigned)s.size);
	return 0;
}

static uint64_t element_value(struct plan_run *run, const struct plan_node *n)
{
	struct raw_span s = span_without(node_locate(run, n->a), node_evaluate(run, n->b),
					 n->bytes);

	if (s.size < n->bytes)
		return 0;
	return number_extend(integer_at(run, s.bytes, n->bytes), n->bytes, n->is_signed);
}

/*
 * Converts jiffies to milliseconds. Without the length of a tick they are returned unchanged, which
 * keeps their order.
 */
static uint64_t plan_eval_milliseconds(const struct plan_run *run, uint64_t jiffies)
{
	return run->machine->hz ? jiffies * MILLISECONDS / run->machine->hz : jiffies;
}

static uint64_t plan_eval_divide(bool is_signed, bool want_rest, uint64_t a, uint64_t b)
{
	if (!b)
		return want_rest ? a : 0;
	if (!is_signed)
		return want_rest ? a % b : a / b;
	if ((int64_t)b == -1)
		return want_rest ? 0 : -a;
	return (uint64_t)(want_rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static bool plan_eval_less(bool is_signed, uint64_t a, uint64_t b)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t plan_eval_operate(const struct plan_node *n, bool is_signed, uint64_t a, uint64_t b)
{
	/* The shift count is taken modulo the number of bits, as machines do it. */
	unsigned by = (unsigned)b & (8u * n->bytes - 1);

	switch (n->op) {
	case NODE_MULTIPLY:
		return a * b;
	case NODE_DIVIDE:
	case NODE_REMAINDER:
		return plan_eval_divide(is_signed, n->op == NODE_REMAINDER, a, b);
	case NODE_ADD:
		return a + b;
	case NODE_SUBTRACT:
		return a - b;
	case NODE_LEFT:
		return a << by;
	case NODE_RIGHT:
		return is_signed ? (uint64_t)((int64_t)a >> by) : a >> by;
	case NODE_LESS:
		return plan_eval_less(is_signed, a, b);
	case NODE_LESS_EQUAL:
		return !plan_eval_less(is_signed, b, a);
	case NODE_EQUAL:
		return a == b;
	case NODE_UNEQUAL:
		return a != b;
	case NODE_BIT_AND:
		return a & b;
	case NODE_BIT_XOR:
		return a ^ b;
	case NODE_BIT_OR:
		return a | b;
	default:
		return 0;
	}
}

uint64_t binary_evaluate(const struct plan_node *n, bool is_signed, uint64_t a, uint64_t b)
{
	return number_extend(plan_eval_operate(n, is_signed, a, b), n->bytes, n->is_signed);
}

static uint64_t plan_eval_fit(const struct plan_node *n, uint64_t value)
{
	return number_extend(value, n->bytes, n->is_signed);
}

uint64_t node_evaluate(struct plan_run *run, uint32_t node)
{
	const struct plan_node *n = &run->plan->nodes.items[node];

	switch (n->op) {
	case NODE_CONSTANT:
		return n->value;
	case NODE_LOAD:
		return plan_eval_fit(n, record_load(run, n->a, n->bytes));
	case NODE_ELEMENT:
		return element_value(run, n);
	case NODE_LENGTH:
		return node_locate(run, n->a).size;
	case NODE_CAST:
		return plan_eval_fit(n, node_evaluate(run, n->a));
	case NODE_NEGATE:
		return plan_eval_fit(n, -node_evaluate(run, n->a));
	case NODE_COMPLEMENT:
		return plan_eval_fit(n, ~node_evaluate(run, n->a));
	case NODE_NOT:
		return !node_evaluate(run, n->a);
	case NODE_AND:
		return node_evaluate(run, n->a) && node_evaluate(run, n->b);
	case NODE_OR:
		return node_evaluate(run, n->a) || node_evaluate(run, n->b);
	case NODE_MILLISECONDS:
		return plan_eval_fit(n, plan_eval_milliseconds(run, node_evaluate(run, n->a)));
	case NODE_CHOICE:
		return node_evaluate(run, node_evaluate(run, n->a) ? n->b : n->c);
	case NODE_FIELD:
	case NODE_DYNAMIC:
	case NODE_RELATIVE:
	case NODE_OFFSET:
		return plan_eval_place_value(run, node);
	case NODE_LITERAL:
	case NODE_FLAGS:
	case NODE_SYMBOLIC:
	case NODE_HEX:
	case NODE_NUMBERS:
	case NODE_BITMASK:
		return 0;
	default:
		return binary_evaluate(n, run->plan->nodes.items[n->a].is_signed,
				       node_evaluate(run, n->a), node_evaluate(run, n->b));
	}
}
