/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan.h"

#include <ctype.h>
#include <string.h>

#include "base/digits.h"
#include "base/memory.h"
#include "tracepoint/format.h"
#include "tracepoint/plan-build.h"

/* The string and the arguments of the print fmt. The conversions take the arguments one by one. */
struct conversions {
	struct plan_parser *parser;
	const char *at, *end;
	struct node_list {
		uint32_t *items;
		size_t n, room;
	} arguments;
	size_t taken;
};

uint32_t plan_add_string(struct tracepoint_plan *p, const char *s, size_t n)
{
	*ARRAY_ADD(&p->strings) = (struct plan_string){ (uint32_t)p->chars.length, (uint32_t)n };
	text_add_bytes(&p->chars, s, n);
	return (uint32_t)p->strings.n - 1;
}

static uint32_t next_argument(struct conversions *c)
{
	if (c->taken == c->arguments.n)
		return parser_refuse(c->parser, "a conversion has no argument");
	return c->arguments.items[c->taken++];
}

static char plan_compile_take_char(struct conversions *c)
{
	return c->at < c->end ? *c->at++ : '\0';
}

static bool take_if(struct conversions *c, char wanted)
{
	if (c->at == c->end || *c->at != wanted)
		return false;
	c->at++;
	return true;
}

static void plan_compile_take_flags(struct conversions *c, struct plan_piece *piece)
{
	static const struct {
		char letter;
		uint8_t flag;
	} flags[] = { { '-', PIECE_LEFT },
		      { '0', PIECE_ZERO },
		      { '#', PIECE_ALTERNATE },
		      { '+', PIECE_PLUS },
		      { ' ', PIECE_BLANK } };

	for (size_t i = 0; i < ARRAY_SIZE(flags);) {
		if (!take_if(c, flags[i].letter)) {
			i++;
			continue;
		}
		piece->flags |= flags[i].flag;
		i = 0;
	}
}

/* Takes digits, or * for an argument. */
static int32_t take_width(struct conversions *c, uint32_t *ret_node)
{
	int32_t n = 0;

	if (take_if(c, '*')) {
		*ret_node = next_argument(c);
		return 0;
	}
	for (; c->at < c->end && isdigit((unsigned char)*c->at); c->at++)
		n = n < PLAN_WIDTH_MAX ? n * 10 + (*c->at - '0') : PLAN_WIDTH_MAX;
	return n < PLAN_WIDTH_MAX ? n : PLAN_WIDTH_MAX;
}

/* Takes hh h l ll L z j t. Returns the number of bytes of the integer. */
static uint8_t take_length(struct conversions *c)
{
	uint8_t long_size = (uint8_t)c->parser->plan->long_size;

	if (take_if(c, 'h'))
		return take_if(c, 'h') ? 1 : 2;
	if (take_if(c, 'l'))
		return take_if(c, 'l') ? 8 : long_size;
	if (take_if(c, 'z') || take_if(c, 't') || take_if(c, 'Z'))
		return long_size;
	return take_if(c, 'L') || take_if(c, 'q') || take_if(c, 'j') ? 8 : 4;
}

/* Takes the letters after %pX that belong to it, as far as @allowed contains them. */
static void take_variant(struct conversions *c, struct plan_piece *piece, const char *allowed)
{
	size_t n = 0;

	while (c->at < c->end && n < sizeof(piece->variant) - 1 && *c->at &&
	       strchr(allowed, *c->at))
		piece->variant[n++] = *c->at++;
}

/* Takes the kind of address after %pI and %pi. Without one they are pointers. */
static void plan_compile_take_ip(struct conversions *c, struct plan_piece *piece)
{
	if (take_if(c, '4')) {
		piece->kind = PIECE_IP4;
		take_variant(c, piece, "hnbl");
	} else if (take_if(c, '6')) {
		piece->kind = PIECE_IP6;
		take_variant(c, piece, "c");
	} else if (take_if(c, 'S')) {
		piece->kind = PIECE_SOCKADDR;
		take_variant(c, piece, "pfschnbl");
	}
}

/*
 * Takes a pointer as in Documentation/core-api/printk-formats.rst. A letter that is missing here is
 * text after a %p.
 */
