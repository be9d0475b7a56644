/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the tables of `perf sched stats`, in the form of Linux's perf 7.2. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sched_stats;

struct sched_stats_look {
	FILE *out;
	bool descriptions; /* print descriptions in place of names */
	/*
	 * Return the name and the CPUs of a domain, or NULL if they are unknown. The pointers may
	 * be NULL themselves.
	 */
	const char *(*domain_name)(void *arg, uint32_t cpu, uint16_t domain);
	const char *(*domain_cpus)(void *arg, uint32_t cpu, uint16_t domain);
	void *arg;
};

/* Prints the average of all CPUs, and each of them. */
void sched_stats_print(const struct sched_stats_look *look, const struct sched_stats *s);

/* Prints the averages of two measurements next to each other. */
void sched_stats_print_diff(const struct sched_stats_look *look, const struct sched_stats *a,
			    const struct sched_stats *b);
