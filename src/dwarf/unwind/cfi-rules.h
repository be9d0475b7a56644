/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unwind rules: the computation of the registers of a function's caller, for the code of one ELF
 * file or of one JIT compiler. A rule is the information in .eh_frame (or .debug_frame) about an
 * address, compiled to a few bytes and kept, one function at a time. If CFI is not exact enough,
 * the rule comes from the instructions (arch/code-frame.h).
 *
 * Registers have the numbers that DWARF gives them on the file's machine. Any thread may query; a
 * query about a function that is already compiled takes no lock.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "dwarf/unwind/cfi-program.h"

struct arch;
struct cfi_rules;
struct elf_file;

/* The place of the caller's value of a register. */
enum unwind_where {
	UNWIND_OTHER,     /* unknown, or given by the rule's detail */
	UNWIND_SAME,      /* still in the register */
	UNWIND_AT_CFA,    /* in memory, at the canonical frame address plus an offset */
	UNWIND_UNDEFINED, /* lost; a function whose return address is undefined has no caller */
};

#define UNWIND_NO_REGISTER UINT8_MAX

/* The place of the caller's value of a register. */
struct unwind_saved {
	uint8_t reg;
	struct cfi_place place;
};

/* The rarely needed part of a rule: all other registers, and DWARF expressions. */
struct unwind_detail {
	bool swap, is_64;     /* byte order and address size of the expressions */
	struct cfi_place cfa; /* CFI_IS_EXPRESSION or CFI_UNSAID */
	size_t n;
	struct unwind_saved items[];
};

/* A rule. It is small, because there are many. ra is the return address, fp the frame pointer. */
struct unwind_rule {
	uint8_t cfa_register; /* the CFA is this plus cfa_offset; UNWIND_NO_REGISTER: see detail */
	uint8_t ra_register;  /* holds a return address that is UNWIND_SAME */
	uint8_t ra : 2;       /* enum unwind_where */
	uint8_t fp : 2;
	uint8_t is_signal : 1; /* the caller was interrupted by a signal: it made no call */
	uint8_t hides_sp : 1;  /* the CFA is only a lower bound of the caller's stack pointer */
	int32_t cfa_offset, ra_offset, fp_offset;
	const struct unwind_detail *detail; /* NULL: nothing */
};

/* The rule for code without CFI: UNWIND_OTHER throughout. */
extern const struct unwind_rule unwind_rule_unknown;

/* Makes rules for @file, and takes ownership of it. */
struct cfi_rules *cfi_rules_new(struct elf_file *file);
void cfi_rules_free(struct cfi_rules *r);
DEFINE_FREEP(cfi_rules)

/* JIT code, [start, end), with an .eh_frame of its own at @addr. */
struct cfi_piece {
	uint64_t start, end;
	const uint8_t *bytes;
	size_t size;
	uint64_t addr;
	bool swap; /* in the other byte order */
};

/* Finds the piece at @addr, which lives as long as the rules; false: there is none. */
typedef bool cfi_piece_fn(void *arg, uint64_t addr, struct cfi_piece *ret);

/*
 * Makes rules for JIT code, which @find finds. Offsets are then addresses of the code, whose bytes
 * are not known.
 */
struct cfi_rules *cfi_rules_new_jit(const struct arch *arch, cfi_piece_fn *find, void *arg);

/*
 * Adds @debug, the separate debug file, which is used for code for which the file has no CFI. Takes
 * ownership of it. To be called at most once.
 */
void cfi_rules_add_debug_file(struct cfi_rules *r, struct elf_file *debug);

/*
 * Keeps answers of cfi_rules_is_leaf() and cfi_rules_ends_handlers() in the file @path, and takes
 * ownership of @path. Answers in it that were made from the same file are used, and new ones are
 * added when @r is freed. To be called before any query. Not for JIT code.
 */
void cfi_rules_keep_answers(struct cfi_rules *r, char *path);

/* Returns the machine of the code; NULL: unknown. */
const struct arch *cfi_rules_arch(const struct cfi_rules *r);

/*
 * Returns the rule for the code at @offset in the file, which lives as long as @r; or
 * &unwind_rule_unknown.
 */
const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset);

/* True if that rule is for a frame to which a signal handler returns. */
bool cfi_rules_is_signal(struct cfi_rules *r, uint64_t offset);

/*
 * True if the code at @offset has no CFI although it is in .text, so that a debug file may have
 * some. (Stubs of the linker are elsewhere.)
 */
bool cfi_rules_lacks(struct cfi_rules *r, uint64_t offset);

/*
 * Gives the range of the function at @offset by its CFI, as offsets in the file; false: it has
 * none. A part of a function that the compiler has put elsewhere is a function of its own.
 */
bool cfi_rules_range(struct cfi_rules *r, uint64_t offset, uint64_t *ret_start, uint64_t *ret_end);

/* True if a function begins at @offset. */
bool cfi_rules_begins(struct cfi_rules *r, uint64_t offset);

/* True if the code at @offset is the program's entry point, which has no caller. */
bool cfi_rules_is_entry(const struct cfi_rules *r, uint64_t offset);

/*
 * Does the same as cfi_rules_find() for code that is about to run, or was interrupted there. In a
 * prologue or epilogue the instructions are more exact than CFI, and have priority.
 */
const struct unwind_rule *cfi_rules_find_running(struct cfi_rules *r, uint64_t offset);

/*
 * True if the code at @offset, about to run, has its return address in the link register and its
 * caller's frame pointer. Never on machines without a link register.
 */
bool cfi_rules_is_leaf(struct cfi_rules *r, uint64_t offset);

/* True if signal handlers return to the code at @offset: then no call lies before it. */
bool cfi_rules_ends_handlers(struct cfi_rules *r, uint64_t offset);

/*
 * True if the frame pointer of the code at @offset, about to run, points to a record that was made
 * for the callee here (enum callee_record).
 */
bool cfi_rules_has_callee_record(struct cfi_rules *r, uint64_t offset);

/*
 * Copies @n bytes of the code at @offset, or fewer if there are fewer. Returns the number of bytes
 * copied.
 */
size_t cfi_rules_code(struct cfi_rules *r, uint64_t offset, void *ret, size_t n);
