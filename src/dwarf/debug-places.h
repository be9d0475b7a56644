/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Places in the code: the beginning of a function, a line, or an inlined copy, with the entry of
 * .debug_info whose variables are in scope there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_info;

struct debug_place {
	uint64_t addr; /* link address */
	/* entry of the function or inlined copy that contains the place; 0: none */
	uint64_t scope;
	uint64_t function;       /* entry of the function with code around it */
	uint64_t start;          /* entry point of @function */
	const char *name;        /* DW_AT_name of @function; belongs to the debug_info */
	const char *linker_name; /* set by debug_place_at(): its linkage name, or NULL */
	const char *scope_name;  /* DW_AT_name of @scope */
	const char *file;        /* source file of the place, or NULL */
	uint32_t line;
	uint32_t first_line; /* line of the function @name (DW_AT_decl_line); 0: unknown */
	bool starts_line;    /* set by debug_place_at(): the code of @line begins at @addr */
	bool is_inlined;     /* @scope is an inlined copy */
	uint64_t body;       /* address after the prologue, with debug_point.wants_body; or 0 */
};

struct debug_places {
	struct debug_place *items;
	size_t n, room;
};

void debug_places_done(struct debug_places *l);

/*
 * Returns a positive number if line @line of @file, whose whole path is @path, is wanted, else 0. A
 * negative error ends the search.
 */
typedef int debug_line_matches_fn(void *arg, const char *file, const char *path, uint32_t line);

/* The object of a search: a function, a line of it or of a file, or all lines that match. */
struct debug_point {
	const char *function; /* may be a glob; NULL: a line of @file */
	const char *file;     /* the end of its path; NULL: any */
	debug_line_matches_fn *matches;
	void *matches_arg;
	bool has_line;
	uint32_t line;   /* counted from the declaration of @function, or in @file */
	bool only_real;  /* without inlined copies */
	bool wants_body; /* set debug_place.body, unless the function was optimised */
};

/*
 * Appends the places of @p to @ret. -ENOENT: there is no such function; -ENODATA: there is no such
 * file, or no code of such a line; or the error of @p->matches.
 */
int debug_places_find(struct debug_info *d, const struct debug_point *p, struct debug_places *ret);

/* True if @addr is in the function of @p. */
bool debug_place_reaches(struct debug_info *d, const struct debug_place *p, uint64_t addr);

/* Returns the source file that declares a function called @function; NULL: there is none. */
const char *debug_function_file(struct debug_info *d, const char *function);

/* Finds the place at @addr: function and line. False: unknown. */
bool debug_place_at(struct debug_info *d, uint64_t addr, struct debug_place *ret);

/* The lines of a function or of a file that have code. */
struct debug_lines {
	const char *function;  /* NULL: of a file */
	const char *file;      /* path as the compiler recorded it */
	const char *directory; /* directory of the compiler; or NULL */
	uint32_t start;        /* the line that a function is declared on; 0 for a file */
	/* the requested range, in lines of the file; @last UINT32_MAX: to the end */
	uint32_t first, last;
	uint32_t *lines; /* those with code, ascending, in lines of the file */
	size_t n, room;
};

/*
 * Finds lines @from to @to (UINT32_MAX: to the end) of @function, counted from its declaration, or
 * of @file. -ENOENT: there is no such function; -ENODATA: none of the lines has code.
 */
int debug_lines_find(struct debug_info *d, const char *function, const char *file, uint32_t from,
		     uint32_t to, struct debug_lines *ret);
void debug_lines_done(struct debug_lines *l);
