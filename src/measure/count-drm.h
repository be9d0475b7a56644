/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * drm events of `perf stat`: the use of GPUs by the counted tasks, read from /proc when a table is
 * made (kernel/drm.h). Values are current ones, not differences, as in Linux's perf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct count_job;
struct event;

/*
 * Determines what is read, if there are such events. @child: the command, if it is counted; or 0.
 */
void count_drm_begin(struct count_job *j, pid_t child);
void count_drm_end(struct count_job *j);

/* Reads /proc once for all drm events. */
void count_drm_read(struct count_job *j);

/* Gives the value of @e for all tasks together. False: none of them runs any more. */
bool count_drm_value(const struct count_job *j, const struct event *e, uint64_t *ret);

/* Passes the values that were read to the model, for the event @i of the job. */
void count_drm_feed(struct count_job *j, size_t i);
