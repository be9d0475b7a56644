/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The probes that the kernel has: in its own code and in modules (kprobe_events), and in programs
 * (uprobe_events). Reads them, finds free names for new ones, adds all places of a definition or
 * none, and removes them.
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

/*
 * Returns the kernel's probes. @fs is borrowed and must outlive the result. Files are opened when
 * they are needed.
 */
struct kernel_probes *kernel_probes_new(struct tracefs *fs);
void kernel_probes_free(struct kernel_probes *k);
DEFINE_FREEP(kernel_probes)

/*
 * Appends all probes to @ret, those of the kernel first, each kind sorted by the text of its lines
 * (as Linux's perf lists them). A file that this kernel does not have counts as empty; -ENOENT
 * with @diag: it has neither. Other errors as in kernel/probe-events.h.
 */
int kernel_probes_read(struct kernel_probes *k, struct trace_probes *ret, struct diag *diag);

/*
 * Gives the probes of one definition, @l, their final names. A name that exists is numbered, or is
 * an error (-EEXIST) unless @may_number. If the kernel supports several places in one event, places
 * with the same name and arguments share it; a place that is named twice is dropped. The names
 * count as taken from then on.
 */
int kernel_probes_name(struct kernel_probes *k, struct trace_probes *l, bool may_number,
		       struct diag *diag);

/*
 * Adds the probes of one definition. Places that the kernel refuses are removed from @l, with a
 * line in @notes for each, as long as one place remains. If none remains, or if the kernel refuses
 * for a reason other than the place, no probe is left and @diag says why.
 */
int kernel_probes_add(struct kernel_probes *k, struct trace_probes *l, struct text *notes,
		      struct diag *diag);

/* Removes the events that the probes of @l belong to, as far as possible. */
void kernel_probes_undo(struct kernel_probes *k, const struct trace_probes *l);

/* Removes the event that @p belongs to, with all its places. -EBUSY: it is being recorded. */
int kernel_probes_remove(struct kernel_probes *k, const struct trace_probe *p, struct diag *diag);
