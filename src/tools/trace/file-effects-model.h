/* SPDX-License-Identifier: MIT */
#pragma once
/* The effects of calls on descriptors: open() makes one, close() ends one, dup() copies one. */
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

/* True if the call @c, which has ended, changes the meaning of descriptors. */
bool file_effects_has(const struct file_effects *f, const struct trace_call *c);

/* True if it is a successful exec. */
bool file_effects_is_exec(const struct file_effects *f, const struct trace_call *c);

/* Applies the effect of @c, if it is not exec, to @files. */
void file_effects_apply(const struct file_effects *f, const struct trace_call *c,
			struct trace_files *files);
