/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A function as a list of lines: its instructions with their weights, and between them the source
 * from which they were made, mixed as in objdump -S.
 *
 * An instruction comes after the lines of source that are new with it: all lines since the last one
 * of that file, but at most a few; or, if it goes back, the one line. Made by one thread, with
 * tools of its own; the listing owns its contents.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/code-flow.h"
#include "base/arena.h"
#include "code/disassembler.h"
#include "code/types/access-types.h"
#include "profile/weight.h"
#include "symbol/code.h"
#include "symbol/source.h"

struct annotated_function;
struct annotated_functions;
struct code_store;
struct diag;
struct text_files;

enum listing_kind {
	LISTING_CODE,     /* an instruction of the function */
	LISTING_MORE,     /* the remaining bytes of a long instruction */
	LISTING_FUNCTION, /* the function, possibly inlined, of the lines that follow */
	LISTING_SOURCE,   /* a line of source */
	LISTING_PLACE,    /* file and number, as in the image, of a line that is missing */
	LISTING_LINE,     /* a line of source that has the weights itself: there is no code */
};

struct listing_line {
	enum listing_kind kind;
	const char *text;      /* for an instruction: "name\toperands" */
	size_t length;         /* the length of @text, which ends with a NUL unless it is source */
	uint32_t number;       /* for a line of source */
	struct source_line at; /* for source and instructions; file is NULL if not known */
	/* For instructions: */
	uint64_t addr;
	const uint8_t *bytes;
	size_t n_bytes;
	struct code_flow flow;
	bool jumps_within;            /* it jumps to another place of the function */
	uint32_t n_jumps;             /* number of the function's jumps that lead here */
	const char *lead, *comment;   /* as in struct instruction */
	const char *target;           /* "main+0x10": the symbol there; NULL: unknown */
	const struct weight *weights; /* one for each event */
	/*
	 * The cycles of the block of code that ends here; NULL: no block ends here, or nothing is
	 * known.
	 */
	const struct listing_cycles *cycles;
	struct access_type access; /* the accessed type; type is NULL if that is not wanted */
};

struct listing_cycles {
	double ipc; /* instructions per cycle; 0: the block's start is not known */
	uint64_t average;
	unsigned least, most;
};

struct listing {
	const struct annotated_functions *all;
	const struct annotated_function *function;
	const char *name; /* the function's name */
	const char *section;
	uint64_t start, end; /* the range of shown addresses */
	const struct arch *arch;
	struct listing_line *items;
	size_t n, room;
	bool has_cycles;
	bool is_source; /* its lines have the weights: there is no code, and no machine */
	struct arena arena;
	struct code code;
};

/* The tools with which listings are made. */
struct listing_tools {
	struct code_store *code;
	struct text_files *sources; /* NULL: no source is wanted */
	struct access_types *types; /* NULL: the types that instructions access are not wanted */
	enum disassembler_syntax syntax;
	bool with_lines; /* the source lines of instructions are wanted */
	bool raw;        /* bytes are shown: long ones go on in further lines */
	/* For one thread; made when it is needed. */
	struct disassembler *disassembler;
	const struct arch *arch; /* the disassembler's machine */
	pthread_mutex_t *lock;   /* held while making a disassembler */
};

void listing_tools_done(struct listing_tools *t);

/* Makes the listing of @f, one of @all. Returns a negative errno with @diag if there is none. */
int listing_make(struct listing_tools *t, const struct annotated_functions *all,
		 const struct annotated_function *f, struct listing *ret, struct diag *diag);
void listing_done(struct listing *l);

/* Sets the weights to those of @f, which is the same function with other samples, one of @all. */
void listing_weigh(struct listing *l, const struct annotated_functions *all,
		   const struct annotated_function *f);

/* True if @line is an instruction, or the rest of one. */
static inline bool listing_line_is_code(const struct listing_line *line)
{
	return line->kind == LISTING_CODE || line->kind == LISTING_MORE;
}

/* True if @line has weights: it is an instruction, or a line of source without code. */
static inline bool listing_line_weighs(const struct listing_line *line)
{
	return listing_line_is_code(line) || line->kind == LISTING_LINE;
}

/* Finds where jumps lead: listing_line.jumps_within and n_jumps. Called by listing_make(). */
void listing_find_jumps(struct listing *l);

/*
 * The source between the instructions of a listing, for profile/listing.c.
 */

struct listing;
struct listing_tools;
struct text_file;

/* The state of showing a file. */
struct shown_file {
	const char *name;
	const struct text_file *file; /* NULL: the file is not on this machine */
	uint32_t last;                /* the highest line shown */
};

struct listing_source {
	struct listing *listing;
	const struct listing_tools *tools;
	const struct line_row *rows;
	size_t n_rows, row; /* @row: the next one */
	struct source_line at;
	const char *text; /* the line's text, if the image has it; or NULL */
	const char *function;
	struct {
		struct shown_file *items;
		size_t n, room;
	} files;
};

void listing_source_begin(struct listing_source *s, struct listing *l,
			  const struct listing_tools *t);
void listing_source_done(struct listing_source *s);

/* Adds the source that is new at @addr, an address of the listing. Returns its line. */
struct source_line listing_source_reach(struct listing_source *s, uint64_t addr);
