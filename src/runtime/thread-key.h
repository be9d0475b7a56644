/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Ways from the thread pointer to a value of the thread: of a pthread key, or of a thread-local
 * variable.
 */
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime-types.h"

struct arch;
struct elf_file;

/* The places where a C library keeps the values of pthread keys, if n_slots is not 0. In bytes. */
struct runtime_libc {
	int64_t blocks; /* from the thread pointer to the pointers to blocks of values */
	uint32_t value; /* in a block, of the first value */
	uint32_t slot_size, n_slots, n_blocks;
	/* From the thread pointer to what pthread_self() returns; RUNTIME_NO_SELF: not known. */
	int64_t self;
};

#define RUNTIME_NO_SELF INT64_MIN

/* Reads it from the C library @file. -ENODATA: it is none that describes it. */
int runtime_libc_read(struct elf_file *file, struct runtime_libc *ret);

/* Appends a step. */
void runtime_path_add(struct runtime_path *p, int64_t offset);

/*
 * Appends to @path the way from the thread pointer to the value of the pthread key @key. -ENOTSUP:
 * the C library does not describe its threads.
 */
int thread_key_path(const struct runtime_libc *libc, uint32_t key, struct runtime_path *path);

/* The code of a function of a process. */
struct thread_code {
	const struct arch *arch; /* of its machine; NULL: it is not known */
	int pid;
	uint64_t addr;
	size_t size; /* 0: not known */
};

/*
 * Follows the code @c until it passes an argument to another function. Gives the argument, or the
 * address from which its 4 bytes were loaded. -EPROTO: the code is not so simple.
 */
int thread_key_find(struct thread_code c, uint64_t *ret_key_at);

/*
 * Follows the code of a function that returns a thread-local variable, and appends the way from the
 * thread pointer to its value. -EPROTO as above; -EAGAIN: the dynamic linker has not placed it yet.
 */
int thread_variable_path(struct thread_code c, struct runtime_path *path);

/*
 * Does the same for the first thread-local variable that a function loads, whatever it does with
 * the value.
 */
int thread_first_variable_path(struct thread_code c, struct runtime_path *path);

/*
 * Gives the addresses, at most @room of them, of global variables that a function loads on its
 * straight way, in this order. Returns their number.
 */
size_t thread_loads_find(struct thread_code c, uint64_t *ret, size_t room);

/*
 * Follows the code of a function that returns a constant or the value of a global variable, and
 * gives it as it is now. -EPROTO as above.
 */
int thread_result_find(struct thread_code c, uint64_t *ret);
