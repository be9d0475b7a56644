/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's dynamic events, as lines of text: kprobe_events and uprobe_events of tracefs.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/name-list.h"

struct diag;
struct probe_events;
struct tracefs;

enum probe_events_kind {
	PROBE_EVENTS_KERNEL,
	PROBE_EVENTS_USER,
};

/*
 * Opens one of both files. -ENOENT: this kernel has none (@diag names the option), -EACCES: only
 * root may (the hint explains it).
 */
int probe_events_open(struct tracefs *t, enum probe_events_kind kind, bool writable,
		      struct probe_events **ret, struct diag *diag);
void probe_events_free(struct probe_events *e);
DEFINE_FREEP(probe_events)

/* Reads its lines; release them with name_list_done(). */
int probe_events_read(struct probe_events *e, struct name_list *ret);

/*
 * Writes @line: a definition, or "-:GROUP/EVENT". If the kernel rejects it, its errno and the lines
 * that it adds to error_log become a sentence in @diag.
 */
int probe_events_write(struct probe_events *e, const char *line, struct diag *diag);

/* Does the same without searching for the reason of a rejection, which takes a moment. */
int probe_events_try(struct probe_events *e, const char *line);
