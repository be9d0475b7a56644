/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Instructions as text, in the style of objdump. The machine of the code decides, not the one on
 * which perf runs.
 *
 * LLVM does the work, or else capstone; the library is loaded when the first disassembler is made.
 * A disassembler belongs to one thread, and only one may be made at a time. The caller adds names
 * of target addresses.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/code-flow.h"
#include "base/cleanup.h"
#include "code/instruction.h"

struct arch;
struct diag;
struct disassembler;

/* Parses the argument of -M; -EINVAL: not known, with @diag. */
int disassembler_syntax_parse(const char *style, enum disassembler_syntax *ret, struct diag *diag);

/*
 * Makes a disassembler. -ENOTSUP: no library is installed, or the machine is not supported; @diag
 * has a hint.
 */
int disassembler_new(const struct arch *arch, enum disassembler_syntax syntax,
		     struct disassembler **ret, struct diag *diag);
void disassembler_free(struct disassembler *d);
DEFINE_FREEP(disassembler)

/* Decodes the first instruction of the @n bytes (at least 1) at address @addr. */
void disassemble(struct disassembler *d, const uint8_t *bytes, size_t n, uint64_t addr,
		 struct instruction *ret);
