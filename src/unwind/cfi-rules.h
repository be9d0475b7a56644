/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How to get from a function's registers to its caller's, for the code of one ELF file or of one
 * JIT compiler: what .eh_frame (or .debug_frame) says about an address, compiled to a few bytes
 * and remembered, one function at a time. Where that is not exact enough, the instructions are
 * asked (arch/code-frame.h).
 *
 * Registers have the numbers that DWARF gives them on the file's machine. Any thread may ask; who
 * asks again about a function takes no lock.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "unwind/cfi-program.h"

struct arch;
struct cfi_rules;
struct elf_file;

/* Where the caller's value of a register is. */
enum unwind_where {
	UNWIND_OTHER,     /* nobody knows, or the detail does */
	UNWIND_SAME,      /* still in the register */
	UNWIND_AT_CFA,    /* in memory, at the canonical frame address plus an offset */
	UNWIND_UNDEFINED, /* lost; of the return address: there is no caller */
};

#define UNWIND_NO_REGISTER UINT8_MAX

/* A register whose caller's value is not simply left in it. */
struct unwind_saved {
	uint8_t reg;
	struct cfi_place place;
};

/* What is rarely needed: all other registers, and what takes an expression. */
struct unwind_detail {
	bool swap, is_64;     /* of the expressions */
	struct cfi_place cfa; /* CFI_IS_EXPRESSION, or unsaid */
	size_t n;
	struct unwind_saved items[];
};

/* Small, as there are many. The return address is ra, the frame pointer fp. */
struct unwind_rule {
	uint8_t cfa_register; /* the CFA is this plus cfa_offset; UNWIND_NO_REGISTER: other */
	uint8_t ra_register;  /* where a return address is that is UNWIND_SAME */
	uint8_t ra : 2;       /* enum unwind_where */
	uint8_t fp : 2;
	uint8_t is_signal : 1; /* the caller was interrupted here and called nobody */
	uint8_t hides_sp : 1;  /* the CFA is a bound of the caller's stack pointer, not itself */
	int32_t cfa_offset, ra_offset, fp_offset;
	const struct unwind_detail *detail; /* NULL: nothing */
};

/* Of what nobody knows about: UNWIND_OTHER throughout. */
extern const struct unwind_rule unwind_rule_unknown;

/* Rules of @file, which now belongs to them. */
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

/* The piece at @addr, good as long as the rules; false: there is none. */
typedef bool cfi_piece_fn(void *arg, uint64_t addr, struct cfi_piece *ret);

/*
 * Rules of JIT code: @find tells what there is. Offsets are its addresses then, and the bytes of
 * the code are not known.
 */
struct cfi_rules *cfi_rules_new_jit(const struct arch *arch, cfi_piece_fn *find, void *arg);

/*
 * Lets @debug, the separate debug file, speak about code that the file itself says nothing of. It
 * belongs to the rules from now on. Once.
 */
void cfi_rules_add_debug_file(struct cfi_rules *r, struct elf_file *debug);

/* The machine of the code; NULL: unknown. */
const struct arch *cfi_rules_arch(const struct cfi_rules *r);

/* The rule for the code at @offset in the file, good as long as @r; or &unwind_rule_unknown. */
const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset);

/*
 * Whether nothing is said of the code at @offset, though it is the program's own and no stub of the
 * linker's: a debug file may know more.
 */
bool cfi_rules_lacks(struct cfi_rules *r, uint64_t offset);

/* Whether a function begins at @offset. */
bool cfi_rules_begins(struct cfi_rules *r, uint64_t offset);

/* Whether the code at @offset is that with which a process begins, which nobody called. */
bool cfi_rules_is_entry(const struct cfi_rules *r, uint64_t offset);

/*
 * cfi_rules_find() for code that is about to run, or was interrupted there: where a function's
 * frame is being built or taken down, what its instructions tell comes before what CFI says.
 */
const struct unwind_rule *cfi_rules_find_running(struct cfi_rules *r, uint64_t offset);

/*
 * Whether code that is about to run at @offset has its return address in the link register and the
 * frame pointer of its caller. Never on machines without a link register.
 */
bool cfi_rules_is_leaf(struct cfi_rules *r, uint64_t offset);

/*
 * Whether code that is about to run at @offset has let the frame pointer point to a record that it
 * made for the function that it calls here (enum callee_record).
 */
bool cfi_rules_has_callee_record(struct cfi_rules *r, uint64_t offset);

/* Copies @n bytes of the code at @offset, or as many as there are. Returns how many. */
size_t cfi_rules_code(struct cfi_rules *r, uint64_t offset, void *ret, size_t n);
