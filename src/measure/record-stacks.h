/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks that are unwound in the kernel while they are recorded: --call-graph bpf.
 *
 * Its samples come beside the rings (capture/record-source.h), as samples of the same events with
 * neither registers nor a copy of the stack. What the kernel could not unwind has both, and goes
 * the way of --call-graph dwarf.
 */
struct record_job;
struct record_stacks;

/*
 * Starts it for the open events, if it was asked for; before the drains are made. Where it is not
 * possible, stacks are copied, and a note says why.
 */
void record_stacks_start(struct record_job *j);
void record_stacks_free(struct record_stacks *s);

/* How it went, in one line. */
void record_stacks_tell(const struct record_job *j);
