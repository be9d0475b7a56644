/* SPDX-License-Identifier: MIT */
#pragma once
/* The tasks of a recording as a tree of parents and children, in the order of Linux's perf. */
#include <stddef.h>

#include "base/cleanup.h"
#include "session/machine.h"

struct session;

/* A task in the tree. */
struct task_node {
	struct task task;
	unsigned level; /* 0: its parent is unknown */
};

struct task_tree {
	struct task_node *items; /* each task follows its parent and that one's earlier children */
	size_t n;
};

/* Makes the tree of the tasks of @s. All its side-band records must have been read. */
void task_tree_init(struct task_tree *ret, const struct session *s);
void task_tree_done(struct task_tree *t);
