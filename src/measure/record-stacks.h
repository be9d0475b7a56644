/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks that are unwound in the kernel while they are recorded: --call-graph bpf.
 *
 * The samples come beside the rings (capture/record-source.h), as samples of the same events with
 * neither registers nor a copy of the stack. A sample that the kernel could not unwind has both,
 * and is handled as with --call-graph dwarf.
 */
struct record_job;
struct record_stacks;
struct unwind_tables_facts;

/*
 * Starts unwinding in the kernel for the open events, if it was requested. To be called before the
 * drains are made. If it is not possible, stacks are copied and a note says why.
 */
void record_stacks_start(struct record_job *j);
void record_stacks_free(struct record_stacks *s);

/* Adds the results @f of a program of the caller, for the line. */
void record_stacks_count(struct record_job *j, const struct unwind_tables_facts *f);

/* Reports in one line how the unwinding went. */
void record_stacks_tell(const struct record_job *j);
