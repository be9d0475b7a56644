/* SPDX-License-Identifier: MIT */
#pragma once
/* The machine on which samples with registers were recorded. */
#include <stdint.h>

struct arch;
struct session;

/* One thread's last result, because samples are of the same machine. `{ 0 }` at first. */
struct sample_arch {
	const char *name;
	uint64_t mask;
	const struct arch *arch;
};

/*
 * Returns the machine of a sample that has the registers @mask. If the recording does not name it,
 * for example because it was not finished, the registers decide. NULL: unknown.
 */
const struct arch *sample_arch_find(struct sample_arch *m, const struct session *s, uint64_t mask);
