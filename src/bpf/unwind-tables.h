/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of the unwinder in the kernel (bpf/unwind.bpf.h): unwind rules of images, and what
 * processes have mapped.
 *
 * Everything is loaded when a program first needs it. The program asks for the maps of a process or
 * for the rules of a piece of code, and a thread of this file looks into /proc, compiles rules
 * (dwarf/unwind/flat-rules.h) and puts them where the program sees them. Until then its answer is
 *that it cannot unwind. Memory is bounded: when it is full, all tables are emptied and filled anew.
 *
 *	unwind_tables_prepare() ─► bpf_module_load() ─► unwind_tables_start() ─►
 *unwind_tables_free()
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "bpf/unwind-types.h"

struct bpf_module;
struct diag;
struct unwind_tables;

/*
 * Sizes the maps of @m, which includes bpf/unwind.bpf.h, and fills in what it must know of this
 * machine. -EOPNOTSUPP with @diag set: nothing is known about it.
 */
int unwind_tables_prepare(struct bpf_module *m, struct unwind_host *ret, struct diag *diag);

/* Begins to serve @m, which outlives it. Errors with @diag set. */
int unwind_tables_start(struct bpf_module *m, struct unwind_tables **ret, struct diag *diag);

/* Ends the thread. What was loaded stays. */
void unwind_tables_free(struct unwind_tables *t);
DEFINE_FREEP(unwind_tables)

/* How it went; to be asked before unwind_tables_free(). */
struct unwind_tables_facts {
	uint64_t results[UNWIND_RESULTS]; /* how stacks ended: enum unwind_result */
	uint64_t processes, images;       /* that were looked at */
	uint64_t rows, bytes;             /* of rules, now; and the memory that they take */
	uint64_t emptied;                 /* how often memory was full */
};

int unwind_tables_facts(const struct unwind_tables *t, struct unwind_tables_facts *ret,
			struct diag *diag);
