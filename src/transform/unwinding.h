/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinding while recording: passes over ring buffers in, a file with plain call chains out.
 *
 * The recorder copies each pass in. A thread of this layer unwinds the stacks, with the rules of
 * the images on disk, and writes the records in the order in which they were read. A pass is
 * unwound only after the next one was copied in, which may hold the records of its maps (see
 * session/live.h); so a recorder that needs short delays makes two passes at once. What the copied
 * stacks lack is read from the processes while they are there (transform/process-memory.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "session/stack-unwind.h"

struct file_event;
struct kept_files;
struct unwinding;
struct writer;

/* More is never written at once. */
#define UNWINDING_CHUNK_MAX ((size_t)128 << 10)

struct unwinding_options {
	const struct file_event *opened;  /* as the kernel writes them; borrowed */
	const struct file_event *written; /* as the file has them: see unwound_attr() */
	size_t n;
	struct kept_files *kept; /* what the recorder keeps open of mapped files; borrowed */
	unsigned sp_register;    /* number of the stack pointer in samples */
	bool compress;
	bool is_rest; /* only stacks that the kernel has not unwound have copies */
};

struct unwinding_counts {
	struct unwind_counts ends;
	uint64_t from_memory; /* complete, but only with what the process had in memory */
};

/*
 * The most frames of a stack that are found: a deeper one is a recursion that is not worth reading.
 */
#define UNWINDING_FRAMES_MAX 1024

/* NULL: there can be no thread. */
struct unwinding *unwinding_new(const struct unwinding_options *o);
void unwinding_free(struct unwinding *u);
DEFINE_FREEP(unwinding)

/* Where records go. Only before the first pass, or when it has settled. */
void unwinding_write_to(struct unwinding *u, struct writer *w);

/* Takes in the synthesised records of what was there before. Only before the first pass. */
void unwinding_learn(struct unwinding *u, const void *records, size_t size);

/* Copies what one ring gave in this pass: whole records in two pieces. */
void unwinding_take(struct unwinding *u, const struct iovec pieces[2]);

/* All rings have been looked into. An error of the writer, maybe of an earlier pass. */
int unwinding_end_pass(struct unwinding *u);

/*
 * Waits until all is written but the last pass; if it is @last of all, that too. Errors as above.
 */
int unwinding_settle(struct unwinding *u, bool last);

/* Complete when the last pass was settled. */
struct unwinding_counts unwinding_counts(const struct unwinding *u);
