/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the running kernel takes no probes: what it needs itself to handle them (its blacklist),
 * and code that is gone once it has booted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct forbidden_range {
	uint64_t start, end;
};

struct kernel_forbidden {
	struct forbidden_range *items; /* ascending */
	size_t n, room;
	bool is_read;
};

/* Adds the ranges of the text of kprobes/blacklist: "0xADDR-0xADDR\tNAME". Other lines are left. */
void kernel_forbidden_parse(struct kernel_forbidden *f, const char *text);

/* Is @addr on the list of the running kernel? It is read at the first call, if it can be. */
bool kernel_forbids(struct kernel_forbidden *f, uint64_t addr);

void kernel_forbidden_done(struct kernel_forbidden *f);
