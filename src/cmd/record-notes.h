/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf record` says while and after it records, on standard error, unless -q.
 */
#include <stdint.h>
#include <stdio.h>

#include "capture/record-loop.h"

struct record_job;
struct unnamed_files;

/* What the kernel did not give, once, before the recording begins. */
void record_notes_before(const struct record_job *j);

/* For what happens during the recording. @j must outlive the loop. */
struct record_hooks record_notes_hooks(struct record_job *j);

/* How much was recorded, and what was lost, with the cure. */
void record_notes_after(const struct record_job *j);

/* Which programs were replaced while they were recorded, so that nobody can name their functions.
 */
void record_notes_unnamed(const struct record_job *j, const struct unnamed_files *u);

/* --user-regs=?: the registers of @mask by name, as samples can carry them here. */
void record_notes_registers(uint64_t mask, FILE *out);

void record_notes_warn(const struct record_job *j, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
