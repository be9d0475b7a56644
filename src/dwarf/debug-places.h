/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where in the code a function begins, a line is, or what was inlined lies: the addresses at which
 * a probe can stand, with the entry of .debug_info whose variables are in scope.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_info;
struct diag;

struct debug_place {
	uint64_t addr;     /* link address */
	uint64_t scope;    /* entry of the function or inlined copy that the point is in; 0: none */
	uint64_t function; /* entry of the real function around it */
	uint64_t start;    /* where that begins */
	const char *name;  /* of the real function (DW_AT_name); belongs to the debug_info */
	const char *linker_name; /* of debug_place_at(): of the same, if it is another; or NULL */
	const char *scope_name;  /* of @scope; by it events of FILE:LINE are named */
	const char *file;        /* line of the place, or NULL */
	uint32_t line;
	uint32_t first_line; /* of the function @name (DW_AT_decl_line); 0: unknown */
	bool starts_line;    /* of debug_place_at(): the code of @line begins at @addr */
	bool is_inlined;     /* @scope is an inlined copy */
	bool after_prologue; /* it was moved behind the prologue of a function that is not optimised
			      */
};

struct debug_places {
	struct debug_place *items;
	size_t n, room;
};

void debug_places_done(struct debug_places *l);

/* Does the text of line @line of the source file @path match? An error: it cannot be read. */
typedef int debug_line_matches_fn(void *arg, const char *path, uint32_t line);

/* What to look for; see probe/probe-def.h, whose probe_point this repeats without the text. */
struct debug_point {
	const char *function, *file;
	debug_line_matches_fn *matches; /* lines by their text; NULL: not so */
	void *matches_arg;
	bool has_line;
	uint32_t line;
	uint64_t offset;
	bool is_return;
	bool wants_variables; /* they have no place in the prologue of a function not optimised */
	bool is_user;         /* a program, not the kernel */
	bool no_inlines;
};

/*
 * Appends the places of @p to @ret. -ENOENT: there is no such function, file or line; @diag says
 * which, and the nearest lines that have code, or similar names.
 */
int debug_places_find(struct debug_info *d, const struct debug_point *p, struct debug_places *ret,
		      struct diag *diag);

/* What lies at @addr, the other way round: function, line. False: nothing is known of it. */
bool debug_place_at(struct debug_info *d, uint64_t addr, struct debug_place *ret);

/* The lines of a function or of a file, and which of them can be probed. */
struct debug_lines {
	const char *function;  /* NULL: of a file */
	const char *file;      /* path as the compiler had it */
	const char *directory; /* of the compiler; or NULL */
	uint32_t start;        /* line 0 of a function; of a file 0 */
	uint32_t first, last;  /* what was asked for, absolute; @last UINT32_MAX: to the end */
	uint32_t *lines;       /* those with code, ascending, absolute */
	size_t n, room;
};

/*
 * Lines @from to @to (UINT32_MAX: to the end) of @function, counted from where it is declared, or
 * of
 * @file. -ENOENT: there is none with code; @diag says what there is.
 */
int debug_lines_find(struct debug_info *d, const char *function, const char *file, uint32_t from,
		     uint32_t to, struct debug_lines *ret, struct diag *diag);
void debug_lines_done(struct debug_lines *l);
