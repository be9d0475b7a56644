/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who forked whom: the tasks that a recording tells of as a tree, in the order of Linux's perf.
 */
#include <stddef.h>

#include "base/cleanup.h"
#include "session/machine.h"

struct session;

/* A task in the tree. */
struct task_node {
	struct task task;
	unsigned level; /* 0: nobody is known who forked it */
};

struct task_tree {
	struct task_node *items; /* each task behind its parent and those that this forked before */
	size_t n;
};

/* The tree of the tasks of @s, all of whose side-band records were read. */
void task_tree_init(struct task_tree *ret, const struct session *s);
void task_tree_done(struct task_tree *t);
