/* SPDX-License-Identifier: MIT */
#pragma once
/* Counts events with BPF programs (bpf/counters.h): --bpf-counters, `:b`, --bpf-prog. */
#include <stdbool.h>
#include <stddef.h>

struct count_job;
struct count_bpf;
struct task_list;

/*
 * Returns which of the events of the job's plan BPF programs shall count, a flag for each; NULL:
 * none. The caller frees it.
 */
bool *count_bpf_choose(const struct count_job *j);

/*
 * Makes the events of @j that were opened as outside ones count, for @tasks; @command: they are a
 * child that has not yet called exec. Those that the hardware cannot count are marked. Errors with
 * the job's diag: BPF cannot count here.
 */
int count_bpf_open(struct count_job *j, const struct task_list *tasks, bool command);

/* Ends the counting of a run; with @all, also releases what later runs would use. */
void count_bpf_close(struct count_job *j, bool all);

/* Reports losses, if there are any. */
void count_bpf_tell(const struct count_job *j);
