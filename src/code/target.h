/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What disassembling takes besides struct arch: one const struct disasm_target for each machine,
 * in a file of its own. It names the machine to the libraries, and turns what they write into what
 * objdump writes, for those differences that would be seen in most lines: how numbers, targets and
 * conditions look, and suffixes that say nothing.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/instruction.h"

struct disasm_target {
	const struct arch *arch;
	struct {
		const char *name; /* of the target, in the names of LLVM's functions */
		const char *features, *features_14; /* all that a CPU may have; for LLVM 14 */
	} llvm;
	struct {
		int arch, mode; /* cs_arch, cs_mode */
	} capstone;
	bool has_syntaxes;           /* AT&T's and Intel's */
	const char *const *prefixes; /* which LLVM decodes as instructions; then NULL */
	/*
	 * Rewrites @in, whose flow is known and whose text is "name\toperands" with distances in
	 * the place of targets: afterwards text, lead and comment are as code/disassembler.h
	 * says. The text may be anything; the results fit into their arrays.
	 */
	void (*style)(struct instruction *in, const uint8_t *bytes, uint64_t addr,
		      enum disassembler_syntax syntax);
	/* Sets text and length to one unit of bytes (not 0) that are no instruction. */
	void (*style_unknown)(struct instruction *in, const uint8_t *bytes, size_t n);
};

/* All of them, then NULL. */
extern const struct disasm_target *const disasm_targets[];

/* NULL: code of that machine (or of an unknown one, NULL) cannot be disassembled. */
const struct disasm_target *disasm_target_find(const struct arch *arch);

extern const struct disasm_target disasm_x86_64, disasm_aarch64;
