/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The increase of the counters of /proc/schedstat between two moments: for each CPU, its scheduling
 * domains, and on average.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/sched/schedstat-model.h"

struct cpu_list;
struct diag;

/* A domain. @values contains the increase. */
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
	uint16_t version;    /* the file's version; 0: nothing was added */
	uint64_t begin, end; /* in jiffies */
	struct {
		struct sched_stats_cpu *items;
		size_t n, room;
	} cpus;
};

/* The maximum number of domains, which is more than any machine has. */
#define SCHED_STATS_DOMAINS_MAX 64

void sched_stats_done(struct sched_stats *s);

/*
 * Adds a line. The first line of a CPU or domain is its initial state, the second its final state.
 * Returns -EINVAL if it has two lines already, if there are too many lines, or if the version
 * differs.
 */
int sched_stats_add(struct sched_stats *s, const struct schedstat_line *l);

/* Computes the average of all CPUs, and of their domains by number. The caller releases it. */
void sched_stats_average(const struct sched_stats *s, struct sched_stats *ret);

/* A field of a line. The values are in the order of the file. */
struct sched_stats_field {
	const char *name, *description;
	/* For a CPU: the value of which it is a part, counted from 1; 0: none. */
	unsigned char part_of;
	/* For a domain: its average distance in time is shown. */
	bool in_time;
	const char *category; /* set if it begins with this field; or NULL */
	/*
	 * In the last field of a kind of balancing: the names and the descriptions of values that
	 * are computed from its fields. Otherwise NULL.
	 */
	const char *successes[2], *pulled[2];
};

/* Return the fields of a CPU, and those of a domain in that version. */
const struct sched_stats_field *sched_stats_cpu_fields(void);
const struct sched_stats_field *sched_stats_domain_fields(uint16_t version, size_t *ret_n);

/*
 * Compute, for the balancing that ends with field @last, the number of its successes, and the
 * number of tasks moved each time.
 */
uint32_t sched_stats_successes(const struct sched_stats_domain *d, uint16_t version, size_t last);
double sched_stats_pulled(const struct sched_stats_domain *d, uint16_t version, size_t last);
