/* SPDX-License-Identifier: MIT */
/*
 * The functions in print fmts: macros of the kernel's trace_events.h stages, and a few functions of
 * the kernel that some tracepoints call.
 */
#include "tracepoint/plan-build.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tracepoint/format.h"

#define NANOSECONDS 1000000000

/* Takes the next token, which names a field, and returns that field. */
static const struct tracepoint_field *plan_call_take_field(struct plan_parser *p)
{
	struct token name = p->token;

	if (name.kind != TOKEN_NAME) {
		parser_refuse(p, "a function wants a field's name");
		return NULL;
	}
	parser_advance(p);
	return parser_field(p, &name);
}

/*
 * Takes FIELD, or FIELD[2] of a field that a probe declares as __data_loc char[][3]. Each string of
 * such an array has a word of its own with its place.
 */
static uint32_t take_place(struct plan_parser *p)
{
	const struct tracepoint_field *f = plan_call_take_field(p);
	uint64_t index;

	if (!f)
		return PLAN_NO_NODE;
	if (!parser_take(p, "["))
		return build_place(p, f);
	if (!node_is_constant(p, parser_expression(p), &index) ||
	    index >= f->size / sizeof(uint32_t))
		return parser_refuse(p, "an array of strings has no such element");

	struct tracepoint_field element = *f;

	element.offset += (uint32_t)(index * sizeof(uint32_t));
	element.size = sizeof(uint32_t);
	return parser_expect(p, "]") ? build_place(p, &element) : PLAN_NO_NODE;
}

static uint32_t call_place(struct plan_parser *p, unsigned detail)
{
	(void)detail;
	return take_place(p);
}

static uint32_t call_length(struct plan_parser *p, unsigned detail)
{
	(void)detail;
	return build_node(
		p, (struct plan_node){
			   .op = NODE_LENGTH, .bytes = 4, .is_signed = true, .a = take_place(p) });
}

static uint32_t call_bitmask(struct plan_parser *p, unsigned detail)
{
	(void)detail;
	return build_node(p, (struct plan_node){ .op = NODE_BITMASK, .a = take_place(p) });
}

/*
 * Takes an entry's name. False if it has none, only a NULL, which ends the list in some kernel
 * macros.
 */
static bool plan_call_take_name(struct plan_parser *p, struct plan_name *name)
{
	uint64_t null;

	if (p->token.kind == TOKEN_STRING) {
		name->string = parser_string(p);
		return true;
	}
	if (!node_is_constant(p, parser_expression(p), &null) || null)
		parser_refuse(p, "an entry has no name");
	return false;
}

/*
 * Takes { value, "name" }. An entry whose value is an enum that the kernel left unresolved is
 * dropped, because its value is unknown. { }, an entry of zeros, ends a list: the kernel's macros
 * leave it if they have nothing to name (kvm:kvm_inj_exception).
 */
static bool plan_call_take_entry(struct plan_parser *p)
{
	size_t n_nodes = p->plan->nodes.n;
	struct plan_name name = { 0 };

	if (!parser_expect(p, "{"))
		return false;
	if (parser_take(p, "}"))
		return true;
	p->has_unknown = false;
	if (!node_is_constant(p, parser_expression(p), &name.value))
		parser_refuse(p, "an entry is not constant");

	bool is_unknown = p->has_unknown;

	if (parser_expect(p, ",") && plan_call_take_name(p, &name) && !is_unknown)
		*ARRAY_ADD(&p->plan->names) = name;
	p->plan->nodes.n = n_nodes; /* the value is known, so its expression is dropped */
	return parser_expect(p, "}");
}

static uint32_t take_entries(struct plan_parser *p, struct plan_node n)
{
	n.b = (uint32_t)p->plan->names.n;
	while (parser_take(p, ",") && !parser_sees(p, ")"))
		if (!plan_call_take_entry(p))
			return PLAN_NO_NODE;
	n.c = (uint32_t)p->plan->names.n - n.b;
	return build_node(p, n);
}

static uint32_t call_symbolic(struct plan_parser *p, unsigned detail)
{
	(void)detail;
	return take_entries(p, (struct plan_node){ .op = NODE_SYMBOLIC, .a = parser_integer(p) });
}

