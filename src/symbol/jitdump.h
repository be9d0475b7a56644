/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Parses jit-PID.dump, in which a JIT compiler writes its code: a header, then records with a time,
 * an address, a name and the code's bytes. jit-code.h determines which code is where at what time.
 *
 * A running process appends to its file, so an incomplete last record is normal.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jitdump_header {
	uint32_t machine; /* EM_* */
	uint32_t pid;     /* the pid in the process's own namespace */
	bool raw_times;   /* times are from a CPU's counter, not from a clock */
	bool swapped;     /* written in the other byte order */
};

/* Bytes of the file, already checked to be within it. @size 0: none. */
struct jitdump_part {
	uint64_t offset, size;
};

/* Code that was loaded or moved to @addr. */
struct jitdump_code {
	uint64_t time;
	uint64_t addr, size;
	const char *name; /* not NUL-terminated; NULL: the code was moved from @old_addr */
	size_t name_length;
	uint64_t old_addr;
	uint64_t index; /* number of the function in the dump; moved code keeps it */
	struct jitdump_part code;
	struct jitdump_part eh_frame, eh_frame_hdr; /* unwind tables */
	struct jitdump_part lines;                  /* its source lines: see jitdump_lines() */
};

struct jitdump_line {
	uint64_t addr;    /* the address at which the code of the line begins */
	const char *file; /* stored in the dump */
	uint32_t line;
};

typedef void jitdump_line_fn(const struct jitdump_line *l, void *arg);

typedef void jitdump_fn(const struct jitdump_code *c, void *arg);

/*
 * Calls @fn for all code of a dump of @size bytes, in the order of the file, up to a damaged
 * record. Names belong to @bytes. -EINVAL: it is no jitdump.
 */
int jitdump_parse(const void *bytes, size_t size, struct jitdump_header *ret, jitdump_fn *fn,
		  void *arg);

/* Calls @fn for the source lines of @c, which was found in the dump at @bytes. */
void jitdump_lines(const void *bytes, const struct jitdump_header *h, const struct jitdump_code *c,
		   jitdump_line_fn *fn, void *arg);
