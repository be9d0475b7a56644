/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names of tasks in `perf sched timehist`: "sh[123]", "worker[124/123]", "<idle>". A label is
 * made once, and again only when the task changes its name.
 */
#include <stddef.h>
#include <stdint.h>

struct timehist_task;

/* The length to which Linux's perf cuts labels. */
#define TASK_LABEL_MAX 31

struct task_label {
	const char *comm; /* the name from which it was made */
	int32_t pid;
	uint32_t length; /* 0: not made yet */
	char *chars;
};

/* A table of labels. `struct task_labels l = { 0 };` is an empty one. */
struct task_labels {
	struct task_label *items; /* indexed by the task's index */
	size_t n, room;
};

void task_labels_done(struct task_labels *l);

/* Returns the label of @t, which is valid until the next call. It is escaped for terminals. */
const struct task_label *task_label(struct task_labels *l, const struct timehist_task *t);
