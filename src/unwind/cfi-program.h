/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The instructions of an FDE, run: a row for each piece of the code, that says where the caller's
 * registers are while it runs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi_fde;
struct cfi_section;

/* What registers are followed; beyond lie vectors, which address nothing. */
#define CFI_REGISTERS 34

/* Where the caller's value of a register is, or, for the CFA, what it is. */
enum cfi_where {
	CFI_UNSAID,    /* nothing is said; as good as CFI_SAME for what functions preserve */
	CFI_SAME,      /* still in the register */
	CFI_UNDEFINED, /* lost; of the return address: there is no caller */
	CFI_AT_CFA,    /* in memory, at the CFA plus offset */
	CFI_IS_CFA,    /* the CFA plus offset itself */
	CFI_REGISTER,  /* in another register; of the CFA: that plus offset */
	CFI_AT_EXPRESSION,
	CFI_IS_EXPRESSION,
};

struct cfi_place {
	uint8_t where; /* enum cfi_where */
	uint8_t reg;
	uint32_t size; /* of the expression */
	union {
		int64_t offset;
		const uint8_t *expression; /* in the section */
	};
};

struct cfi_row {
	uint64_t start, end;
	struct cfi_place cfa; /* CFI_REGISTER, CFI_IS_EXPRESSION or CFI_UNSAID */
	uint64_t said;        /* a bit for each register that something is said of */
	struct cfi_place regs[CFI_REGISTERS];
};

typedef void cfi_row_fn(void *arg, const struct cfi_row *row);

/*
 * Calls @fn for each row of @fde, by address. What an instruction that nobody knows, or damage,
 * comes before has no rows.
 */
void cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde, cfi_row_fn *fn,
		     void *arg);
