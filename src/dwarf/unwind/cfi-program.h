/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Runs the instructions of an FDE. The result is a row for each piece of the code, with the places
 * of the caller's registers while that piece runs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi_fde;
struct cfi_section;

/* Registers with higher numbers are ignored: they are vectors, which hold no addresses. */
#define CFI_REGISTERS 34

/* The place of the caller's value of a register; for the CFA, the way in which it is computed. */
enum cfi_where {
	CFI_UNSAID,    /* no rule; means CFI_SAME for callee-saved registers */
	CFI_SAME,      /* still in the register */
	CFI_UNDEFINED, /* lost; for the return address: there is no caller */
	CFI_AT_CFA,    /* in memory, at the CFA plus offset */
	CFI_IS_CFA,    /* the CFA plus offset itself */
	CFI_REGISTER,  /* in another register; for the CFA: that plus offset */
	CFI_AT_EXPRESSION,
	CFI_IS_EXPRESSION,
};

struct cfi_place {
	uint8_t where; /* enum cfi_where */
	uint8_t reg;
	uint32_t size; /* size of the expression */
	union {
		int64_t offset;
		const uint8_t *expression; /* bytes in the section */
	};
};

struct cfi_row {
	uint64_t start, end;
	struct cfi_place cfa; /* CFI_REGISTER, CFI_IS_EXPRESSION or CFI_UNSAID */
	uint64_t said;        /* a bit for each register that has a rule */
	struct cfi_place regs[CFI_REGISTERS];
};

typedef void cfi_row_fn(void *arg, const struct cfi_row *row);

/*
 * Calls @fn for each row of @fde, by address. There are no rows after an unknown instruction or
 * damage.
 */
void cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde, cfi_row_fn *fn,
		     void *arg);
