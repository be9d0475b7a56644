/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events of a count that BPF programs count (bpf/counters.h): --bpf-counters, `:b`, --bpf-prog.
 */
#include <stdbool.h>
#include <stddef.h>

struct count_job;
struct count_bpf;
struct task_list;

/*
 * Which of the events of the job's plan BPF programs shall count, one for each; NULL: none. The
 * caller frees it.
 */
bool *count_bpf_choose(const struct count_job *j);

/*
 * Makes the events of @j that were opened as outside ones count, for @tasks; @command: they are a
 * child that has not yet called exec. Those that the hardware cannot count are marked so. Errors
 * with the job's diag: BPF cannot count here.
 */
int count_bpf_open(struct count_job *j, const struct task_list *tasks, bool command);

/* Ends the counting of a run; with @all, what later runs would use, too. */
void count_bpf_close(struct count_job *j, bool all);

/* Says what was lost, if anything. */
void count_bpf_tell(const struct count_job *j);
