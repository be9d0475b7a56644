/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What there is to say while and after something is recorded.
 */
#include <stdbool.h>
#include <stdint.h>
struct record_job;
struct silent_runtimes;
struct unnamed_files;

/* What the kernel did not give, once, before the recording begins. */
void record_notes_before(const struct record_job *j);

/* The events, as --control asks for them; @job is a struct record_job. */
void record_notes_list(void *job, const char *options);

/* How much was recorded, and what was lost, with the cure. */
void record_notes_after(const struct record_job *j);

/* Which interpreters ran without naming the functions of their programs. */
void record_notes_runtimes(const struct record_job *j, const struct silent_runtimes *s);

/* Which programs were replaced while they were recorded, so that nobody can name their functions.
 */
void record_notes_unnamed(const struct record_job *j, const struct unnamed_files *u);

/* A warning on the names that go with a container. */
void record_notes_dumps(const struct record_job *j, const struct unnamed_files *dumps);

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
