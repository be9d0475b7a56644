/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reading a recording for how the times of tasks spread (tools/sched/task-times-model.h).
 */
struct diag;
struct notes;
struct recorded;
struct task_times;

/* Adds all of @r to @t. What has no beginning goes to @notes. Errors: those of sched_read(). */
int task_times_read(struct recorded *r, struct task_times *t, struct notes *notes,
		    struct diag *diag);
