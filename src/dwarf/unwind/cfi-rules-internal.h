/* SPDX-License-Identifier: MIT */
#pragma once
/* Shared by cfi-rules.c (rules from CFI) and code-rules.c (rules from the instructions). */
#include <pthread.h>
#include <stdatomic.h>

#include "base/shared-map.h"
#include "dwarf/unwind/cfi-function.h"
#include "dwarf/unwind/cfi-rules.h"
#include "dwarf/unwind/cfi-section.h"
#include "dwarf/unwind/code-answers.h"
#include "elf/file.h"

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
	const struct code_frames *frames;   /* NULL: CFI, where there is any, is correct */
	struct elf_file *file, *debug_file; /* NULL for JIT code */
	struct elf_section text;
	cfi_piece_fn *find_piece;
	void *find_arg;
	struct shared_map pieces; /* functions of JIT code by their start */
	pthread_mutex_t lock;     /* guards the maps, the arena and the file */
	struct cfi_source sources[CFI_SOURCES_MAX];
	atomic_size_t n_sources; /* see sources_of() */
	atomic_bool is_read;     /* the file's own sources have been read */
	struct cfi_compiler compiler;
	struct shared_map running; /* rules of cfi_rules_find_running(), by offset */
	struct shared_map leaves;  /* answers of cfi_rules_is_leaf(), by offset */
	struct shared_map ends;    /* answers of cfi_rules_ends_handlers() */
	struct code_answers answers;
	char *answers_path; /* the file in which they are kept; NULL: none */
};

/*
 * Returns the function of the code at @offset in the file; *@ret_at is the distance from its start.
 * NULL: it has no CFI.
 */
struct cfi_function *cfi_rules_function(struct cfi_rules *r, uint64_t offset, uint64_t *ret_at);

/*
 * Does the same for a single query about the code: the function, without its rows, is copied to
 * *@ret, and the rule to *@ret_rule, without its detail. False: it has no CFI, and the rule is
 * unknown.
 */
bool cfi_rules_glance(struct cfi_rules *r, uint64_t offset, struct cfi_function *ret,
		      uint64_t *ret_at, struct unwind_rule *ret_rule);

/* Code at @offset in the file: @at bytes into @function, or NULL. */
struct cfi_place_of_code {
	const struct cfi_function *function;
	uint64_t offset, at;
};

/*
 * Returns cfi_rules_find_running() for @code, whose rule is otherwise @by_cfi, without keeping the
 * answer: for queries about every instruction.
 */
struct unwind_rule cfi_rules_running(struct cfi_rules *r, const struct cfi_place_of_code *code,
				     const struct unwind_rule *by_cfi);

/*
 * Does the same for queries about one instruction of a function after the other. Returns the number
 * of bytes of code, from @code on, that have the rule *@rule, if the CFI for all of them is the
 * previous *@rule. At least 1. @entry_reach is that of the function (cfi_rules_entry_reach()).
 */
uint64_t cfi_rules_running_stretch(struct cfi_rules *r, const struct cfi_place_of_code *code,
				   uint64_t entry_reach, struct unwind_rule *rule);

/*
 * Returns the limit in @f, which begins at @offset, up to which the code before an instruction may
 * show its frame.
 */
uint64_t cfi_rules_entry_reach(struct cfi_rules *r, const struct cfi_function *f, uint64_t offset);
