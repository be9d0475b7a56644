/* SPDX-License-Identifier: MIT */
#pragma once
/* The notes that are printed while and after something is recorded. */
#include <stdbool.h>
#include <stdint.h>
struct record_job;
struct silent_runtimes;
struct unnamed_files;

/* Notes what the kernel did not grant, once, before the recording begins. */
void record_notes_before(const struct record_job *j);

/* Lists the events, as --control asks for them; @job is a struct record_job. */
void record_notes_list(void *job, const char *options);

/* Notes how much was recorded, and what was lost, with the remedy. */
void record_notes_after(const struct record_job *j);

/* Notes which interpreters ran without naming the functions of their programs. */
void record_notes_runtimes(const struct record_job *j, const struct silent_runtimes *s);

/*
 * Notes which programs were replaced while they were recorded, so that their functions cannot be
 * named.
 */
void record_notes_unnamed(const struct record_job *j, const struct unnamed_files *u);

/* Warns about names that vanish with a container. */
void record_notes_dumps(const struct record_job *j, const struct unnamed_files *dumps);

struct notes;

/* The way in which a recording ended. */
struct record_outcome {
	uint64_t samples;
	uint64_t elapsed_ns;
	bool ran_command; /* the recorded command has ended, after using */
	uint64_t cpu_ns;  /* this much time on CPUs */
	bool whole_system;
	bool off_cpu;  /* waiting was recorded too */
	bool by_time;  /* samples are taken while a CPU is used: cycles, cpu-clock, task-clock */
	uint64_t freq; /* samples per second; 0: by count */
};

/* Adds a warning if there are no samples, or if a command mostly waited. */
void record_advise(const struct record_outcome *o, struct notes *notes);
