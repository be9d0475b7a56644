/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The output of `perf sched chains`: the tasks that woke others; and, for a task, a tree of the
 * tasks for which it waited, and its critical path.
 */
#include <stddef.h>
#include <stdio.h>

struct wake_path;
struct wakes;

/* Prints a row for each task and each task that woke it. */
void chains_print_edges(FILE *out, const struct wakes *w);

/* Prints the tree of @p. */
void chains_print_tree(FILE *out, const struct wakes *w, const struct wake_path *p);

/* Prints the steps of @p, one on each line. */
void chains_print_steps(FILE *out, const struct wakes *w, const struct wake_path *p);

/* Do the same as JSON: an object with the rows, and one with @n trees and their steps. */
void chains_print_edges_json(FILE *out, const struct wakes *w);
void chains_print_paths_json(FILE *out, const struct wakes *w, const struct wake_path *paths,
			     size_t n);
