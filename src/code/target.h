/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The facts besides struct arch that disassembling needs: one const struct disasm_target for each
 * machine, in a file of its own. It names the machine to the libraries, and converts their output
 * to that of objdump, for the differences that would be visible in most lines: the look of numbers,
 * targets and conditions, and suffixes without meaning.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/instruction.h"

struct disasm_target {
	const struct arch *arch;
	struct {
		const char *name; /* name of the target in LLVM's functions */
		/* all features that a CPU may have; the same for LLVM 14 */
		const char *features, *features_14;
	} llvm;
	struct {
		int arch, mode; /* cs_arch, cs_mode */
	} capstone;
	bool has_syntaxes;           /* it has AT&T's and Intel's syntax */
	const char *const *prefixes; /* prefixes that LLVM decodes as instructions; then NULL */
	/*
	 * Rewrites @in, whose flow is known and whose text is "name\toperands" with distances in
	 * place of targets. Afterwards text, lead and comment are as code/disassembler.h describes.
	 * The text may be anything; the results fit into their arrays.
	 */
	void (*style)(struct instruction *in, const uint8_t *bytes, uint64_t addr,
		      enum disassembler_syntax syntax);
	/* Sets text and length to one unit of bytes (not 0) that are not an instruction. */
	void (*style_unknown)(struct instruction *in, const uint8_t *bytes, size_t n);
};

/* All targets, then NULL. */
extern const struct disasm_target *const disasm_targets[];

/*
 * Returns the target of a machine. NULL: its code (or that of an unknown machine, NULL) cannot be
 * disassembled.
 */
const struct disasm_target *disasm_target_find(const struct arch *arch);

extern const struct disasm_target disasm_x86_64, disasm_aarch64;
