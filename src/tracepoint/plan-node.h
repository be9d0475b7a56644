/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Internals of a plan: nodes of expressions, and pieces of text that refer to them.
 *
 * A node is made after its operands, so that operands have smaller numbers and evaluation ends.
 * There are three kinds of nodes. An integer has a C type (bytes, is_signed), and its value, in 64
 * bits, is sign- or zero-extended from that. A place is a range of the record's bytes whose
 * elements have that type. A string has neither. Only plan*.c uses these definitions.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tracepoint/field.h"

struct tracepoint_machine;

enum node_kind {
	NODE_INTEGER,
	NODE_PLACE,
	NODE_STRING,
};

enum node_op {
	/* integers */
	NODE_CONSTANT,   /* value */
	NODE_LOAD,       /* a: offset within the record, b: size of the data at its address */
	NODE_ELEMENT,    /* a: place, b: index */
	NODE_LENGTH,     /* a: place; its size in bytes */
	NODE_CAST,       /* a: integer or place */
	NODE_NEGATE,     /* a */
	NODE_COMPLEMENT, /* a */
	NODE_NOT,        /* a */
	NODE_MULTIPLY,   /* a, b; this up to NODE_OR: same types, except shifts */
	NODE_DIVIDE,
	NODE_REMAINDER,
	NODE_ADD,
	NODE_SUBTRACT,
	NODE_LEFT,
	NODE_RIGHT,
	NODE_LESS,
	NODE_LESS_EQUAL,
	NODE_EQUAL,
	NODE_UNEQUAL,
	NODE_BIT_AND,
	NODE_BIT_XOR,
	NODE_BIT_OR,
	NODE_AND,
	NODE_OR,
	NODE_MILLISECONDS, /* a: jiffies */

	NODE_CHOICE, /* a ? b : c; of their kind */

	/* places */
	NODE_FIELD,    /* a: offset, b: size; b = 0: to the end of the record */
	NODE_DYNAMIC,  /* a: offset of the __data_loc word */
	NODE_RELATIVE, /* a: offset of the __rel_loc word */
	NODE_OFFSET,   /* a: place, b: elements to skip */

	/* strings */
	NODE_LITERAL,  /* a: string */
	NODE_FLAGS,    /* a: integer, b: first name, c: names, value: separator string */
	NODE_SYMBOLIC, /* a: integer, b: first name, c: names */
	NODE_HEX,      /* a: place, b: bytes, value: whether spaces separate them */
	NODE_NUMBERS,  /* a: place, b: elements, c: bytes of one */
	NODE_BITMASK,  /* a: place */
};

struct plan_node {
	uint8_t op;
	uint8_t kind;
	uint8_t bytes; /* the size of the type: 1, 2, 4, 8 */
	bool is_signed;
	uint16_t depth; /* the depth of the tree below */
	/* the cost of evaluation, in nodes; a node counts once for each reference to it */
	uint32_t cost;
	uint32_t a, b, c;
	uint64_t value;
};

struct plan_string {
	uint32_t offset, length; /* in plan->chars */
};

/* An entry of __print_flags() or __print_symbolic(). */
struct plan_name {
	uint64_t value;
	uint32_t string;
};

enum piece_kind {
	PIECE_TEXT, /* no conversion follows the literal */
	PIECE_INTEGER,
	PIECE_CHAR,
	PIECE_STRING,
	PIECE_POINTER,
	PIECE_SYMBOL,
	PIECE_MAC,
	PIECE_IP4,
	PIECE_IP6,
	PIECE_SOCKADDR,
	PIECE_UUID,
	PIECE_DUMP,
	PIECE_BITMAP,
};

enum piece_flag {
	PIECE_LEFT = 1 << 0,
	PIECE_ZERO = 1 << 1,
	PIECE_ALTERNATE = 1 << 2,
	PIECE_PLUS = 1 << 3,
	PIECE_BLANK = 1 << 4,
	PIECE_UPPER = 1 << 5,
	PIECE_SIGNED = 1 << 6,
	PIECE_LONG_FORM = 1 << 7, /* %pS with its offset, %pM and %pI with separators */
};

#define PLAN_NO_NODE UINT32_MAX

/*
 * A maximum that is larger than the width of any kernel text, and small enough for untrusted ones.
 */
#define PLAN_WIDTH_MAX 4096

/* A literal, and the conversion that follows it. */
struct plan_piece {
	uint32_t literal, literal_length; /* in plan->chars */
	char brief[8];                    /* its first characters: most literals are not longer */
	uint8_t kind;
	uint8_t flags;
	uint8_t base;             /* the base of an integer */
	uint8_t bytes;            /* an integer's size, by its length modifier */
	char variant[5];          /* the letters after %pI4, %pU and similar ones */
	bool plain;               /* without flags, width, precision, or base 8 */
	bool is_quick;            /* an integer that is plain */
	uint8_t load;             /* the size if it is a field, 4 or 8; else 0 */
	bool load_signed;         /* the sign of that field */
	uint32_t load_at;         /* the offset of that field */
	int32_t width, precision; /* precision -1: not given */
	uint32_t width_node, precision_node, node; /* PLAN_NO_NODE: none */
};

struct tracepoint_plan {
	const struct tracepoint_format *format;
	unsigned long_size;
	bool is_probe; /* added by a user: an empty string means it was unreadable */
	char *problem; /* NULL: the text is made from pieces */
	size_t room;   /* maximum size of their literals and plain integers */

	/* For tools/script/text-memo-model.h: */
	bool is_worth_keeping; /* the text depends only on the record, and is slow to make */
	uint32_t skip;         /* bytes at the beginning of a record that are not shown */

	struct plan_nodes {
		struct plan_node *items;
		size_t n, room;
	} nodes;
	struct plan_names {
		struct plan_name *items;
		size_t n, room;
	} names;
	struct plan_strings {
		struct plan_string *items;
		size_t n, room;
	} strings;
	struct plan_pieces {
		struct plan_piece *items;
		size_t n, room;
	} pieces;
	struct text chars;
};

/* One printing: the record, and the destination of its text. */
struct plan_run {
	const struct tracepoint_plan *plan;
	const struct tracepoint_machine *machine;
	const uint8_t *raw;
	size_t size;
	bool truncated; /* some data was beyond the end of the record */
	struct text *out;
};

/* Returns the integer of @bytes at @p in the record's byte order, zero-extended. */
uint64_t integer_at(const struct plan_run *run, const uint8_t *p, unsigned bytes);

/* Returns the integer at @offset of the record, or 0 if the record ends before it. */
uint64_t record_load(struct plan_run *run, uint32_t offset, unsigned bytes);

/* Returns the value of an operation with the given values of its operands. */
uint64_t binary_evaluate(const struct plan_node *n, bool is_signed, uint64_t a, uint64_t b);

/* Returns the value of an integer, the first element of a place, or 0 for a string. */
uint64_t node_evaluate(struct plan_run *run, uint32_t node);

/*
 * Returns the place of a field. For __data_loc and __rel_loc this is the place to which they point.
 * It is always within the record.
 */
struct raw_span field_locate(struct plan_run *run, const struct tracepoint_field *f);

/*
 * Returns the place of a node, which is always within the record. For other kinds of nodes it is
 * empty.
 */
struct raw_span node_locate(struct plan_run *run, uint32_t node);
