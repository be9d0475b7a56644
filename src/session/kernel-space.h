/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The address space of a kernel: its own text, its modules, and JIT code (BPF programs,
 * trampolines), over time.
 *
 * Recorders know the extent of the text only roughly: it ends at the next module. Modules hide
 * JIT code, which lies in the room between them.
 */
#include <stdint.h>

#include "session/moment.h"

struct arena;
struct map;
struct space;
struct space_copying;
struct span;

struct kernel_space {
	struct space *modules, *jit;
	const struct map *text; /* NULL: not known */
	uint64_t text_end;
	uint64_t text_limit; /* where the next module starts */
};

void kernel_space_init(struct kernel_space *k, struct arena *a);
void kernel_space_done(struct kernel_space *k);

/* Makes @to, which is not initialised, the same as @from, but for what @c leaves out. */
void kernel_space_copy(struct kernel_space *to, const struct kernel_space *from,
		       struct space_copying *c);

/* The kernel's own text; a length of 0 is "not known". */
void kernel_space_text(struct kernel_space *k, const struct map *text);

void kernel_space_module(struct kernel_space *k, struct arena *a, const struct map *m,
			 struct moment at);

/* Code that came (@m) or went (NULL) at [@start, @end). */
void kernel_space_made(struct kernel_space *k, struct arena *a, uint64_t start, uint64_t end,
		       const struct map *m, struct moment at);

/* What lies at @addr at @at; NULL: nothing. *@span is narrowed to the times it does. */
const struct map *kernel_space_find(const struct kernel_space *k, uint64_t addr, struct moment at,
				    struct span *span);

/*
 * The kernel's text if @addr lies between its end and what is known to follow: the code that starts
 * the kernel lies there (start_kernel, at the bottom of CPU 0's idle stacks). Only the kernel's
 * symbols can tell whether it is the kernel's at all.
 */
const struct map *kernel_space_behind_text(const struct kernel_space *k, uint64_t addr);
