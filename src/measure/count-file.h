/* SPDX-License-Identifier: MIT */
#pragma once
/* The file to which the counts of a job are written, besides being shown. */
struct count_job;
struct count_recorder;
struct diag;
struct task_list;

/*
 * Creates @path ("-": standard output) and writes the facts of this machine. Errors as for
 * writer_open().
 */
int count_file_open(const char *path, struct count_recorder **ret, struct diag *diag);

/*
 * Writes the tasks and events, after the counters of @j were opened on @tasks or (empty) on CPUs.
 * Returns a negative errno with j->diag set.
 */
int count_file_begin(struct count_job *j, const struct task_list *tasks);
