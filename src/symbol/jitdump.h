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
};

/* Code that came to lie at @addr. */
struct jitdump_code {
	uint64_t time;
	uint64_t addr, size;
	const char *name; /* not NUL-terminated; NULL: it was moved here, from @old_addr */
	size_t name_length;
	uint64_t old_addr;
	uint64_t code_offset; /* of its bytes in the file; 0: they are not there */
	/* eh_frame_hdr and eh_frame that describe it; size 0: none. */
	uint64_t unwind_offset, unwind_size;
};

typedef void jitdump_fn(const struct jitdump_code *c, void *arg);

/*
 * Calls @fn for all code of a dump of @size bytes, in the order of the file, until a record makes
 * no sense. Names belong to @bytes. -EINVAL: it is no jitdump.
 */
int jitdump_parse(const void *bytes, size_t size, struct jitdump_header *ret, jitdump_fn *fn,
		  void *arg);