static void take_pointer(struct conversions *c, struct plan_piece *piece)
{
	static const struct {
		char letter;
		uint8_t kind;
		bool is_long;
		const char *variants;
	} pointers[] = {
		{ 'S', PIECE_SYMBOL, true, "" },     { 's', PIECE_SYMBOL, false, "" },
		{ 'F', PIECE_SYMBOL, true, "" },     { 'f', PIECE_SYMBOL, false, "" },
		{ 'B', PIECE_SYMBOL, true, "" },     { 'M', PIECE_MAC, true, "FR" },
		{ 'm', PIECE_MAC, false, "FR" },     { 'I', PIECE_POINTER, true, "" },
		{ 'i', PIECE_POINTER, false, "" },   { 'U', PIECE_UUID, false, "bBlL" },
		{ 'h', PIECE_DUMP, false, "CDN" },   { 'b', PIECE_BITMAP, false, "l" },
		{ 'a', PIECE_POINTER, false, "dp" }, { 'x', PIECE_POINTER, false, "" },
		{ 'K', PIECE_POINTER, false, "" },
	};

	piece->kind = PIECE_POINTER;
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++) {
		if (!take_if(c, pointers[i].letter))
			continue;
		piece->kind = pointers[i].kind;
		piece->flags |= pointers[i].is_long ? PIECE_LONG_FORM : 0;
		take_variant(c, piece, pointers[i].variants);
		if (pointers[i].letter == 'I' || pointers[i].letter == 'i')
			plan_compile_take_ip(c, piece);
		return;
	}
}

static void plan_compile_take_integer(struct plan_piece *piece, char letter)
{
	piece->kind = PIECE_INTEGER;
	piece->base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
	if (letter == 'X')
		piece->flags |= PIECE_UPPER;
	if (letter == 'd' || letter == 'i')
		piece->flags |= PIECE_SIGNED;
}

/*
 * Takes a letter that the kernel's printf does not have, including floating point. It is shown
 * unchanged.
 */
static void take_unknown(struct conversions *c, struct plan_piece *piece, char letter)
{
	struct text *chars = &c->parser->plan->chars;

	if (letter)
		text_addf(chars, letter == '%' ? "%c" : ">%c<", letter);
	piece->literal_length = (uint32_t)chars->length - piece->literal;
}

static void plan_compile_take_conversion(struct conversions *c, struct plan_piece *piece)
{
	plan_compile_take_flags(c, piece);
	piece->width = take_width(c, &piece->width_node);
	piece->precision = take_if(c, '.') ? take_width(c, &piece->precision_node) : -1;
	piece->bytes = take_length(c);

	char letter = plan_compile_take_char(c);

	if (letter == 'c')
		piece->kind = PIECE_CHAR;
	else if (letter == 's')
		piece->kind = PIECE_STRING;
	else if (letter == 'p')
		take_pointer(c, piece);
	else if (letter && strchr("dixXuo", letter))
		plan_compile_take_integer(piece, letter);
	else
		take_unknown(c, piece, letter);
}

/* Returns the argument of %s. For a __data_loc word, it is the string to which the word points. */
static uint32_t string_argument(struct plan_parser *p, uint32_t node)
{
	if (node == PLAN_NO_NODE || p->plan->nodes.items[node].op != NODE_LOAD)
		return node;
	for (size_t i = 0; i < p->plan->format->n_fields; i++) {
		const struct tracepoint_field *f = &p->plan->format->fields[i];

		if ((f->is_dynamic || f->is_rel_dynamic) &&
		    f->offset == p->plan->nodes.items[node].a)
			return build_place(p, f);
	}
	return node;
}

/* Computes properties of a piece once, so that printing does not have to. */
static void plan_compile_classify(const struct tracepoint_plan *p, struct plan_piece *piece)
{
	size_t n = piece->literal_length;
	const struct plan_node *field;

	memcpy(piece->brief, p->chars.chars + piece->literal,
	       n < sizeof(piece->brief) ? n : sizeof(piece->brief));
	piece->plain = !(piece->flags & ~(PIECE_SIGNED | PIECE_LONG_FORM)) && !piece->width &&
		       piece->width_node == PLAN_NO_NODE && piece->precision < 0 &&
		       piece->base != 8;
	piece->is_quick = piece->plain && piece->kind == PIECE_INTEGER;
	if (!piece->is_quick || piece->node == PLAN_NO_NODE)
		return;
	field = &p->nodes.items[piece->node];
	if (field->op == NODE_LOAD && field->bytes >= 4) {
		piece->load = field->bytes;
		piece->load_signed = field->is_signed;
		piece->load_at = field->a;
	}
}

