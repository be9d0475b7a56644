/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-build.h"

#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracepoint/format.h"

uint32_t parser_refuse(struct plan_parser *p, const char *format, ...)
{
	va_list ap;

	if (p->problem)
		return PLAN_NO_NODE;
	va_start(ap, format);
	p->problem = xvasprintf(format, ap);
	va_end(ap);
	return PLAN_NO_NODE;
}

void parser_advance(struct plan_parser *p)
{
	p->token = token_take(&p->at);
}

bool parser_sees(const struct plan_parser *p, const char *spelling)
{
	return token_is(&p->token, spelling);
}

bool parser_take(struct plan_parser *p, const char *spelling)
{
	if (!parser_sees(p, spelling))
		return false;
	parser_advance(p);
	return true;
}

/* Reports a token that is not the expected one. */
static uint32_t refuse_token(struct plan_parser *p, const char *expected)
{
	int shown = p->token.length < 40 ? (int)p->token.length : 40;

	if (p->token.kind == TOKEN_END)
		return parser_refuse(p, "it ends where %s should be", expected);
	return parser_refuse(p, "%.*s stands where %s should be", shown, p->token.start, expected);
}

bool parser_expect(struct plan_parser *p, const char *spelling)
{
	if (!parser_take(p, spelling))
		refuse_token(p, spelling);
	return !p->problem;
}

const struct tracepoint_field *parser_field(struct plan_parser *p, const struct token *name)
{
	_cleanup_(freep) char *s = xstrndup(name->start, name->length);
	const struct tracepoint_field *f = tracepoint_field_find(p->plan->format, s);

	if (!f)
		parser_refuse(p, "there is no field %s", s);
	return f;
}

uint32_t parser_string(struct plan_parser *p)
{
	_cleanup_(text_done) struct text s = TEXT_EMPTY;

	for (; p->token.kind == TOKEN_STRING; parser_advance(p))
		token_unquote(&p->token, &s);
	return plan_add_string(p->plan, s.chars, s.length);
}

static uint32_t plan_parse_number(struct plan_parser *p)
{
	struct token_number n;

	if (!token_number(&p->token, &n))
		return refuse_token(p, "a number");
	parser_advance(p);

	bool is_int = !n.is_long && n.value <= INT32_MAX;
	bool is_unsigned_int = !n.is_long && n.value <= UINT32_MAX;

	if (is_int || (is_unsigned_int && (n.is_unsigned || !n.is_decimal)))
		return build_constant(p, n.value, 4, is_int && !n.is_unsigned);
	return build_constant(p, n.value, 8, !n.is_unsigned && n.value <= INT64_MAX);
}

static uint32_t parse_character(struct plan_parser *p)
{
	_cleanup_(text_done) struct text s = TEXT_EMPTY;

	token_unquote(&p->token, &s);
	parser_advance(p);
	return build_constant(p, (uint64_t)s.chars[0], 4, true);
}

static uint32_t parse_literal(struct plan_parser *p)
{
	uint32_t string = parser_string(p);

	return build_node(p, (struct plan_node){ .op = NODE_LITERAL, .a = string });
}

/*
 * Parses a name: one of C's constants, a variable of an enclosing ({ }), or a name of the kernel.
 */
static uint32_t plan_parse_name(struct plan_parser *p, const struct token *name)
{
	for (size_t i = p->n_variables; i-- > 0;) {
		const struct plan_variable *v = &p->variables[i];

		if (v->length == name->length && memcmp(v->name, name->start, v->length) == 0)
			return v->node;
	}
	if (token_is(name, "true"))
		return build_constant(p, 1, 4, true);
	/*
	 * The kernel's own variables (memstart_addr, vmemmap_base) are not recorded. They count as
	 * 0, as in Linux's perf, so addresses such as page= lack their base.
	 */
	if (!token_is(name, "false") && !token_is(name, "NULL"))
		p->has_unknown = true;
	return build_constant(p, 0, 8, false);
}

static uint32_t parse_named(struct plan_parser *p)
{
	struct token name = p->token;

	parser_advance(p);
	if (token_is(&name, "REC"))
		return build_record(p);
	if (!parser_take(p, "("))
		return plan_parse_name(p, &name);

	uint32_t value = token_is(&name, "sizeof") ? parser_sizeof(p) : parser_call(p, &name);

	return parser_expect(p, ")") ? value : PLAN_NO_NODE;
}

/* Parses "int x = (REC->n);" within ({ }). Afterwards x is the assigned value. */
static bool parse_declaration(struct plan_parser *p)
{
	struct named_type type;
	struct token name;

	if (!parser_type(p, &type))
		return false;
	name = p->token;
	parser_advance(p);
	if (name.kind != TOKEN_NAME || !parser_expect(p, "=")) {
		parser_refuse(p, "a declaration has no name or no value");
		return false;
	}

	uint32_t node = build_converted(p, parser_expression(p), &type);

	if (node == PLAN_NO_NODE || !parser_expect(p, ";"))
		return false;
	if (p->n_variables == ARRAY_SIZE(p->variables)) {
		parser_refuse(p, "too many variables");
		return false;
	}
	p->variables[p->n_variables++] = (struct plan_variable){ name.start, name.length, node };
	return true;
}

/* Parses GNU C's ({ int x = a; int y = b; x < y ? x : y; }), the expansion of min(). */
static uint32_t parse_block(struct plan_parser *p)
{
	size_t n_outer = p->n_variables;
	uint32_t value;

	while (parse_declaration(p))
		;
	value = parser_expression(p);
	p->n_variables = n_outer;
	return parser_expect(p, ";") && parser_expect(p, "}") ? value : PLAN_NO_NODE;
}

