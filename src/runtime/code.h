/* SPDX-License-Identifier: MIT */
#pragma once
/* The functions of an interpreted language, as code objects in memory describe them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* A line of a function, from a position on; 0: none. */
struct runtime_line {
	uint32_t position, line;
};

/* A function in the language's own source. */
struct runtime_function {
	struct text name; /* as it is shown: "app.py:Server.run", "java.lang.String.hashCode" */
	struct text file; /* of its source; empty: not known */
	uint32_t size;    /* of its code in the unit of positions, which are below it */
	struct {
		struct runtime_line *items; /* by position */
		size_t n, room;
	} lines;
};

/* Positions below `end` in a compiled code object, and the functions that run there. */
struct runtime_spot {
	uint32_t end;
	uint32_t first, n; /* of the places, innermost first */
};

struct runtime_place {
	uint32_t function, position;
};

/*
 * A code object: a function, or compiled code, which has the positions of its own functions inlined
 * into it. Without spots every position is one of the first function.
 */
struct runtime_code {
	/*
	 * For code at an address, where the object of a frame is an address in it, and positions
	 * count from its start: it stands for all frames there with the same check word.
	 */
	uint64_t start, size;
	struct {
		struct runtime_function *items;
		size_t n, room;
	} functions;
	struct {
		struct runtime_spot *items; /* by end */
		size_t n, room;
	} spots;
	struct {
		struct runtime_place *items;
		size_t n, room;
	} places;
	bool is_brief; /* such objects come and go: the next one may be at the same address soon */
};

/* Appends a function without name, file and lines. */
struct runtime_function *runtime_code_add(struct runtime_code *c);

void runtime_code_done(struct runtime_code *c);

/* Removes the functions; spots and places stay. */
void runtime_code_forget_functions(struct runtime_code *c);

/* Appends the name of a function that has one only inside a file: "app.py:main". */
void runtime_name_in_file(const char *file, const char *function, struct text *to);
