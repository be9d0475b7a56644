/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What calls do to descriptors: open() makes one, close() ends one, dup() copies one.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"

struct trace_call;
struct trace_files;

struct file_effects {
	/* For each ABI: the effect of each call, by its number. */
	uint8_t *by_nr[SYSCALL_N_ABIS];
	unsigned n[SYSCALL_N_ABIS];
};

void file_effects_init(struct file_effects *f);
void file_effects_done(struct file_effects *f);

/* Does the call @c, which has ended, change what descriptors stand for? */
bool file_effects_has(const struct file_effects *f, const struct trace_call *c);

/* Is it an exec that has succeeded? */
bool file_effects_is_exec(const struct file_effects *f, const struct trace_call *c);

/* Applies what @c did, if it is not exec, to @files. */
void file_effects_apply(const struct file_effects *f, const struct trace_call *c,
			struct trace_files *files);
