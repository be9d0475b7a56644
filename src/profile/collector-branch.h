/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a collector does with the branches of a sample. Private to profile/collector*.
 *
 * Each branch that was taken weighs one, whatever the sample's period is, and belongs to the
 * function that it went to; the sample's own address and stack do not count.
 */
struct collected;
struct collector_worker;

/* Adds all branches of @c as samples of their own. */
void collect_branches(struct collector_worker *w, const struct collected *c);

/* Adds the blocks between the branches of @c. */
void collect_blocks(struct collector_worker *w, const struct collected *c);

/* Notes what is known of the branches in the stack of @c, which was added. */
void collect_notes(struct collector_worker *w, const struct collected *c);

/* What a worker has for the blocks between branches, with options.blocks. */
void collector_places_init(struct collector_worker *w);
void collector_places_done(struct collector_worker *w);