static uint32_t parse_unary(struct plan_parser *p);

static uint32_t parse_bracket(struct plan_parser *p)
{
	struct named_type type;
	uint32_t value;

	if (parser_cast(p, &type))
		return build_converted(p, parse_unary(p), &type);
	value = parser_take(p, "{") ? parse_block(p) : parser_expression(p);
	return parser_expect(p, ")") ? value : PLAN_NO_NODE;
}

static uint32_t plan_parse_operand(struct plan_parser *p)
{
	switch (p->token.kind) {
	case TOKEN_NUMBER:
		return plan_parse_number(p);
	case TOKEN_CHARACTER:
		return parse_character(p);
	case TOKEN_STRING:
		return parse_literal(p);
	case TOKEN_NAME:
		return parse_named(p);
	default:
		return refuse_token(p, "a value");
	}
}

static uint32_t parse_subscript(struct plan_parser *p, uint32_t place)
{
	uint32_t value = build_index(p, place, parser_expression(p));

	return parser_expect(p, "]") ? value : PLAN_NO_NODE;
}

/* Parses REC->field. No other struct is printed. */
static uint32_t parse_member(struct plan_parser *p, uint32_t record)
{
	const struct tracepoint_field *f;
	struct token name = p->token;

	if (name.kind != TOKEN_NAME || !node_is_record(p, record))
		return refuse_token(p, "a field of REC");
	parser_advance(p);
	f = parser_field(p, &name);
	return f ? build_field(p, f) : PLAN_NO_NODE;
}

static uint32_t parse_postfix(struct plan_parser *p)
{
	uint32_t value = parser_take(p, "(") ? parse_bracket(p) : plan_parse_operand(p);

	for (;;) {
		if (parser_take(p, "["))
			value = parse_subscript(p, value);
		else if (parser_take(p, "->"))
			value = parse_member(p, value);
		else
			return value;
	}
}

static uint32_t parse_unary_operator(struct plan_parser *p)
{
	if (parser_take(p, "-"))
		return build_unary(p, NODE_NEGATE, parse_unary(p));
	if (parser_take(p, "~"))
		return build_unary(p, NODE_COMPLEMENT, parse_unary(p));
	if (parser_take(p, "!"))
		return build_unary(p, NODE_NOT, parse_unary(p));
	if (parser_take(p, "+"))
		return parse_unary(p);
	if (parser_take(p, "&"))
		return build_address(p, parse_unary(p));
	if (parser_take(p, "*"))
		return build_index(p, parse_unary(p), build_constant(p, 0, 4, true));
	return parse_postfix(p);
}

/* Every nesting passes through this function. */
static uint32_t parse_unary(struct plan_parser *p)
{
	uint32_t value;

	if (p->problem || p->depth == PLAN_DEPTH_MAX)
		return parser_refuse(p, "it is nested too deeply");
	p->depth++;
	value = parse_unary_operator(p);
	p->depth--;
	return value;
}

static const struct binary_operator {
	const char *spelling;
	uint8_t op;
	uint8_t rank; /* a higher one binds tighter */
	bool swapped; /* a > b is b < a */
} binary_operators[] = {
	{ "*", NODE_MULTIPLY, 10, false },  { "/", NODE_DIVIDE, 10, false },
	{ "%", NODE_REMAINDER, 10, false }, { "+", NODE_ADD, 9, false },
	{ "-", NODE_SUBTRACT, 9, false },   { "<<", NODE_LEFT, 8, false },
	{ ">>", NODE_RIGHT, 8, false },     { "<", NODE_LESS, 7, false },
	{ ">", NODE_LESS, 7, true },        { "<=", NODE_LESS_EQUAL, 7, false },
	{ ">=", NODE_LESS_EQUAL, 7, true }, { "==", NODE_EQUAL, 6, false },
	{ "!=", NODE_UNEQUAL, 6, false },   { "&", NODE_BIT_AND, 5, false },
	{ "^", NODE_BIT_XOR, 4, false },    { "|", NODE_BIT_OR, 3, false },
	{ "&&", NODE_AND, 2, false },       { "||", NODE_OR, 1, false },
};

static const struct binary_operator *sees_binary(const struct plan_parser *p)
{
	if (p->token.kind != TOKEN_MARK)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(binary_operators); i++)
		if (parser_sees(p, binary_operators[i].spelling))
			return &binary_operators[i];
	return NULL;
}

/* Parses operators of at least this @rank. Equal ones group to the left. */
static uint32_t parse_binary(struct plan_parser *p, unsigned rank)
{
	uint32_t value = parse_unary(p);
	const struct binary_operator *o;

	while (!p->problem && (o = sees_binary(p)) && o->rank >= rank) {
		uint32_t right;

		parser_advance(p);
		right = parse_binary(p, o->rank + 1u);
		value = o->swapped ? build_binary(p, o->op, right, value)
				   : build_binary(p, o->op, value, right);
	}
	return value;
}

uint32_t parser_expression(struct plan_parser *p)
{
	uint32_t condition = parse_binary(p, 1), yes = condition;

	if (!parser_take(p, "?"))
		return condition;
	if (p->problem || p->depth == PLAN_DEPTH_MAX)
		return parser_refuse(p, "it is nested too deeply");
	p->depth++;
	if (!parser_sees(p, ":"))
		yes = parser_expression(p);

	uint32_t no = parser_expect(p, ":") ? parser_expression(p) : PLAN_NO_NODE;

	p->depth--;
	return build_choice(p, condition, yes, no);
}

uint32_t parser_integer(struct plan_parser *p)
{
	uint32_t value = parser_expression(p);

	if (node_is(p, value, NODE_STRING))
		return parser_refuse(p, "a string stands where a number should be");
	return value;
}
