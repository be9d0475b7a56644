/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a recording that says little is followed by: why, and the next step.
 */
#include <stdbool.h>
#include <stdint.h>

struct notes;

/* How a recording ended. */
struct record_outcome {
	uint64_t samples;
	uint64_t elapsed_ns;
	bool ran_command; /* the command that was recorded has ended, after */
	uint64_t cpu_ns;  /* so much time on CPUs */
	bool whole_system;
	bool off_cpu;  /* waiting was recorded, too */
	bool by_time;  /* samples are taken while a CPU is used: cycles, cpu-clock, task-clock */
	uint64_t freq; /* how often, in a second; 0: by count */
};

/* Adds a warning if there are no samples, or if a command mostly waited. */
void record_advise(const struct record_outcome *o, struct notes *notes);
