/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a thread that still runs, for what the copy of it in a sample lacks.
 *
 * A copy is of the moment of the sample, the memory is of now: functions may have returned and
 * others been called since. What lies above the copy is believed only if the thread waits now, in
 * calls below the copy's uppermost part, and that part is still what memory holds. Then the calls
 * that reach across the copy's end go on, and nobody has touched what their callers have stored.
 * (Of a thread that runs nobody knows how much of its stack is in use; what is not keeps its old
 * contents for long.) The memory is read first and the rest asked after it, so it holds whatever
 * the thread did in between.
 *
 * Bounded: it reads a few stretches of memory for a sample, and none that is far above the copy.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* Turns to thread @tid, of whose stack @size bytes were copied, from address @start on. */
void process_memory_begin(struct process_memory *m, pid_t tid, uint64_t start, const uint8_t *copy,
			  size_t size);

/*
 * Reads @n bytes at @addr, above the copy, for a stack_unwinder (@arg: the process_memory).
 * -ESTALE: the stack may have changed since; -EFAULT: out of reach; else what process_vm_readv()
 * says.
 */
int process_memory_read(void *arg, uint64_t addr, void *to, size_t n);
