/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * drm events of `perf stat`: what the counted tasks use of GPUs, read from /proc when a table is
 * made (kernel/drm.h). Values are those of this moment, not differences, as in Linux's perf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct count_job;
struct event;

/* What is read, when there are such events. @child: the command, if it is counted; or 0. */
void count_drm_begin(struct count_job *j, pid_t child);
void count_drm_end(struct count_job *j);

/* Reads /proc once for all drm events. */
void count_drm_read(struct count_job *j);

/* The value of @e for all tasks together. false: none of them runs any more. */
bool count_drm_value(const struct count_job *j, const struct event *e, uint64_t *ret);

/* Hands what was read to the model, for the event @i of the job. */
void count_drm_feed(struct count_job *j, size_t i);
