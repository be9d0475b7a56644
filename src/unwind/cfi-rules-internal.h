/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Shared by cfi-rules.c (rules by CFI) and code-rules.c (rules by what the code does).
 */
#include <pthread.h>
#include <stdatomic.h>

#include "base/shared-map.h"
#include "elf/file.h"
#include "unwind/cfi-function.h"
#include "unwind/cfi-rules.h"
#include "unwind/cfi-section.h"

struct arch;
struct code_frames;

#define CFI_SOURCES_MAX 3

/* A section of CFI, and those of its functions that were compiled, by the numbers of their FDEs. */
struct cfi_source {
	struct cfi_section section;
	_Atomic(struct cfi_function *) *functions;
};

struct cfi_rules {
	const struct arch *arch;            /* NULL: unknown */
	const struct code_frames *frames;   /* NULL: rules come from CFI alone */
	struct elf_file *file, *debug_file; /* NULL for JIT code */
	struct elf_section text;
	cfi_piece_fn *find_piece;
	void *find_arg;
	struct shared_map pieces; /* functions of JIT code by their start */
	pthread_mutex_t lock;     /* guards the maps, the arena and the file */
	struct cfi_source sources[CFI_SOURCES_MAX];
	atomic_size_t n_sources;
	struct cfi_compiler compiler;
	struct shared_map pages;   /* pieces of the file by offset */
	struct shared_map running; /* rules of cfi_rules_find_running(), by offset */
	struct shared_map leaves;  /* answers of cfi_rules_is_leaf(), by offset */
};

/*
 * The function of the code at @offset in the file; *@ret_at is how far into it. NULL: it has no
 * CFI.
 */
struct cfi_function *cfi_rules_function(struct cfi_rules *r, uint64_t offset, uint64_t *ret_at);

/* Code at @offset in the file: @at bytes into @function, or NULL. */
struct cfi_place_of_code {
	const struct cfi_function *function;
	uint64_t offset, at;
};

/*
 * cfi_rules_find_running() for @code, whose rule is @by_cfi otherwise, without keeping the answer:
 * for who asks about every instruction.
 */
struct unwind_rule cfi_rules_running(struct cfi_rules *r, const struct cfi_place_of_code *code,
				     const struct unwind_rule *by_cfi);
