/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf stat record`: the file that the counts of a job are written to.
 */
struct count_recorder;
struct diag;
struct stat_job;
struct task_list;

/* Where the counts go if nothing was said: "-" if standard output is a pipe, else "perf.data". */
const char *stat_record_path(void);

/* Creates @path ("-": standard output) and says which machine this is. Errors as writer_open(). */
int stat_record_open(const char *path, struct count_recorder **ret, struct diag *diag);

/*
 * The counters of @j are open, on @tasks or (empty) on CPUs: writes who and what is counted. A
 * negative errno with j->diag set.
 */
int stat_record_begin(struct stat_job *j, const struct task_list *tasks);
