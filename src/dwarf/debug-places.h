/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where in the code a function begins, a line is, or an inlined copy lies, with the entry of
 * .debug_info whose variables are in scope there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_info;

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
	uint64_t body;       /* behind the prologue, if debug_point.wants_body; or 0 */
};

struct debug_places {
	struct debug_place *items;
	size_t n, room;
};

void debug_places_done(struct debug_places *l);

/*
 * Is line @line of @file, whose whole path is @path, one to look for? A negative error ends the
 * search.
 */
typedef int debug_line_matches_fn(void *arg, const char *file, const char *path, uint32_t line);

/* What to look for: a function, a line of it or of a file, or all lines that match. */
struct debug_point {
	const char *function; /* may be a glob; NULL: a line of @file */
	const char *file;     /* the end of its path; NULL: any */
	debug_line_matches_fn *matches;
	void *matches_arg;
	bool has_line;
	uint32_t line;   /* counted from where @function is declared, or in @file */
	bool only_real;  /* without inlined copies */
	bool wants_body; /* also where code behind the prologue begins, unless it is optimised */
};

/*
 * Appends the places of @p to @ret. -ENOENT: there is no such function; -ENODATA: there is no such
 * file, or no code of such a line; or the error of @p->matches.
 */
int debug_places_find(struct debug_info *d, const struct debug_point *p, struct debug_places *ret);

/* Is @addr in the function of @p? */
bool debug_place_reaches(struct debug_info *d, const struct debug_place *p, uint64_t addr);

/* The source file that declares a function called @function; NULL: there is none. */
const char *debug_function_file(struct debug_info *d, const char *function);

/* What lies at @addr, the other way round: function, line. False: nothing is known of it. */
bool debug_place_at(struct debug_info *d, uint64_t addr, struct debug_place *ret);

/* The lines of a function or of a file that have code. */
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
 * of @file. -ENOENT: there is no such function; -ENODATA: none of the lines has code.
 */
int debug_lines_find(struct debug_info *d, const char *function, const char *file, uint32_t from,
		     uint32_t to, struct debug_lines *ret);
void debug_lines_done(struct debug_lines *l);
