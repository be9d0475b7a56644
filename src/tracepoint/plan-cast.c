/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-build.h"

#include <string.h>

/* The size of struct page, from which page pointers are computed, in all 64-bit kernels in use. */
#define STRUCT_PAGE_BYTES 64

/* The position of the parser, for going back if the text turns out to be something else. */
struct position {
	const char *at;
	struct token token;
};

static struct position position_of(const struct plan_parser *p)
{
	return (struct position){ p->at, p->token };
}

static bool return_to(struct plan_parser *p, const struct position *there)
{
	p->at = there->at;
	p->token = there->token;
	return false;
}

static void plan_cast_take_words(struct plan_parser *p, struct type_words *words, struct token *tag)
{
	while (p->token.kind == TOKEN_NAME) {
		if (words->is_tagged && !tag->length)
			*tag = p->token;
		else if (!type_word_add(words, p->token.start, p->token.length))
			return;
		parser_advance(p);
	}
}

bool parser_type(struct plan_parser *p, struct named_type *ret)
{
	const char *start = p->token.start;
	struct named_type type = { 0 };
	struct type_words words = { 0 };

	plan_cast_take_words(p, &words, &type.tag);
	if (p->token.start == start)
		return false;
	type.integer = type_of_words(&words, p->plan->long_size);
	while (parser_sees(p, "*") || parser_sees(p, "const")) {
		type.stars += parser_sees(p, "*");
		parser_advance(p);
	}
	*ret = type;
	return true;
}

/* Takes an unknown typedef. A cast to it does not change the value. */
static bool unknown_type(struct plan_parser *p, struct named_type *ret)
{
	if (p->token.kind != TOKEN_NAME || parser_sees(p, "REC") || parser_sees(p, "sizeof"))
		return false;
	parser_advance(p);
	*ret = (struct named_type){ 0 };
	for (; parser_sees(p, "*"); parser_advance(p))
		ret->stars++;
	return true;
}

static bool sees_operand(const struct plan_parser *p)
{
	switch (p->token.kind) {
	case TOKEN_NAME:
	case TOKEN_NUMBER:
	case TOKEN_STRING:
	case TOKEN_CHARACTER:
		return true;
	default:
		return parser_sees(p, "(") || parser_sees(p, "~") || parser_sees(p, "!");
	}
}

bool parser_cast(struct plan_parser *p, struct named_type *ret)
{
	struct position start = position_of(p);
	struct named_type type;

	if (parser_type(p, &type) && parser_take(p, ")")) {
		*ret = type;
		return true;
	}
	return_to(p, &start);
	if (unknown_type(p, &type) && parser_take(p, ")") && (type.stars || sees_operand(p))) {
		*ret = type;
		return true;
	}
	return return_to(p, &start);
}

uint32_t build_converted(struct plan_parser *p, uint32_t operand, const struct named_type *type)
{
	unsigned long_size = p->plan->long_size;
	struct integer_type element = type->integer;

	if (operand == PLAN_NO_NODE || node_is(p, operand, NODE_STRING))
		return operand;
	if (!type->stars) {
		if (!element.is_bool)
			return build_cast(p, operand, element.bytes, element.is_signed);
		return build_binary(p, NODE_UNEQUAL, operand, build_constant(p, 0, 4, true));
	}
	if (!node_is(p, operand, NODE_PLACE))
		return build_cast(p, operand, long_size, false);
	if (type->stars > 1)
		element = (struct integer_type){ .bytes = long_size };
	return build_retyped(p, operand, element);
}

static bool is_struct_page(const struct named_type *type)
{
	return type->tag.length == strlen("page") && memcmp(type->tag.start, "page", 4) == 0;
}

static uint32_t size_of_type(struct plan_parser *p, const struct named_type *type)
{
	unsigned bytes = type->stars ? p->plan->long_size : type->integer.bytes;

	if (!bytes && is_struct_page(type))
		bytes = STRUCT_PAGE_BYTES;
	if (!bytes)
		return parser_refuse(p, "the size of a type is not known");
	return build_constant(p, bytes, p->plan->long_size, false);
}

static uint32_t size_of_node(struct plan_parser *p, uint32_t node)
{
	if (node == PLAN_NO_NODE)
		return node;

	const struct plan_node *n = &p->plan->nodes.items[node];
	unsigned bytes = n->kind == NODE_INTEGER ? n->bytes : n->op == NODE_FIELD ? n->b : 0;

	if (!bytes)
		return parser_refuse(p, "the size of an expression is not known");
	return build_constant(p, bytes, p->plan->long_size, false);
}

uint32_t parser_sizeof(struct plan_parser *p)
{
	struct named_type type;

	if (parser_type(p, &type))
		return size_of_type(p, &type);
	return size_of_node(p, parser_expression(p));
}
