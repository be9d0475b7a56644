/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's tracepoints as tracefs shows them: events/SYSTEM/NAME/{id,format}.
 *
 * Finds the mount (/sys/kernel/tracing, /sys/kernel/debug/tracing, or the place in /proc/mounts)
 * and, as Linux's perf does, mounts it if root finds it missing. It handles names, ids and the raw
 * text of formats; tracepoint/ parses the formats.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/name-list.h"

struct diag;
struct tracefs;

/*
 * Opens the tracing directory @path, or with NULL finds it ($PERF_DEBUGFS_DIR first). Fails with
 * -ENOENT (not mounted, or no CONFIG_TRACING), -EACCES (readable by root only), or an error for
 * which no directory can be opened (-EMFILE); @diag names the reason and the command that solves
 * the problem.
 */
int tracefs_open(const char *path, struct tracefs **ret, struct diag *diag);
void tracefs_free(struct tracefs *t);
DEFINE_FREEP(tracefs)

const char *tracefs_path(const struct tracefs *t);

/*
 * Explains why one of the functions below returned -EACCES (the directory may be open while the
 * files in it are not), and gives the command that solves the problem. Returns -EACCES.
 */
int tracefs_explain_denied(const struct tracefs *t, struct diag *diag);

/*
 * Read the systems; or the events of @system (those that have an id), in the directory's order,
 * which is that of Linux's perf for globs. Release them with name_list_done(). -ENOENT: no such
 * system.
 */
int tracefs_systems(const struct tracefs *t, struct name_list *ret);
int tracefs_events(const struct tracefs *t, const char *system, struct name_list *ret);

/* Reads the id of an event, which is its perf_event_attr.config. -ENOENT: no such event. */
int tracefs_event_id(const struct tracefs *t, const char *system, const char *name, uint64_t *ret);

/* Reads the text of events/SYSTEM/NAME/format. The caller frees it. */
int tracefs_event_format(const struct tracefs *t, const char *system, const char *name, char **ret);

/*
 * Reads the events that were added as probes (dynamic_events), as "SYSTEM:NAME", sorted; release
 * them with name_list_done(). -ENOENT: a kernel before 5.0.
 */
int tracefs_probes(const struct tracefs *t, struct name_list *ret);
