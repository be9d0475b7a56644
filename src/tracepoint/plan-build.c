/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-build.h"

#include <string.h>

#include "base/memory.h"
#include "tracepoint/format.h"
#include "tracepoint/plan-type.h"

static struct plan_node *node_at(const struct plan_parser *p, uint32_t node)
{
	return &p->plan->nodes.items[node];
}

bool node_is(const struct plan_parser *p, uint32_t node, enum node_kind kind)
{
	return node != PLAN_NO_NODE && node_at(p, node)->kind == kind;
}

bool node_is_constant(const struct plan_parser *p, uint32_t node, uint64_t *ret)
{
	if (node == PLAN_NO_NODE || node_at(p, node)->op != NODE_CONSTANT)
		return false;
	*ret = node_at(p, node)->value;
	return true;
}

/* Returns how many of a, b and c are nodes. */
static unsigned build_operands(const struct plan_node *n)
{
	switch (n->op) {
	case NODE_CONSTANT:
	case NODE_LOAD:
	case NODE_FIELD:
	case NODE_DYNAMIC:
	case NODE_RELATIVE:
	case NODE_LITERAL:
		return 0;
	case NODE_LENGTH:
	case NODE_CAST:
	case NODE_NEGATE:
	case NODE_COMPLEMENT:
	case NODE_NOT:
	case NODE_MILLISECONDS:
	case NODE_FLAGS:
	case NODE_SYMBOLIC:
	case NODE_BITMASK:
		return 1;
	case NODE_CHOICE:
	case NODE_NUMBERS:
		return 3;
	default:
		return 2;
	}
}

static enum node_kind build_kind_of(const struct plan_parser *p, const struct plan_node *n)
{
	if (n->op >= NODE_LITERAL)
		return NODE_STRING;
	if (n->op >= NODE_FIELD)
		return NODE_PLACE;
	if (n->op != NODE_CHOICE)
		return NODE_INTEGER;

	enum node_kind yes = node_at(p, n->b)->kind, no = node_at(p, n->c)->kind;

	return yes == NODE_STRING || no == NODE_STRING ? NODE_STRING : yes < no ? yes : no;
}

uint32_t build_node(struct plan_parser *p, struct plan_node node)
{
	const uint32_t below[] = { node.a, node.b, node.c };

	node.cost = 1;
	node.depth = 0;
	for (unsigned i = 0; i < build_operands(&node); i++) {
		if (below[i] == PLAN_NO_NODE)
			return PLAN_NO_NODE;

		const struct plan_node *n = node_at(p, below[i]);

		node.cost += n->cost;
		if (n->depth >= node.depth)
			node.depth = n->depth + 1;
	}
	if (node.depth > PLAN_DEPTH_MAX || node.cost > PLAN_COST_MAX ||
	    p->plan->nodes.n == PLAN_NODES_MAX)
		return parser_refuse(p, "an expression is too large");
	node.kind = build_kind_of(p, &node);
	*ARRAY_ADD(&p->plan->nodes) = node;
	return (uint32_t)p->plan->nodes.n - 1;
}

uint32_t build_constant(struct plan_parser *p, uint64_t value, unsigned bytes, bool is_signed)
{
	return build_node(p, (struct plan_node){ .op = NODE_CONSTANT,
						 .bytes = (uint8_t)bytes,
						 .is_signed = is_signed,
						 .value = number_extend(value, bytes, is_signed) });
}

uint32_t build_cast(struct plan_parser *p, uint32_t operand, unsigned bytes, bool is_signed)
{
	uint64_t value;

	if (operand == PLAN_NO_NODE || !bytes)
		return operand;
	if (node_is_constant(p, operand, &value))
		return build_constant(p, value, bytes, is_signed);

	const struct plan_node *n = node_at(p, operand);

	if (n->bytes == bytes && n->is_signed == is_signed && !node_is(p, operand, NODE_PLACE))
		return operand;
	return build_node(p, (struct plan_node){ .op = NODE_CAST,
						 .bytes = (uint8_t)bytes,
						 .is_signed = is_signed,
						 .a = operand });
}

/* Applies C's integer promotion: a type narrower than int becomes int. */
static uint32_t build_promote(struct plan_parser *p, uint32_t operand)
{
	if (operand == PLAN_NO_NODE || node_at(p, operand)->bytes >= 4)
		return operand;
	return build_cast(p, operand, 4, true);
}

