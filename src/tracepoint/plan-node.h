/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of a plan: nodes of expressions, and pieces of text that refer to them.
 *
 * A node is made after its operands, so that operands have smaller numbers and evaluation ends. It
 * is one of three kinds. An integer has a C type (bytes, is_signed), and its value, in 64 bits, is
 * sign- or zero-extended from that. A place is a run of the record's bytes whose elements have that
 * type. A string has neither. Only plan*.c know all this.
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
	NODE_CONSTANT, /* value */
	NODE_LOAD,     /* a: offset within the record, b: bytes from there that its address means */
	NODE_ELEMENT,  /* a: place, b: index */
	NODE_LENGTH,   /* a: place; its size in bytes */
	NODE_CAST,     /* a: integer or place */
	NODE_NEGATE,   /* a */
	NODE_COMPLEMENT, /* a */
	NODE_NOT,        /* a */
	NODE_MULTIPLY,   /* a, b, and so on to NODE_OR: of the same type, shifts excepted */
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
	NODE_OFFSET,   /* a: place, b: elements to leave out */

	/* strings */
	NODE_LITERAL,  /* a: string */
	NODE_FLAGS,    /* a: integer, b: first name, c: names, value: string between them */
	NODE_SYMBOLIC, /* a: integer, b: first name, c: names */
	NODE_HEX,      /* a: place, b: bytes, value: whether a space parts them */
	NODE_NUMBERS,  /* a: place, b: elements, c: bytes of one */
	NODE_BITMASK,  /* a: place */
};

struct plan_node {
	uint8_t op;
	uint8_t kind;
	uint8_t bytes; /* of the type: 1, 2, 4, 8 */
	bool is_signed;
	uint16_t depth; /* of the tree below */
	uint32_t cost;  /* of evaluation, in nodes; a node counts once for each node that refers to
			   it */
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
	PIECE_TEXT, /* nothing follows the literal */
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

/* Wider than any text of a kernel, and small enough for hostile ones. */
#define PLAN_WIDTH_MAX 4096

/* A literal, and the conversion that follows it. */
struct plan_piece {
	uint32_t literal, literal_length; /* in plan->chars */
	char brief[8];                    /* its first characters: most have no more */
	uint8_t kind;
	uint8_t flags;
	uint8_t base;             /* of an integer */
	uint8_t bytes;            /* of an integer, by its length modifier */
	char variant[5];          /* the letters after %pI4, %pU and their like */
	bool plain;               /* neither flags, width, precision nor base 8 */
	bool is_quick;            /* plain, and an integer */
	uint8_t load;             /* bytes of the field that it is, 4 or 8; else 0 */
	bool load_signed;         /* so is the field, */
	uint32_t load_at;         /* which is there */
	int32_t width, precision; /* precision -1: not given */
	uint32_t width_node, precision_node, node; /* PLAN_NO_NODE: none */
};

struct tracepoint_plan {
	const struct tracepoint_format *format;
	unsigned long_size;
	bool is_probe; /* added by a user: a string without bytes could not be read */
	char *problem; /* NULL: pieces are the text */
	size_t room;   /* that their literals and plain integers take at most */

	/* For tools/script/text-memo-model.h: */
	bool is_worth_keeping; /* the text is of the record alone, and not quickly made */
	uint32_t skip;         /* bytes at the beginning of a record that it does not show */

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

/* One printing: the record, and where its text goes. */
struct plan_run {
	const struct tracepoint_plan *plan;
	const struct tracepoint_machine *machine;
	const uint8_t *raw;
	size_t size;
	bool truncated; /* something lay beyond the record */
	struct text *out;
};

/* The integer of @bytes at @p in the record's byte order, zero-extended. */
uint64_t integer_at(const struct plan_run *run, const uint8_t *p, unsigned bytes);

/* The integer that the record has at @offset; 0 if it ends before. */
uint64_t record_load(struct plan_run *run, uint32_t offset, unsigned bytes);

/* The value of an operation whose operands have those values. */
uint64_t binary_evaluate(const struct plan_node *n, bool is_signed, uint64_t a, uint64_t b);

/* The value of an integer; of a place its first element; of a string 0. */
uint64_t node_evaluate(struct plan_run *run, uint32_t node);

/* Where a field lies; of __data_loc and __rel_loc: what they point to. Always within the record. */
struct raw_span field_locate(struct plan_run *run, const struct tracepoint_field *f);

/* Where a place is. Always within the record. Of anything else: nowhere, empty. */
struct raw_span node_locate(struct plan_run *run, uint32_t node);
