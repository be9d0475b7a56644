/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Checks that a probe stands at the beginning of an instruction. The kernel checks its own code,
 * but in a program it would put the breakpoint into the middle of an instruction, and the program
 * would crash.
 */
struct diag;
struct probe_def;
struct probe_target;
struct trace_probe;

/*
 * Checks that @p, the translation of @d in @t, stands at the beginning of an instruction. -EILSEQ
 * with @diag: it does not; the hint names the nearest places that do. Code that cannot be decoded
 * (no disassembler is installed, data in the code) passes.
 */
int probe_check_boundary(const struct probe_def *d, struct probe_target *t,
			 const struct trace_probe *p, struct diag *diag);
