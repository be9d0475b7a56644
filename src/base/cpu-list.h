/* SPDX-License-Identifier: MIT */
#pragma once
/* A set of CPUs in the notation of users and sysfs: "0-3,5,8-9". */
#include <stdbool.h>
#include <stddef.h>

/* No machine on which Linux runs has more (CONFIG_NR_CPUS goes up to 8192). */
#define CPU_MAX 65536

struct cpu_list {
	unsigned *items; /* ascending, each once */
	size_t n, room;
};

void cpu_list_done(struct cpu_list *l);

/*
 * Parses ranges and single numbers between commas; "" is the empty set. -EINVAL: not a list;
 * -ERANGE: a CPU beyond CPU_MAX, or a range that runs backwards. *@ret is untouched on failure.
 */
int cpu_list_parse(const char *s, struct cpu_list *ret);

bool cpu_list_contains(const struct cpu_list *l, unsigned cpu);

/* Returns the shortest text that parses to the same set. The caller frees it. */
char *cpu_list_format(const struct cpu_list *l);
