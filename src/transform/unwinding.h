/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwinds while recording: the input is passes over ring buffers, the output is a file with plain
 * call chains.
 *
 * The recorder copies each pass in. A thread of this layer unwinds the stacks, with the rules of
 * the images on disk, and writes the records in the order in which they were read. A pass is
 * unwound only after the next one was copied in, because that may contain the records of its maps
 * (see session/live.h). A recorder that needs short delays therefore makes two passes at once. Data
 * that is missing in the copied stacks is read from the processes while they exist
 * (transform/unwinding.h).
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

/* The maximum size of one write. */
#define UNWINDING_CHUNK_MAX ((size_t)128 << 10)

struct unwinding_options {
	const struct file_event *opened;  /* the layout that the kernel writes; borrowed */
	const struct file_event *written; /* the layout in the file: see unwound_attr() */
	size_t n;
	struct kept_files *kept; /* mapped files that the recorder keeps open; borrowed */
	unsigned sp_register;    /* number of the stack pointer in samples */
	bool compress;
	bool is_rest; /* only stacks that the kernel did not unwind have copies */
};

struct unwinding_counts {
	struct unwind_counts ends;
	uint64_t from_memory; /* complete only with data from the process's memory */
};

/*
 * The maximum number of frames of a stack. A deeper one is a recursion that is not worth reading.
 */
#define UNWINDING_FRAMES_MAX 1024

/* Returns NULL if no thread can be started. */
struct unwinding *unwinding_new(const struct unwinding_options *o);
void unwinding_free(struct unwinding *u);
DEFINE_FREEP(unwinding)

/*
 * Sets the destination of records. It may only be called before the first pass, or when the work
 * has settled.
 */
void unwinding_write_to(struct unwinding *u, struct writer *w);

/*
 * Takes the synthesized records of the initial state. It may only be called before the first pass.
 */
void unwinding_learn(struct unwinding *u, const void *records, size_t size);

/* Copies the data of one ring in this pass: whole records in two pieces. */
void unwinding_take(struct unwinding *u, const struct iovec pieces[2]);

/* Ends a pass over all rings. Returns an error of the writer, which may be from an earlier pass. */
int unwinding_end_pass(struct unwinding *u);

/*
 * Waits until everything except the last pass is written; if the pass is the @last one of all, it
 * is written too. Errors as above.
 */
int unwinding_settle(struct unwinding *u, bool last);

/* Returns the counts, which are complete after the last pass was settled. */
struct unwinding_counts unwinding_counts(const struct unwinding *u);

/*
 * The stack of a thread that still runs, for data that is missing in a sample's copy of it.
 *
 * The copy shows the moment of the sample, but memory shows the present: functions may have
 * returned and others may have been called since. Memory above the copy is used only if the thread
 * is waiting now, in calls below the uppermost part of the copy, and memory still contains that
 * part unchanged. Then the calls that extend across the end of the copy are still running, and the
 * data stored by their callers is unchanged. (A running thread does not show how much of its stack
 * is in use, and unused stack keeps its old contents for a long time.) Memory is read first and
 * these conditions are checked afterwards, so they hold whatever the thread did in between.
 *
 * The work is bounded: a few ranges of memory for a sample, all close to the copy.
 */

struct process_memory {
	pid_t tid;
	const uint8_t *copy; /* the copied stack, from @start on; borrowed */
	uint64_t start, end;
	bool is_stale; /* it has changed, or cannot be read */
	bool was_used; /* something was taken from memory */
	size_t left;   /* bytes that may still be read for this sample */
	uint64_t window_start;
	size_t window_size;
	uint8_t *window; /* the data that was read last; NULL: none yet */
};

void process_memory_done(struct process_memory *m);

/* Prepares for thread @tid, of whose stack @size bytes from address @start on were copied. */
void process_memory_begin(struct process_memory *m, pid_t tid, uint64_t start, const uint8_t *copy,
			  size_t size);

/*
 * Reads @n bytes at @addr, above the copy, for a stack_unwinder (@arg: the process_memory). Returns
 * -ESTALE if the stack may have changed since, -EFAULT if it is out of reach, or the error of
 * process_vm_readv().
 */
int process_memory_read(void *arg, uint64_t addr, void *to, size_t n);

/*
 * Removes the unused part of the copied stack from samples.
 *
 * The kernel reserves the requested number of bytes, and fills only those up to the end of the
 * stack, mostly a few KiB. Data that is not copied out of a ring buffer takes neither time nor
 * space in the caches.
 */

struct attr;
struct bytes;

/*
 * Appends the sample record of @attr at @record, which has @size bytes. Its stack is cut one word
 * after the used part, or unchanged if cutting saves nothing.
 */
void trimmed_sample_add(const uint8_t *record, size_t size, const struct attr *attr,
			struct bytes *out);
