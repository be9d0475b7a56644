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

/* Bytes of the file. All of them are there: nobody has to check again. @size 0: none. */
struct jitdump_part {
	uint64_t offset, size;
};

/* Code that came to lie at @addr. */
struct jitdump_code {
	uint64_t time;
	uint64_t addr, size;
	const char *name; /* not NUL-terminated; NULL: it was moved here, from @old_addr */
	size_t name_length;
	uint64_t old_addr;
	uint64_t index; /* which function of the dump it is; of moved code that it was */
	struct jitdump_part code;
	struct jitdump_part eh_frame, eh_frame_hdr; /* how to unwind it */
	struct jitdump_part lines;                  /* its source lines: see jitdump_lines() */
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