static uint32_t call_flags(struct plan_parser *p, unsigned detail)
{
	struct plan_node n = { .op = NODE_FLAGS, .a = parser_integer(p) };

	(void)detail;
	if (!parser_expect(p, ","))
		return PLAN_NO_NODE;
	if (p->token.kind != TOKEN_STRING && !parser_take(p, "NULL"))
		return parser_refuse(p, "flags without a delimiter");
	n.value = parser_string(p);
	return take_entries(p, n);
}

/* Takes the place whose bytes are printed, and the comma after it. */
static uint32_t plan_call_take_bytes(struct plan_parser *p)
{
	uint32_t place = parser_expression(p);

	if (!node_is(p, place, NODE_PLACE))
		return parser_refuse(p, "what is printed byte by byte is not in the record");
	return parser_expect(p, ",") ? place : PLAN_NO_NODE;
}

static uint32_t call_hex(struct plan_parser *p, unsigned spaced)
{
	struct plan_node n = { .op = NODE_HEX, .a = plan_call_take_bytes(p), .value = spaced };

	n.b = parser_integer(p);
	return build_node(p, n);
}

static uint32_t call_array(struct plan_parser *p, unsigned detail)
{
	struct plan_node n = { .op = NODE_NUMBERS, .a = plan_call_take_bytes(p) };

	(void)detail;
	n.b = parser_integer(p);
	if (!parser_expect(p, ","))
		return PLAN_NO_NODE;
	n.c = parser_integer(p);
	return build_node(p, n);
}

/* __print_dynamic_array(field, bytes of an element): prints all elements. */
static uint32_t call_dynamic_array(struct plan_parser *p, unsigned detail)
{
	struct plan_node n = { .op = NODE_NUMBERS, .a = take_place(p) };
	struct plan_node length = { .op = NODE_LENGTH, .bytes = 4, .is_signed = true, .a = n.a };

	(void)detail;
	if (!parser_expect(p, ","))
		return PLAN_NO_NODE;
	n.c = parser_integer(p);
	n.b = build_binary(p, NODE_DIVIDE, build_node(p, length), n.c);
	return build_node(p, n);
}

/* __builtin_expect(x, likely value) and similar functions: returns x. */
static uint32_t call_first(struct plan_parser *p, unsigned detail)
{
	uint32_t value = parser_expression(p);

	(void)detail;
	while (parser_take(p, ","))
		if (parser_expression(p) == PLAN_NO_NODE)
			return PLAN_NO_NODE;
	return value;
}

static uint32_t call_milliseconds(struct plan_parser *p, unsigned detail)
{
	(void)detail;
	return build_node(p, (struct plan_node){
				     .op = NODE_MILLISECONDS, .bytes = 4, .a = parser_integer(p) });
}

static uint32_t call_nanoseconds(struct plan_parser *p, unsigned op)
{
	return build_binary(p, op, parser_integer(p), build_constant(p, NANOSECONDS, 8, false));
}

/* The names of enum hw_event_mc_err_type in the kernel's edac.h. */
static uint32_t call_memory_error(struct plan_parser *p, unsigned detail)
{
	static const char *const types[] = { "Corrected", "Uncorrected", "Deferred", "Fatal",
					     "Info" };
	struct plan_node n = { .op = NODE_SYMBOLIC, .a = parser_integer(p) };

	(void)detail;
	n.b = (uint32_t)p->plan->names.n;
	n.c = ARRAY_SIZE(types);
	for (uint32_t i = 0; i < ARRAY_SIZE(types); i++)
		*ARRAY_ADD(&p->plan->names) = (struct plan_name){
			i, plan_add_string(p->plan, types[i], strlen(types[i]))
		};
	return build_node(p, n);
}

static const struct {
	const char *name;
	uint32_t (*call)(struct plan_parser *p, unsigned detail);
	unsigned detail;
} functions[] = {
#define FUNCTION(name, call, detail) { #name, call, detail },
#include "tracepoint/functions.def"
#undef FUNCTION
};

uint32_t parser_call(struct plan_parser *p, const struct token *name)
{
	int shown = name->length < 40 ? (int)name->length : 40;

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (token_is(name, functions[i].name))
			return functions[i].call(p, functions[i].detail);
	return parser_refuse(p, "the function %.*s is not known", shown, name->start);
}
