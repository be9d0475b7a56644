/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * jit-PID.dump, in which a JIT compiler keeps the code it makes: records with a time, an address, a
 * name and the code's bytes, behind a header of its own. Only the bytes are looked at here; what
 * lies where when is jit-code.h.
 *
 * A live process appends to its file, so a record that is cut off at the end is usual.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jitdump_header {
	uint32_t machine; /* EM_* */
	uint32_t pid;     /* as the process sees itself */
	bool raw_times;   /* times are those of a counter of the CPU */
	bool swapped;     /* written in the other byte order */
};

/* Code that came to lie at @addr. */
struct jitdump_code {
	uint64_t time;
	uint64_t addr, size;
	const char *name; /* not NUL-terminated; NULL: it was moved here, from @old_addr */
	size_t name_length;
	uint64_t old_addr;
	uint64_t code_offset; /* of its bytes in the file; 0: they are not there */
	uint64_t index;       /* which function of the dump it is; of moved code that it was */
	/* eh_frame and, at its end, eh_frame_hdr that describe it; size 0: none. */
	uint64_t unwind_offset, unwind_size, unwind_header_size;
	/* Its source lines: see jitdump_lines(); size 0: none. */
	uint64_t lines_offset, lines_size;
};

struct jitdump_line {
	uint64_t addr;    /* where code of it begins */
	const char *file; /* in the dump */
	uint32_t line;
};

typedef void jitdump_line_fn(const struct jitdump_line *l, void *arg);

typedef void jitdump_fn(const struct jitdump_code *c, void *arg);

/*
 * Calls @fn for all code of a dump of @size bytes, in the order of the file, until a record makes
 * no sense. Names belong to @bytes. -EINVAL: it is no jitdump.
 */
int jitdump_parse(const void *bytes, size_t size, struct jitdump_header *ret, jitdump_fn *fn,
		  void *arg);

/* Calls @fn for the source lines of @c, which was found in the dump at @bytes. */
void jitdump_lines(const void *bytes, const struct jitdump_header *h, const struct jitdump_code *c,
		   jitdump_line_fn *fn, void *arg);
