/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whether a probe stands at the beginning of an instruction. The kernel finds out of its own code;
 * in a program it would put its breakpoint into the middle of one, and the program would die of it.
 */
struct diag;
struct probe_def;
struct probe_target;
struct trace_probe;

/*
 * -EILSEQ with @diag: @p, which is what @d became in @t, does not; the hint names the places around
 * it that do. What cannot be decoded (no disassembler is installed, data in the code) passes.
 */
int probe_check_boundary(const struct probe_def *d, struct probe_target *t,
			 const struct trace_probe *p, struct diag *diag);
