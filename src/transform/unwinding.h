/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinding while recording: passes over ring buffers in, a file with plain call chains out.
 *
 * The recorder copies each pass in. A thread of this layer unwinds the stacks, with the rules of
 * the images on disk, and writes the records in the order in which they were read. A pass is
 * unwound only after the next one was copied in, which may hold the records of its maps (see
 * session/live.h); so a recorder that needs short delays makes two passes at once. What the copied
 * stacks lack is read from the processes while they are there (transform/unwinding.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
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

/*
 * The stack of a thread that still runs, for what the copy of it in a sample lacks.
 *
 * The copy shows the moment of the sample, memory shows the present: functions may have returned
 * and others may have been called since. Memory above the copy is used only if the thread is
 * waiting now, in calls below the uppermost part of the copy, and memory still holds that part
 * unchanged. Then the calls that reach across the end of the copy are still running, and what their
 * callers stored is untouched. (A running thread does not show how much of its stack is in use, and
 * unused stack keeps its old contents for long.) Memory is read first and these conditions are
 * checked afterwards, so they hold whatever the thread did in between.
 *
 * The work is bounded: a few stretches of memory for a sample, all close to the copy.
 */

struct process_memory {
	pid_t tid;
	const uint8_t *copy; /* of the stack, from @start on; borrowed */
	uint64_t start, end;
	bool is_stale; /* it has changed, or cannot be read */
	bool was_used; /* something was taken from memory */
	size_t left;   /* how many bytes may still be read for this sample */
	uint64_t window_start;
	size_t window_size;
	uint8_t *window; /* what was read last; NULL: nothing yet */
};

void process_memory_done(struct process_memory *m);

/* Prepares for thread @tid: @size bytes of its stack were copied, from address @start on. */
void process_memory_begin(struct process_memory *m, pid_t tid, uint64_t start, const uint8_t *copy,
			  size_t size);

/*
 * Reads @n bytes at @addr, above the copy, for a stack_unwinder (@arg: the process_memory).
 * -ESTALE: the stack may have changed since; -EFAULT: out of reach; else what process_vm_readv()
 * says.
 */
int process_memory_read(void *arg, uint64_t addr, void *to, size_t n);

/*
 * Samples without what their copy of the stack has no use for.
 *
 * The kernel makes room for as many bytes as were asked for, and fills only those up to the end of
 * the stack, mostly a few KiB. What is not copied out of a ring buffer costs neither time nor room
 * in the caches.
 */

struct attr;
struct bytes;

/*
 * Appends the sample record of @attr at @record, @size bytes long: with its stack cut a word behind
 * what is used of it, or as it is where that saves nothing.
 */
void trimmed_sample_add(const uint8_t *record, size_t size, const struct attr *attr,
			struct bytes *out);
