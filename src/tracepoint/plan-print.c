/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan.h"

#include <string.h>

#include "base/digits.h"
#include "base/text.h"
#include "tracepoint/plan-print.h"

/* The maximum size of an element of a __print_array(). */
#define ELEMENT_BYTES_MAX 8

static void put_plan_string(struct plan_run *run, uint64_t string)
{
	const struct plan_string *s = &run->plan->strings.items[string];

	text_add_bytes(run->out, run->plan->chars.chars + s->offset, s->length);
}

/* Returns the maximum of the unsigned integer of a node's type. */
static uint64_t type_mask(const struct plan_node *n)
{
	return UINT64_MAX >> (64 - 8 * n->bytes);
}

static void put_unknown(struct plan_run *run, uint64_t value)
{
	text_add_bytes(run->out, "0x", 2);
	put_hex(run->out, value, 1);
}

/* Prints each name whose bits are all set, and the rest of the value in hexadecimal. */
static void put_flags(struct plan_run *run, const struct plan_node *n)
{
	const struct plan_name *names = &run->plan->names.items[n->b];
	uint64_t mask = type_mask(&run->plan->nodes.items[n->a]);
	uint64_t rest = node_evaluate(run, n->a) & mask;
	bool first = true;

	for (uint32_t i = 0; i < n->c && rest; i++) {
		uint64_t bits = names[i].value & mask;

		if (!bits || (rest & bits) != bits)
			continue;
		if (!first)
			put_plan_string(run, n->value);
		put_plan_string(run, names[i].string);
		first = false;
		rest &= ~bits;
	}
	if (!rest)
		return;
	if (!first)
		put_plan_string(run, n->value);
	put_unknown(run, rest);
}

/* Prints a name. Values are compared as ints at least, because C promotes smaller types to int. */
static void put_symbolic(struct plan_run *run, const struct plan_node *n)
{
	const struct plan_name *names = &run->plan->names.items[n->b];
	const struct plan_node *operand = &run->plan->nodes.items[n->a];
	uint64_t mask = operand->bytes < 8 ? UINT32_MAX : UINT64_MAX;
	uint64_t value = node_evaluate(run, n->a);

	for (uint32_t i = 0; i < n->c; i++) {
		if ((names[i].value ^ value) & mask)
			continue;
		put_plan_string(run, names[i].string);
		return;
	}
	put_unknown(run, value & type_mask(operand));
}

static void put_hex_bytes(struct plan_run *run, const struct plan_node *n)
{
	struct raw_span s = node_locate(run, n->a);
	uint64_t count = node_evaluate(run, n->b);

	if (count > s.size)
		count = s.size;
	for (uint64_t i = 0; i < count; i++) {
		if (i && n->value)
			text_add_char(run->out, ' ');
		put_hex(run->out, s.bytes[i], 2);
	}
}

static void put_numbers(struct plan_run *run, const struct plan_node *n)
{
	struct raw_span s = node_locate(run, n->a);
	uint64_t count = node_evaluate(run, n->b), bytes = node_evaluate(run, n->c);

	if (!bytes || bytes > ELEMENT_BYTES_MAX || bytes & (bytes - 1)) {
		text_add_bytes(run->out, "BAD SIZE:", 9);
		put_decimal(run->out, bytes);
		return;
	}
	if (count > s.size / bytes)
		count = s.size / bytes;
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			text_add_char(run->out, ' ');
		put_decimal(run->out, integer_at(run, s.bytes + i * bytes, (unsigned)bytes));
	}
}

/* Prints the kernel's constant string at an address if the machine knows it, else the address. */
static void put_string_at(struct plan_run *run, uint64_t addr)
{
	const struct tracepoint_machine *m = run->machine;
	const char *s = m->string ? m->string(m->arg, addr) : NULL;

	if (s)
		text_add(run->out, s);
	else
		put_hex(run->out, addr, 1);
}