uint32_t build_unary(struct plan_parser *p, enum node_op op, uint32_t operand)
{
	if (node_is(p, operand, NODE_STRING))
		return parser_refuse(p, "a string is not a number");

	uint32_t a = build_promote(p, operand);

	if (a == PLAN_NO_NODE)
		return a;

	struct plan_node n = { .op = op,
			       .bytes = node_at(p, a)->bytes,
			       .is_signed = node_at(p, a)->is_signed,
			       .a = a };
	uint64_t value;

	if (op == NODE_NOT) {
		n.bytes = 4;
		n.is_signed = true;
	}
	if (!node_is_constant(p, a, &value))
		return build_node(p, n);
	value = op == NODE_NEGATE ? -value : op == NODE_NOT ? !value : ~value;
	return build_constant(p, value, n.bytes, n.is_signed);
}

/*
 * Applies C's usual arithmetic conversions: both operands get the wider type; if both have the same
 * width, the unsigned one.
 */
static void build_balance(struct plan_parser *p, uint32_t *a, uint32_t *b)
{
	const struct plan_node *x = node_at(p, *a), *y = node_at(p, *b);
	unsigned bytes = x->bytes > y->bytes ? x->bytes : y->bytes;
	bool is_signed = (x->bytes < bytes || x->is_signed) && (y->bytes < bytes || y->is_signed);

	*a = build_cast(p, *a, bytes, is_signed);
	*b = build_cast(p, *b, bytes, is_signed);
}

static bool is_comparison(enum node_op op)
{
	return (op >= NODE_LESS && op <= NODE_UNEQUAL) || op == NODE_AND || op == NODE_OR;
}

static uint32_t build_arithmetic(struct plan_parser *p, enum node_op op, uint32_t a, uint32_t b)
{
	a = build_promote(p, a);
	b = build_promote(p, b);
	if (a == PLAN_NO_NODE || b == PLAN_NO_NODE)
		return PLAN_NO_NODE;
	if (op != NODE_LEFT && op != NODE_RIGHT)
		build_balance(p, &a, &b);
	if (a == PLAN_NO_NODE || b == PLAN_NO_NODE)
		return PLAN_NO_NODE;

	bool is_signed = node_at(p, a)->is_signed, says_whether = is_comparison(op);
	struct plan_node n = { .op = op,
			       .bytes = says_whether ? 4 : node_at(p, a)->bytes,
			       .is_signed = says_whether || is_signed,
			       .a = a,
			       .b = b };
	uint64_t x, y;

	if (!node_is_constant(p, a, &x) || !node_is_constant(p, b, &y))
		return build_node(p, n);
	if (op == NODE_AND || op == NODE_OR)
		return build_constant(p, op == NODE_AND ? x && y : x || y, 4, true);
	return build_constant(p, binary_evaluate(&n, is_signed, x, y), n.bytes, n.is_signed);
}

uint32_t build_binary(struct plan_parser *p, enum node_op op, uint32_t a, uint32_t b)
{
	if (a == PLAN_NO_NODE || b == PLAN_NO_NODE)
		return PLAN_NO_NODE;
	if (node_is(p, a, NODE_STRING) || node_is(p, b, NODE_STRING))
		return parser_refuse(p, "a string is not a number");
	if (op == NODE_ADD && node_is(p, a, NODE_PLACE))
		return build_offset(p, a, b);
	return build_arithmetic(p, op, a, b);
}

uint32_t build_choice(struct plan_parser *p, uint32_t condition, uint32_t yes, uint32_t no)
{
	uint64_t value;

	if (condition == PLAN_NO_NODE || yes == PLAN_NO_NODE || no == PLAN_NO_NODE)
		return PLAN_NO_NODE;
	if (node_is(p, condition, NODE_STRING))
		return parser_refuse(p, "a string is not a condition");
	if (!node_is(p, yes, NODE_STRING) && !node_is(p, no, NODE_STRING) &&
	    !node_is(p, yes, NODE_PLACE) && !node_is(p, no, NODE_PLACE)) {
		yes = build_promote(p, yes);
		no = build_promote(p, no);
		if (yes == PLAN_NO_NODE || no == PLAN_NO_NODE)
			return PLAN_NO_NODE;
		build_balance(p, &yes, &no);
	}
	if (yes == PLAN_NO_NODE || no == PLAN_NO_NODE)
		return PLAN_NO_NODE;
	if (node_is_constant(p, condition, &value))
		return value ? yes : no;
	return build_node(p, (struct plan_node){ .op = NODE_CHOICE,
						 .bytes = node_at(p, yes)->bytes,
						 .is_signed = node_at(p, yes)->is_signed,
						 .a = condition,
						 .b = yes,
						 .c = no });
}

