/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A function as a list of lines: its instructions with what they weigh, and the source they were
 * made of between them, in the way that objdump -S mixes them.
 *
 * An instruction comes behind the lines of source that are new with it: all since the last of that
 * file, but at most a few; or, if it goes back, the one line. Made by one thread, with tools of its
 * own; what is in it belongs to it.
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
	LISTING_CODE,     /* an instruction */
	LISTING_MORE,     /* the rest of the bytes of a long one */
	LISTING_FUNCTION, /* a function, perhaps inlined, that what follows is of */
	LISTING_SOURCE,   /* a line of source */
	LISTING_PLACE,    /* the name and number of one that is not here, as its image has it */
};

struct listing_line {
	enum listing_kind kind;
	const char *text;      /* of an instruction: "name\toperands" */
	size_t length;         /* of @text, which ends with a NUL; not of source, which does not */
	uint32_t number;       /* of a line of source */
	struct source_line at; /* of source and instructions; file is NULL if it is not known */
	/* Of instructions: */
	uint64_t addr;
	const uint8_t *bytes;
	size_t n_bytes;
	struct code_flow flow;
	bool jumps_within;            /* to another place of the function */
	uint32_t n_jumps;             /* of the function that lead here */
	const char *lead, *comment;   /* as in struct instruction */
	const char *target;           /* "main+0x10": what is there; NULL: unknown */
	const struct weight *weights; /* one for each event */
	/* What the block of code that ends here took; NULL: none does, or nothing is known. */
	const struct listing_cycles *cycles;
	struct access_type access; /* what it accesses; type is NULL if that is not wanted */
};

struct listing_cycles {
	double ipc; /* instructions in a cycle; 0: where the block begins is not known */
	uint64_t average;
	unsigned least, most;
};

struct listing {
	const struct annotated_functions *all;
	const struct annotated_function *function;
	const char *name; /* of the function */
	const char *section;
	uint64_t start, end; /* addresses that are shown */
	const struct arch *arch;
	struct listing_line *items;
	size_t n, room;
	bool has_cycles;
	struct arena arena;
	struct code code;
};

/* What listings are made with. */
struct listing_tools {
	struct code_store *code;
	struct text_files *sources; /* NULL: no source is wanted */
	struct access_types *types; /* NULL: what instructions access is not wanted */
	enum disassembler_syntax syntax;
	bool with_lines; /* where instructions are from is wanted */
	bool raw;        /* bytes are shown: long ones go on in further lines */
	/* Of one thread: made when it is needed. */
	struct disassembler *disassembler;
	const struct arch *arch; /* that it is for */
	pthread_mutex_t *lock;   /* of making one */
};

void listing_tools_done(struct listing_tools *t);

/* The listing of @f, one of @all. A negative errno with @diag: why there is none. */
int listing_make(struct listing_tools *t, const struct annotated_functions *all,
		 const struct annotated_function *f, struct listing *ret, struct diag *diag);
void listing_done(struct listing *l);

/* The weights are those of @f, the same function with other samples, one of @all. */
void listing_weigh(struct listing *l, const struct annotated_functions *all,
		   const struct annotated_function *f);

/* Whether @line is an instruction, or the rest of one. */
static inline bool listing_line_is_code(const struct listing_line *line)
{
	return line->kind == LISTING_CODE || line->kind == LISTING_MORE;
}

/* Finds where jumps lead: listing_line.jumps_within and n_jumps. listing_make() does it. */
void listing_find_jumps(struct listing *l);

/*
 * The source between the instructions of a listing, for profile/listing.c.
 */

struct listing;
struct listing_tools;
struct text_file;

/* How far a file has been shown. */
struct shown_file {
	const char *name;
	const struct text_file *file; /* NULL: it is not here */
	uint32_t last;                /* the highest line so far */
};

struct listing_source {
	struct listing *listing;
	const struct listing_tools *tools;
	const struct line_row *rows;
	size_t n_rows, row; /* @row: the next one */
	struct source_line at;
	const char *text; /* of that line, if the image has it; or NULL */
	const char *function;
	struct {
		struct shown_file *items;
		size_t n, room;
	} files;
};

void listing_source_begin(struct listing_source *s, struct listing *l,
			  const struct listing_tools *t);
void listing_source_done(struct listing_source *s);

/* Adds what is new at @addr, as the listing has addresses. Returns its line. */
struct source_line listing_source_reach(struct listing_source *s, uint64_t addr);
