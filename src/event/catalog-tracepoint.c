/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "event/catalog-gather.h"
#include "event/env.h"
#include "kernel/tracefs.h"
#include "tracepoint/format.h"

/*
 * Reads a format. One that cannot be read or parsed is left out: the name can still be used for -e.
 */
static struct tracepoint_format *
catalog_tracepoint_read_format(const struct tracefs *fs, const char *system, const char *name)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *text = NULL;
	struct tracepoint_format *format = NULL;

	if (tracefs_event_format(fs, system, name, &text) == 0)
		tracepoint_format_parse(text, &format, &ignored);
	return format;
}

static int gather_system(struct gathering *g, const struct tracefs *fs, const char *system)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = tracefs_events(fs, system, &names);

	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.items[i];
		uint64_t id;

		if (!gather_selects(g, name))
			continue;

		struct catalog_entry *e = gather_add(g, CATALOG_TRACEPOINT,
						     gather_keepf(g, "%s:%s", system, name));

		e->pmu = "tracepoint";
		if (g->query->encodings && tracefs_event_id(fs, system, name, &id) == 0)
			e->encoding = gather_keepf(g, "tracepoint/config=%#" PRIx64 "/", id);
		if (g->query->formats)
			e->format = catalog_tracepoint_read_format(fs, system, name);
	}
	return r;
}

static int gather_systems(struct gathering *g, const struct tracefs *fs)
{
	_cleanup_(name_list_done) struct name_list systems = { 0 };
	int r = tracefs_systems(fs, &systems);

	/*
	 * Other errors concern a single system: its module may be unloaded while the others are
	 * read.
	 */
	for (size_t i = 0; i < systems.n && r != -EACCES; i++)
		if (!g->system || glob_matches(g->system, systems.items[i]))
			r = gather_system(g, fs, systems.items[i]);
	return r == -EACCES ? r : 0;
}

int gather_tracepoints(struct gathering *g)
{
	size_t first = g->catalog->n;
	struct tracefs *fs;
	int r = event_env_tracefs(g->env, &fs, g->diag);

	if (r < 0)
		return r;
	if (gather_systems(g, fs) < 0)
		return tracefs_explain_denied(fs, g->diag);
	/* Sorting by system would be wrong: nfs4:x comes before nfs:x. */
	gather_sort(g, first);
	return 0;
}
