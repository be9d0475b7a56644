/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tasks as `perf sched timehist` names them: "sh[123]", "worker[124/123]", "<idle>". Each is made
 * once and again only when the task changes its name.
 */
#include <stddef.h>
#include <stdint.h>

struct timehist_task;

/* Linux's perf cuts labels to that. */
#define TASK_LABEL_MAX 31

struct task_label {
	const char *comm; /* the name it was made of */
	int32_t pid;
	uint32_t length; /* 0: it was not made yet */
	char *chars;
};

/* `struct task_labels l = { 0 };` is empty. */
struct task_labels {
	struct task_label *items; /* by index of the task */
	size_t n, room;
};

void task_labels_done(struct task_labels *l);

/* The label of @t; valid until the next call. Harmless for a terminal. */
const struct task_label *task_label(struct task_labels *l, const struct timehist_task *t);
