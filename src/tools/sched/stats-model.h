/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the counters of /proc/schedstat grew by between two moments: of each CPU, of its scheduling
 * domains, and on average.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/sched/schedstat-model.h"

struct cpu_list;
struct diag;

/* What @values grew by. */
struct sched_stats_domain {
	uint16_t domain;
	bool has_ended; /* both lines were seen */
	uint64_t values[SCHEDSTAT_DOMAIN_VALUES];
};

struct sched_stats_cpu {
	uint32_t cpu;
	bool has_ended;
	uint64_t values[SCHEDSTAT_CPU_VALUES];
	struct {
		struct sched_stats_domain *items;
		size_t n, room;
	} domains;
};

struct sched_stats {
	uint16_t version;    /* of the file; 0: nothing was added */
	uint64_t begin, end; /* in jiffies */
	struct {
		struct sched_stats_cpu *items;
		size_t n, room;
	} cpus;
};

/* More than any machine has. */
#define SCHED_STATS_DOMAINS_MAX 64

void sched_stats_done(struct sched_stats *s);

/*
 * Adds a line: the first of a CPU or domain is how it was, the second how it is. -EINVAL: there
 * were two already, there are too many, or its version is another.
 */
int sched_stats_add(struct sched_stats *s, const struct schedstat_line *l);

/* The average of all CPUs, and of their domains by number. The caller releases it. */
void sched_stats_average(const struct sched_stats *s, struct sched_stats *ret);

/* A field of a line. The values are in the order of the file. */
struct sched_stats_field {
	const char *name, *description;
	/* Of a CPU: the value that it is a part of, counted from 1; 0: none. */
	unsigned char part_of;
	/* Of a domain: its average distance in time is of interest. */
	bool in_time;
	const char *category; /* begins here; or NULL */
	/*
	 * Of the last field of a kind of balancing: what follows from its fields, by name and by
	 * description. Else NULL.
	 */
	const char *successes[2], *pulled[2];
};

/* Those of a CPU; and those of a domain, of that version. */
const struct sched_stats_field *sched_stats_cpu_fields(void);
const struct sched_stats_field *sched_stats_domain_fields(uint16_t version, size_t *ret_n);

/* Of the balancing that ends with field @last: how often it succeeded, and tasks that moved each
 * time. */
uint32_t sched_stats_successes(const struct sched_stats_domain *d, uint16_t version, size_t last);
double sched_stats_pulled(const struct sched_stats_domain *d, uint16_t version, size_t last);