uint32_t build_offset(struct plan_parser *p, uint32_t place, uint32_t by)
{
	return build_node(p, (struct plan_node){ .op = NODE_OFFSET,
						 .bytes = node_at(p, place)->bytes,
						 .is_signed = node_at(p, place)->is_signed,
						 .a = place,
						 .b = by });
}

uint32_t build_retyped(struct plan_parser *p, uint32_t place, struct integer_type element)
{
	return build_node(p,
			  (struct plan_node){ .op = NODE_OFFSET,
					      .bytes = element.bytes ? (uint8_t)element.bytes : 1,
					      .is_signed = element.is_signed,
					      .a = place,
					      .b = build_constant(p, 0, 4, true) });
}

uint32_t build_address(struct plan_parser *p, uint32_t operand)
{
	if (operand == PLAN_NO_NODE || node_is(p, operand, NODE_PLACE))
		return operand;

	struct plan_node n = *node_at(p, operand);

	if (n.op == NODE_ELEMENT)
		return build_offset(p, n.a, n.b);
	if (n.op != NODE_LOAD)
		return parser_refuse(p, "an address lies outside of the record");
	n.op = NODE_FIELD;
	return build_node(p, n);
}

/*
 * Returns a fixed element like args[2], which has a constant place like any field. The most
 * frequent tracepoint has six of them.
 */
static uint32_t build_fixed_element(struct plan_parser *p, struct plan_node field, uint64_t index)
{
	uint32_t skipped = (uint32_t)index * field.bytes;

	field.op = NODE_LOAD;
	field.a += skipped;
	field.b -= skipped;
	return build_node(p, field);
}

uint32_t build_index(struct plan_parser *p, uint32_t place, uint32_t index)
{
	uint64_t value;

	if (place == PLAN_NO_NODE || index == PLAN_NO_NODE)
		return PLAN_NO_NODE;
	if (!node_is(p, place, NODE_PLACE) || node_is(p, index, NODE_STRING))
		return parser_refuse(p, "what is not an array has an index");

	struct plan_node n = *node_at(p, place);

	if (n.op == NODE_FIELD && node_is_constant(p, index, &value) && value < n.b / n.bytes)
		return build_fixed_element(p, n, value);
	n.op = NODE_ELEMENT;
	n.a = place;
	n.b = index;
	return build_node(p, n);
}

uint32_t build_record(struct plan_parser *p)
{
	return build_node(p, (struct plan_node){ .op = NODE_FIELD, .bytes = 1 });
}

bool node_is_record(const struct plan_parser *p, uint32_t node)
{
	return node_is(p, node, NODE_PLACE) && node_at(p, node)->op == NODE_FIELD &&
	       !node_at(p, node)->a && !node_at(p, node)->b;
}

static bool build_is_integer_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

uint32_t build_field(struct plan_parser *p, const struct tracepoint_field *f)
{
	if (f->is_array && !f->is_dynamic && !f->is_rel_dynamic)
		return build_place(p, f);
	if (!build_is_integer_size(f->size))
		return build_place(p, f);
	return build_node(p, (struct plan_node){ .op = NODE_LOAD,
						 .bytes = (uint8_t)f->size,
						 .is_signed = f->is_signed,
						 .a = f->offset,
						 .b = f->size });
}

uint32_t build_place(struct plan_parser *p, const struct tracepoint_field *f)
{
	struct integer_type element = type_of_declaration(f->type, p->plan->long_size);
	struct plan_node n = { .op = NODE_FIELD,
			       .bytes = element.bytes ? (uint8_t)element.bytes : 1,
			       .is_signed = element.is_signed,
			       .a = f->offset,
			       .b = f->size };

	if (f->is_dynamic)
		n.op = NODE_DYNAMIC;
	else if (f->is_rel_dynamic)
		n.op = NODE_RELATIVE;
	return build_node(p, n);
}
