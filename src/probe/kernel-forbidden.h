/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The places where the running kernel accepts no probes: code that handles probes itself (its
 * blacklist), and code that is freed after boot.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct forbidden_range {
	uint64_t start, end;
};

struct kernel_forbidden {
	struct forbidden_range *items; /* in ascending order */
	size_t n, room;
	bool is_read;
};

/*
 * Adds the ranges of the text of kprobes/blacklist: "0xADDR-0xADDR\tNAME". Other lines are skipped.
 */
void kernel_forbidden_parse(struct kernel_forbidden *f, const char *text);

/*
 * True if @addr is on the running kernel's list. The list is read at the first call, if permitted.
 */
bool kernel_forbids(struct kernel_forbidden *f, uint64_t addr);

void kernel_forbidden_done(struct kernel_forbidden *f);
