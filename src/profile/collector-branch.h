/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Collects the branches of samples. Private to profile/collector*.
 *
 * Each taken branch weighs one, whatever the sample's period is, and belongs to its target
 * function; the sample's own address and stack do not count.
 */
struct collected;
struct collector_worker;

/* Adds all branches of @c as samples of their own. */
void collect_branches(struct collector_worker *w, const struct collected *c);

/* Adds the blocks between the branches of @c. */
void collect_blocks(struct collector_worker *w, const struct collected *c);

/* Adds notes on the branches in the stack of @c, which was added before. */
void collect_notes(struct collector_worker *w, const struct collected *c);

/* Make and free the worker's data for the blocks between branches, with options.blocks. */
void collector_places_init(struct collector_worker *w);
void collector_places_done(struct collector_worker *w);