/* Prints the text of a string, of bytes up to their NUL, or of a pointer to a string. */
static void plan_print_put_string(struct plan_run *run, uint32_t node)
{
	const struct plan_node *n = &run->plan->nodes.items[node];
	struct raw_span s;

	switch (n->op) {
	case NODE_CHOICE:
		plan_print_put_string(run, node_evaluate(run, n->a) ? n->b : n->c);
		return;
	case NODE_LITERAL:
		put_plan_string(run, n->a);
		return;
	case NODE_FLAGS:
		put_flags(run, n);
		return;
	case NODE_SYMBOLIC:
		put_symbolic(run, n);
		return;
	case NODE_HEX:
		put_hex_bytes(run, n);
		return;
	case NODE_NUMBERS:
		put_numbers(run, n);
		return;
	case NODE_BITMASK:
		put_bitmask(run, node_locate(run, n->a));
		return;
	default:
		break;
	}
	if (n->kind != NODE_PLACE) {
		put_string_at(run, node_evaluate(run, node));
		return;
	}
	s = node_locate(run, node);
	/*
	 * Even an empty string has its NUL. Only unreadable memory has no bytes, as in the kernel.
	 */
	if (!s.size && n->op == NODE_DYNAMIC && run->plan->is_probe)
		text_add(run->out, "(fault)");
	text_add_bytes(run->out, (const char *)s.bytes, strnlen((const char *)s.bytes, s.size));
}

/* Prints %p: (nil) for a null address, as the C library's printf does. */
static void put_pointer(struct plan_run *run, const struct plan_piece *piece)
{
	uint64_t addr = node_evaluate(run, piece->node);

	if (!addr)
		text_add_bytes(run->out, "(nil)", 5);
	else
		put_unknown(run, addr);
}

/* Prints %pS, and %ps without the offset. */
static void plan_print_put_symbol(struct plan_run *run, const struct plan_piece *piece)
{
	const struct tracepoint_machine *m = run->machine;
	uint64_t addr = node_evaluate(run, piece->node), offset = 0;
	const char *name = m->symbol ? m->symbol(m->arg, addr, &offset) : NULL;

	if (!name) {
		put_unknown(run, addr);
		return;
	}
	text_add(run->out, name);
	if (!(piece->flags & PIECE_LONG_FORM))
		return;
	text_add_char(run->out, '+');
	put_unknown(run, offset);
}

/* Prints a character. A NUL is omitted, because it would end the text. */
static void put_character(struct plan_run *run, char c)
{
	if (c)
		text_add_char(run->out, c);
}

static void put_conversion(struct plan_run *run, const struct plan_piece *piece, int width)
{
	switch (piece->kind) {
	case PIECE_CHAR:
		put_character(run, (char)node_evaluate(run, piece->node));
		return;
	case PIECE_STRING:
		plan_print_put_string(run, piece->node);
		return;
	case PIECE_POINTER:
		put_pointer(run, piece);
		return;
	case PIECE_SYMBOL:
		plan_print_put_symbol(run, piece);
		return;
	default:
		put_address(run, piece, width);
		return;
	}
}

/*
 * Truncates the text after @start to @precision characters (-1: not at all) and pads it to @width.
 */
static void plan_print_adjust(struct text *t, size_t start, bool left, int width, int precision)
{
	size_t n = t->length - start, fill;

	if (precision >= 0 && n > (size_t)precision) {
		n = (size_t)precision;
		t->length = start + n;
		t->chars[t->length] = '\0';
	}
	if (n >= (size_t)width)
		return;
	fill = (size_t)width - n;
	text_pad(t, start, (size_t)width, 0, ' ');
	if (left)
		return;
	memmove(t->chars + start + fill, t->chars + start, n);
	memset(t->chars + start, ' ', fill);
}

/* Returns the number for a *. */
static int argument_width(struct plan_run *run, uint32_t node, int given)
{
	if (node == PLAN_NO_NODE)
		return given;

	int64_t n = (int64_t)number_extend(node_evaluate(run, node), 4, true);

	return n < -PLAN_WIDTH_MAX ? -PLAN_WIDTH_MAX : n > PLAN_WIDTH_MAX ? PLAN_WIDTH_MAX : (int)n;
}

static uint64_t integer_argument(struct plan_run *run, const struct plan_piece *piece)
{
	return number_extend(node_evaluate(run, piece->node), piece->bytes,
			     piece->flags & PIECE_SIGNED);
}

