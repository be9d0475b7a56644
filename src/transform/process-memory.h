/* SPDX-License-Identifier: MIT */
#pragma once
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

/* Prepares for thread @tid: @size bytes of its stack were copied, from address @start on. */
void process_memory_begin(struct process_memory *m, pid_t tid, uint64_t start, const uint8_t *copy,
			  size_t size);

/*
 * Reads @n bytes at @addr, above the copy, for a stack_unwinder (@arg: the process_memory).
 * -ESTALE: the stack may have changed since; -EFAULT: out of reach; else what process_vm_readv()
 * says.
 */
int process_memory_read(void *arg, uint64_t addr, void *to, size_t n);
