/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The file that the counts of a job are written to, besides being shown.
 */
struct count_job;
struct count_recorder;
struct diag;
struct task_list;

/* Creates @path ("-": standard output) and says which machine this is. Errors as writer_open(). */
int count_file_open(const char *path, struct count_recorder **ret, struct diag *diag);

/*
 * The counters of @j are open, on @tasks or (empty) on CPUs: writes who and what is counted. A
 * negative errno with j->diag set.
 */
int count_file_begin(struct count_job *j, const struct task_list *tasks);
