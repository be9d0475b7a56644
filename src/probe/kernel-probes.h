/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The probes the kernel has: those of its own code and of modules (kprobe_events), and those of
 * programs (uprobe_events). Reads them, finds free names for new ones, adds all of several or none,
 * removes.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct diag;
struct kernel_probes;
struct text;
struct trace_probe;
struct trace_probes;
struct tracefs;

/* @fs is borrowed, and outlives the result. Files are opened when they are needed. */
struct kernel_probes *kernel_probes_new(struct tracefs *fs);
void kernel_probes_free(struct kernel_probes *k);
DEFINE_FREEP(kernel_probes)

/*
 * Appends all there are to @ret, those of the kernel first, each kind in the order of its lines'
 * text (as Linux's perf lists them). A file that this kernel does not have counts as empty; -ENOENT
 * with @diag: it has neither. Other errors as in kernel/probe-events.h.
 */
int kernel_probes_read(struct kernel_probes *k, struct trace_probes *ret, struct diag *diag);

/*
 * Gives the probes of one definition, @l, their final names: those that exist are numbered, or, if
 * not @may_number, are an error (-EEXIST). Where the kernel can have several places in one event,
 * those with the same name and the same arguments share it; a place named twice is dropped. Names
 * given once are taken from then on.
 */
int kernel_probes_name(struct kernel_probes *k, struct trace_probes *l, bool may_number,
		       struct diag *diag);

/*
 * Adds the probes of one definition. Places that the kernel refuses are left out of @l, with a line
 * in @notes for each, as long as one remains; if none does, or for another reason than the place,
 * nothing stays behind, and @diag says why.
 */
int kernel_probes_add(struct kernel_probes *k, struct trace_probes *l, struct text *notes,
		      struct diag *diag);

/* Removes the events that the probes of @l belong to, as far as they can be. */
void kernel_probes_undo(struct kernel_probes *k, const struct trace_probes *l);

/* Removes the event that @p belongs to, with all its places. -EBUSY: it is being recorded. */
int kernel_probes_remove(struct kernel_probes *k, const struct trace_probe *p, struct diag *diag);
