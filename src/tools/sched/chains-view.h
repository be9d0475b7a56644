/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf sched chains` prints: who woke whom; and for a task, whom it waited for, as a tree,
 * and its critical path.
 */
#include <stddef.h>
#include <stdio.h>

struct wake_path;
struct wakes;

/* A row for each task and who woke it. */
void chains_print_edges(FILE *out, const struct wakes *w);

/* The tree of @p. */
void chains_print_tree(FILE *out, const struct wakes *w, const struct wake_path *p);

/* The steps of @p, a line each. */
void chains_print_steps(FILE *out, const struct wakes *w, const struct wake_path *p);

/* The same as JSON: an object with the rows; one with @n trees and their steps. */
void chains_print_edges_json(FILE *out, const struct wakes *w);
void chains_print_paths_json(FILE *out, const struct wakes *w, const struct wake_path *paths,
			     size_t n);
