/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How to get from a function's registers to its caller's, for the code of one ELF file: what
 * .eh_frame (or .debug_frame) says about an address, compiled to a few bytes and remembered. Where
 * that is not exact enough to tell whose a frame record is, the code has its say (aarch64-code.h).
 *
 * Registers have the numbers that DWARF gives them on the file's machine. What needs an expression
 * is not compiled: UNWIND_OTHER. Any thread may ask; who asks again for an address takes no lock.
 * Without libdw nothing is known of any address.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct cfi_rules;
struct elf_file;

/* Where the caller's value of a register is. */
enum unwind_where {
	UNWIND_OTHER,     /* nobody knows, or it takes an expression */
	UNWIND_SAME,      /* still in the register */
	UNWIND_AT_CFA,    /* in memory, at the canonical frame address plus an offset */
	UNWIND_UNDEFINED, /* lost; of the return address: there is no caller */
};

#define UNWIND_NO_REGISTER UINT8_MAX

/* Small, as there are many. The return address is ra, the frame pointer fp. */
struct unwind_rule {
	uint8_t cfa_register; /* the CFA is this plus cfa_offset; UNWIND_NO_REGISTER: other */
	uint8_t ra_register;  /* where a return address is that is UNWIND_SAME */
	uint8_t ra : 2;       /* enum unwind_where */
	uint8_t fp : 2;
	uint8_t is_signal : 1; /* the caller was interrupted here and called nobody */
	int32_t cfa_offset, ra_offset, fp_offset;
};

/* Rules of @file, which now belongs to them. */
struct cfi_rules *cfi_rules_new(struct elf_file *file);
void cfi_rules_free(struct cfi_rules *r);
DEFINE_FREEP(cfi_rules)

/*
 * The rule for the code at @offset in the file, good as long as @r. What nobody knows about is
 * UNWIND_OTHER throughout.
 */
const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset);
