/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Builds a plan: the parser's state, and nodes with C's types, with constants folded.
 *
 * A failure is PLAN_NO_NODE with parser.problem set. As an operand it is passed on, so that a chain
 * of calls needs only one check at its end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoint/plan-node.h"
#include "tracepoint/plan-token.h"
#include "tracepoint/plan-type.h"

struct tracepoint_field;

/*
 * Limits that are larger than any kernel needs. They bound the work that an untrusted format can
 * cause.
 */
enum {
	PLAN_DEPTH_MAX = 200, /* the maximum depth of brackets, and of a tree */
	PLAN_COST_MAX = 1 << 12,
	PLAN_PIECES_MAX = 256,
	PLAN_NODES_MAX = 1 << 16,
	PLAN_VARIABLES_MAX = 16,
};

/* A type named in a cast or a declaration. */
struct named_type {
	struct integer_type integer; /* or the type to which the pointer points */
	unsigned stars;
	struct token tag; /* a struct's, union's or enum's tag; length 0: there is none */
};

struct plan_parser {
	struct tracepoint_plan *plan;
	const char *at;     /* the text after the token */
	struct token token; /* the next to take */
	unsigned depth;
	bool has_unknown; /* an unknown name was read; set here, reset by callers */
	char *problem;    /* the first problem; NULL: none so far */

	struct plan_variable {
		const char *name;
		size_t length;
		uint32_t node;
	} variables[PLAN_VARIABLES_MAX];
	size_t n_variables;
};

/* Sets the problem, unless there was one before. Returns PLAN_NO_NODE. */
uint32_t parser_refuse(struct plan_parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * parser_advance() goes to the next token. parser_sees() is true if the next token is @spelling;
 * parser_take() also goes past it.
 */
void parser_advance(struct plan_parser *p);
bool parser_sees(const struct plan_parser *p, const char *spelling);
bool parser_take(struct plan_parser *p, const char *spelling);

/* Does the same as parser_take(), but any other token is a problem. */
bool parser_expect(struct plan_parser *p, const char *spelling);

/* Takes the words of a type. False: it is something else, and nothing is taken. */
bool parser_type(struct plan_parser *p, struct named_type *ret);

/* Does the same after an opening bracket, if a type, a bracket and an operand follow. */
bool parser_cast(struct plan_parser *p, struct named_type *ret);

/* Parses the contents of the brackets of sizeof. */
uint32_t parser_sizeof(struct plan_parser *p);

/* Parses an expression without commas: the argument of a function, or of the print fmt. */
uint32_t parser_expression(struct plan_parser *p);

/* Does the same as parser_expression(), but a string is a problem. */
uint32_t parser_integer(struct plan_parser *p);

/* Returns the field of that name. NULL, and a problem: there is none. */
const struct tracepoint_field *parser_field(struct plan_parser *p, const struct token *name);

/* Parses the rest of a call of @name, whose bracket is open. PLAN_NO_NODE: unknown or malformed. */
uint32_t parser_call(struct plan_parser *p, const struct token *name);

/* Takes adjacent string tokens as one of the plan's strings. */
uint32_t parser_string(struct plan_parser *p);

/* Adds a copy of @n characters as one of the plan's strings. */
uint32_t plan_add_string(struct tracepoint_plan *p, const char *s, size_t n);

/* Adds @node. Its kind, depth and cost follow from its operands. */
uint32_t build_node(struct plan_parser *p, struct plan_node node);

/* Adds @value, truncated to its type. */
uint32_t build_constant(struct plan_parser *p, uint64_t value, unsigned bytes, bool is_signed);

/*
 * Converts @operand to an integer of that type. @bytes 0 means an unknown type: @operand is
 * unchanged.
 */
uint32_t build_cast(struct plan_parser *p, uint32_t operand, unsigned bytes, bool is_signed);

/* (type)@operand: does the same as build_cast(), but pointers into the record are kept. */
uint32_t build_converted(struct plan_parser *p, uint32_t operand, const struct named_type *type);

/*
 * Build operations with C's promotions and conversions, on numbers only; + can also move a place.
 */
uint32_t build_unary(struct plan_parser *p, enum node_op op, uint32_t operand);
uint32_t build_binary(struct plan_parser *p, enum node_op op, uint32_t a, uint32_t b);

/* Builds @condition ? @yes : @no, which may be of any kind. */
uint32_t build_choice(struct plan_parser *p, uint32_t condition, uint32_t yes, uint32_t no);

/* Builds @place[@index]. */
uint32_t build_index(struct plan_parser *p, uint32_t place, uint32_t index);

/* Return the place @place + @by elements; and the same place with elements of another type. */
uint32_t build_offset(struct plan_parser *p, uint32_t place, uint32_t by);
uint32_t build_retyped(struct plan_parser *p, uint32_t place, struct integer_type element);

/* Builds &operand: the place of an integer of the record. */
uint32_t build_address(struct plan_parser *p, uint32_t operand);

/* Return REC, the record as bytes; and whether a node is that. */
uint32_t build_record(struct plan_parser *p);
bool node_is_record(const struct plan_parser *p, uint32_t node);

/* Returns a field's value, or its place if it is more than an integer. */
uint32_t build_field(struct plan_parser *p, const struct tracepoint_field *f);

/*
 * Returns the place of a field of any kind. For __data_loc and __rel_loc this is the place to which
 * they point.
 */
uint32_t build_place(struct plan_parser *p, const struct tracepoint_field *f);

/* True if @node exists and is of that kind. */
bool node_is(const struct plan_parser *p, uint32_t node, enum node_kind kind);

/* True if @node is a constant; *@ret is its value. */
bool node_is_constant(const struct plan_parser *p, uint32_t node, uint64_t *ret);
