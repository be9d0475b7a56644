/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Making a plan: the parser's state, and nodes with C's types, constants folded.
 *
 * A failure is PLAN_NO_NODE with parser.problem set; given as an operand it is handed on, so that a
 * chain of calls needs one check at its end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoint/plan-node.h"
#include "tracepoint/plan-token.h"
#include "tracepoint/plan-type.h"

struct tracepoint_field;

/* More than any kernel needs; what they bound is the work that a hostile format can make. */
enum {
	PLAN_DEPTH_MAX = 200, /* of brackets, and of a tree */
	PLAN_COST_MAX = 1 << 12,
	PLAN_PIECES_MAX = 256,
	PLAN_NODES_MAX = 1 << 16,
	PLAN_VARIABLES_MAX = 16,
};

/* A type as it is named in a cast or a declaration. */
struct named_type {
	struct integer_type integer; /* or what the pointer points to */
	unsigned stars;
	struct token tag; /* of a struct, union or enum; of length 0: there is none */
};

struct plan_parser {
	struct tracepoint_plan *plan;
	const char *at;     /* behind the token */
	struct token token; /* the next to take */
	unsigned depth;
	bool has_unknown; /* an unknown name was read; set here, reset by callers */
	char *problem;    /* the first one; NULL: none so far */

	struct plan_variable {
		const char *name;
		size_t length;
		uint32_t node;
	} variables[PLAN_VARIABLES_MAX];
	size_t n_variables;
};

/* Gives up, for that reason, unless there was one before. Returns PLAN_NO_NODE. */
uint32_t parser_refuse(struct plan_parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* On to the next token; whether the next is @spelling; and on, if it is. */
void parser_advance(struct plan_parser *p);
bool parser_sees(const struct plan_parser *p, const char *spelling);
bool parser_take(struct plan_parser *p, const char *spelling);

/* As parser_take(), but a problem if there is something else. */
bool parser_expect(struct plan_parser *p, const char *spelling);

/* A type in words: true, and behind it. False: something else, and nothing is taken. */
bool parser_type(struct plan_parser *p, struct named_type *ret);

/* Behind an opening bracket: as parser_type(), if what follows is a type, a bracket, an operand. */
bool parser_cast(struct plan_parser *p, struct named_type *ret);

/* What stands in the brackets of sizeof. */
uint32_t parser_sizeof(struct plan_parser *p);

/* An expression without commas: the argument of a function, or of the print fmt. */
uint32_t parser_expression(struct plan_parser *p);

/* As parser_expression(), but a string is a problem. */
uint32_t parser_integer(struct plan_parser *p);

/* The field of that name; NULL, and a problem: there is none. */
const struct tracepoint_field *parser_field(struct plan_parser *p, const struct token *name);

/* The rest of a call of @name, whose bracket is open. PLAN_NO_NODE: unknown or malformed. */
uint32_t parser_call(struct plan_parser *p, const struct token *name);

/* Adjacent string tokens as one of the plan's strings. */
uint32_t parser_string(struct plan_parser *p);

/* A copy of @n characters as one of the plan's strings. */
uint32_t plan_add_string(struct tracepoint_plan *p, const char *s, size_t n);

/* Adds @node, whose kind, depth and cost follow from its operands. */
uint32_t build_node(struct plan_parser *p, struct plan_node node);

/* @value, cut to its type. */
uint32_t build_constant(struct plan_parser *p, uint64_t value, unsigned bytes, bool is_signed);

/* @operand as an integer of that type; with @bytes 0, a type that is not known, as it is. */
uint32_t build_cast(struct plan_parser *p, uint32_t operand, unsigned bytes, bool is_signed);

/* (type)@operand: as build_cast(), and pointers into the record stay what they are. */
uint32_t build_converted(struct plan_parser *p, uint32_t operand, const struct named_type *type);

/* Operations with C's promotions and conversions, on numbers only; + also moves a place. */
uint32_t build_unary(struct plan_parser *p, enum node_op op, uint32_t operand);
uint32_t build_binary(struct plan_parser *p, enum node_op op, uint32_t a, uint32_t b);

/* @condition ? @yes : @no, which may be of any kind. */
uint32_t build_choice(struct plan_parser *p, uint32_t condition, uint32_t yes, uint32_t no);

/* @place[@index] */
uint32_t build_index(struct plan_parser *p, uint32_t place, uint32_t index);

/* The place @place + @by elements; with elements of another type the same place. */
uint32_t build_offset(struct plan_parser *p, uint32_t place, uint32_t by);
uint32_t build_retyped(struct plan_parser *p, uint32_t place, struct integer_type element);

/* &operand: where an integer of the record lies. */
uint32_t build_address(struct plan_parser *p, uint32_t operand);

/* REC, the record as bytes; and whether a node is that. */
uint32_t build_record(struct plan_parser *p);
bool node_is_record(const struct plan_parser *p, uint32_t node);

/* A field's value, or its place if it is more than an integer. */
uint32_t build_field(struct plan_parser *p, const struct tracepoint_field *f);

/* Where a field lies, whatever it is; of __data_loc and __rel_loc: what they point to. */
uint32_t build_place(struct plan_parser *p, const struct tracepoint_field *f);

/* True: @node is there and of that kind. */
bool node_is(const struct plan_parser *p, uint32_t node, enum node_kind kind);

/* True, and its value, if @node is a constant. */
bool node_is_constant(const struct plan_parser *p, uint32_t node, uint64_t *ret);
