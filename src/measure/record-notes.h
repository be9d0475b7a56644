/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What there is to say while and after something is recorded.
 */
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