/* Takes text up to the next conversion, and that conversion. */
static void plan_compile_take_piece(struct conversions *c)
{
	struct tracepoint_plan *plan = c->parser->plan;
	struct plan_piece piece = { .literal = (uint32_t)plan->chars.length,
				    .width_node = PLAN_NO_NODE,
				    .precision_node = PLAN_NO_NODE,
				    .node = PLAN_NO_NODE };
	const char *percent = memchr(c->at, '%', (size_t)(c->end - c->at));

	percent = percent ? percent : c->end;
	text_add_bytes(&plan->chars, c->at, (size_t)(percent - c->at));
	piece.literal_length = (uint32_t)plan->chars.length - piece.literal;
	c->at = percent;
	if (take_if(c, '%'))
		plan_compile_take_conversion(c, &piece);
	if (piece.kind != PIECE_TEXT)
		piece.node = next_argument(c);
	if (piece.kind == PIECE_STRING)
		piece.node = string_argument(c->parser, piece.node);
	plan_compile_classify(plan, &piece);
	plan->room += piece.literal_length + DIGITS_MAX;
	*ARRAY_ADD(&plan->pieces) = piece;
	if (plan->pieces.n == PLAN_PIECES_MAX)
		parser_refuse(c->parser, "it has too many conversions");
}

static void plan_compile_take_arguments(struct conversions *c)
{
	struct plan_parser *p = c->parser;

	while (!p->problem && parser_take(p, ","))
		*ARRAY_ADD(&c->arguments) = parser_expression(p);
	if (p->token.kind != TOKEN_END)
		parser_refuse(p, "%.*s follows the last argument",
			      p->token.length < 40 ? (int)p->token.length : 40, p->token.start);
}

static void plan_compile(struct plan_parser *p)
{
	_cleanup_(text_done) struct text format = TEXT_EMPTY;
	struct conversions c = { .parser = p };

	if (p->token.kind != TOKEN_STRING) {
		parser_refuse(p, "it does not begin with a string");
		return;
	}
	for (; p->token.kind == TOKEN_STRING; parser_advance(p))
		token_unquote(&p->token, &format);
	c.at = format.chars;
	c.end = format.chars + format.length;
	plan_compile_take_arguments(&c);
	while (!p->problem && c.at < c.end)
		plan_compile_take_piece(&c);
	free(c.arguments.items);
}

/*
 * Returns the number of bytes at the beginning that the text does not depend on: the common fields,
 * unless the text shows some of them. A field that contains the place of its bytes may point
 * anywhere.
 */
static uint32_t bytes_not_shown(const struct tracepoint_format *f)
{
	uint32_t first = UINT32_MAX;

	if (strstr(f->print_fmt, "common_"))
		return 0;
	for (size_t i = 0; i < f->n_fields; i++) {
		const struct tracepoint_field *field = &f->fields[i];

		if (field->is_dynamic || field->is_rel_dynamic)
			return 0;
		if (!field->is_common && field->offset < first)
			first = field->offset;
	}
	return first == UINT32_MAX ? 0 : first;
}

/* True if printing needs the machine to look up an address. */
static bool asks_machine(const struct tracepoint_plan *p, const struct plan_piece *piece)
{
	const struct plan_node *n;

	if (piece->kind != PIECE_STRING || piece->node == PLAN_NO_NODE)
		return piece->kind == PIECE_SYMBOL;
	n = &p->nodes.items[piece->node];
	return n->op == NODE_CHOICE || n->kind == NODE_INTEGER;
}

/* Texts with at most this number of integers are printed as fast as they are found. */
#define INTEGERS_FEW 3

static bool is_worth_keeping(const struct tracepoint_plan *p)
{
	size_t n_quick = 0, n_slow = 0;

	for (size_t i = 0; i < p->pieces.n; i++) {
		const struct plan_piece *piece = &p->pieces.items[i];

		if (asks_machine(p, piece))
			return false;
		n_quick += piece->is_quick;
		n_slow += !piece->is_quick && piece->kind != PIECE_TEXT;
	}
	return !p->problem && (n_quick > INTEGERS_FEW || n_slow);
}

struct tracepoint_plan *tracepoint_plan_new(const struct tracepoint_format *f, unsigned long_size)
{
	struct tracepoint_plan *plan = xcalloc(1, sizeof(*plan));
	struct plan_parser p = { .plan = plan, .at = f->print_fmt };

	plan->format = f;
	plan->long_size = long_size == 4 ? 4 : 8;
	plan->is_probe = tracepoint_field_find(f, "__probe_ip") ||
			 tracepoint_field_find(f, "__probe_func");
	plan->chars = (struct text)TEXT_EMPTY;
	parser_advance(&p);
	plan_compile(&p);
	plan->problem = p.problem;
	plan->skip = bytes_not_shown(f);
	plan->is_worth_keeping = is_worth_keeping(plan);
	return plan;
}

void tracepoint_plan_free(struct tracepoint_plan *p)
{
	if (!p)
		return;
	free(p->problem);
	free(p->nodes.items);
	free(p->names.items);
	free(p->strings.items);
	free(p->pieces.items);
	text_done(&p->chars);
	free(p);
}

const char *tracepoint_plan_problem(const struct tracepoint_plan *p)
{
	return p->problem;
}
