/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The machine that samples with registers were recorded on.
 */
#include <stdint.h>

struct arch;
struct session;

/* What one thread found last: samples are of the same machine. `{ 0 }` at first. */
struct sample_arch {
	const char *name;
	uint64_t mask;
	const struct arch *arch;
};

/*
 * The machine of a sample that carries the registers @mask. Where the recording does not tell, as
 * one that was not finished, the registers do. NULL: unknown.
 */
const struct arch *sample_arch_find(struct sample_arch *m, const struct session *s, uint64_t mask);
