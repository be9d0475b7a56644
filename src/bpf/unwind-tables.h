/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of the unwinder in the kernel (bpf/unwind.bpf.h): unwind rules of images, and the
 * mappings of processes.
 *
 * Everything is loaded when a program first needs it. The program requests the maps of a process or
 * the rules of a piece of code. A thread of this file reads /proc, compiles rules
 * (dwarf/unwind/flat-rules.h) and puts them into memory that the program reads. Until then the
 * program cannot unwind. Memory is bounded: when it is full, all tables are emptied and filled
 * anew.
 *
 *	unwind_tables_prepare() ─► bpf_module_load() ─► unwind_tables_start() ─►
 *	unwind_tables_free()
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "bpf/unwind-types.h"
#include "runtime/runtime-types.h"

struct bpf_module;
struct diag;
struct unwind_tables;

/*
 * Sizes the maps of @m, which includes bpf/unwind.bpf.h, and fills in the facts that it needs about
 * this machine. -EOPNOTSUPP with @diag set: nothing is known about the machine.
 */
int unwind_tables_prepare(struct bpf_module *m, struct unwind_host *ret, struct diag *diag);

struct runtime_functions;

/*
 * Begins to serve @m, which outlives the tables. Interpreted functions that are met are added to
 * @functions; NULL: runtimes are not looked for. Errors with @diag set.
 */
int unwind_tables_start(struct bpf_module *m, struct runtime_functions *functions,
			struct unwind_tables **ret, struct diag *diag);

/* Ends the thread. The loaded tables stay. */
void unwind_tables_free(struct unwind_tables *t);
DEFINE_FREEP(unwind_tables)

/* The results of unwinding; to be read before unwind_tables_free(). */
struct unwind_tables_facts {
	uint64_t results[UNWIND_RESULTS]; /* numbers of stacks by enum unwind_result */
	uint64_t processes, images;       /* numbers of those that were read */
	uint64_t rows, bytes;             /* rows of rules loaded now; memory of tables */
	uint64_t emptied;                 /* number of times that the memory was full */
	/* native frames in the ranges of runtimes, by what became of them */
	uint64_t runtime[RUNTIME_KINDS][RUNTIME_RESULTS];
};

int unwind_tables_facts(const struct unwind_tables *t, struct unwind_tables_facts *ret,
			struct diag *diag);