/* Prints a conversion with flags, a width or a precision. */
static void put_formatted(struct plan_run *run, struct plan_piece piece)
{
	int width = argument_width(run, piece.width_node, piece.width);
	int precision = argument_width(run, piece.precision_node, piece.precision);
	size_t start;

	if (width < 0) {
		piece.flags |= PIECE_LEFT;
		width = -width;
	}
	if (piece.kind == PIECE_INTEGER) {
		put_integer(run->out, &piece, integer_argument(run, &piece), width, precision);
		return;
	}
	start = run->out->length;
	put_conversion(run, &piece, width);
	if (piece.kind == PIECE_DUMP || piece.kind == PIECE_BITMAP)
		return; /* its width is the number of bytes or bits */
	plan_print_adjust(run->out, start, piece.flags & PIECE_LEFT, width,
			  piece.kind == PIECE_STRING ? precision : -1);
}

/*
 * Returns the value of a field that is stored in our own byte order. Most printed values are such
 * fields, so this is a shortcut for node_evaluate().
 */
static bool load_field(const struct plan_run *run, const struct plan_piece *piece, uint64_t *ret)
{
	const uint8_t *p = run->raw + piece->load_at;
	uint32_t word;

	if (!piece->load || run->machine->swap ||
	    (uint64_t)piece->load_at + piece->load > run->size)
		return false;
	if (piece->load == 8) {
		memcpy(ret, p, 8);
		return true;
	}
	memcpy(&word, p, 4);
	*ret = piece->load_signed ? (uint64_t)(int32_t)word : word;
	return true;
}

static char *write_integer(char *at, const struct plan_piece *piece, uint64_t value)
{
	if (piece->bytes < 8)
		value = number_extend(value, piece->bytes, piece->flags & PIECE_SIGNED);
	if (piece->base == 16)
		return digits_hex(at, value);
	if (piece->flags & PIECE_SIGNED)
		return digits_signed(at, (int64_t)value);
	return digits_decimal(at, value);
}

static char *write_literal(char *at, const struct tracepoint_plan *p,
			   const struct plan_piece *piece)
{
	if (piece->literal_length <= sizeof(piece->brief))
		/* no loop; DIGITS_MAX leaves enough space */
		memcpy(at, piece->brief, sizeof(piece->brief));
	else
		memcpy(at, p->chars.chars + piece->literal, piece->literal_length);
	return at + piece->literal_length;
}

static void plan_print_put_piece(struct plan_run *run, const struct plan_piece *piece)
{
	if (piece->kind == PIECE_TEXT)
		return;
	if (!piece->plain)
		put_formatted(run, *piece);
	else
		put_conversion(run, piece, 0);
}

/*
 * Prints the pieces. Literals and plain integers are written at @at, where there is enough space;
 * the rest is appended.
 */
static void put_pieces(struct plan_run *run)
{
	const struct tracepoint_plan *p = run->plan;
	char *at = text_room(run->out, p->room);

	for (size_t i = 0; i < p->pieces.n; i++) {
		const struct plan_piece *piece = &p->pieces.items[i];
		uint64_t value;

		at = write_literal(at, p, piece);
		if (piece->is_quick) {
			if (!load_field(run, piece, &value))
				value = node_evaluate(run, piece->node);
			at = write_integer(at, piece, value);
			continue;
		}
		text_filled(run->out, at);
		plan_print_put_piece(run, piece);
		at = text_room(run->out, p->room);
	}
	text_filled(run->out, at);
}

void tracepoint_plan_print(const struct tracepoint_plan *p, const struct tracepoint_machine *m,
			   const void *raw, size_t size, struct text *out)
{
	static const uint8_t nothing[1];
	struct plan_run run = {
		.plan = p, .machine = m, .raw = size ? raw : nothing, .size = size, .out = out
	};

	if (p->problem) {
		text_add(out, "[FAILED TO PARSE]");
		put_fields(&run);
	} else {
		put_pieces(&run);
	}
	if (run.truncated)
		text_add(out, " [TRUNCATED]");
}
