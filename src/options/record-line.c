/* SPDX-License-Identifier: MIT */
#include "options/record-line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "kernel/tracefs.h"
#include "options/tracing-dir.h"

void record_line_done(struct record_line *l)
{
	free(l->items);
}

void record_line_add(struct record_line *l, const char *word)
{
	*ARRAY_ADD(l) = (char *)word;
}

/* True if the kernel has @event, which is "SYSTEM:NAME". */
static bool record_line_is_there(const struct tracefs *t, const char *event)
{
	const char *colon = strchr(event, ':');
	_cleanup_(freep) char *system = xstrndup(event, (size_t)(colon - event));
	uint64_t id;

	return tracefs_event_id(t, system, colon + 1, &id) != -ENOENT;
}

static const char *record_line_event_of(const struct tracefs *t, const struct record_event *e)
{
	if (record_line_is_there(t, e->name))
		return e->name;
	return e->or_else && record_line_is_there(t, e->or_else) ? e->or_else : NULL;
}

int record_line_add_events(struct record_line *l, const struct invocation *inv,
			   const struct record_event *events, size_t n, struct diag *diag)
{
	_cleanup_(freep) char *dir = command_tracing_dir(inv);
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	int r = tracefs_open(dir, &t, diag);

	for (size_t i = 0; i < n && r >= 0; i++) {
		const char *name = record_line_event_of(t, &events[i]);

		if (!name && !events[i].optional)
			return diag_set(diag, -ENOENT, "the kernel has no tracepoint %s",
					events[i].name);
		if (!name)
			continue;
		record_line_add(l, "-e");
		record_line_add(l, name);
	}
	return r;
}

int record_line_run(struct record_line *l, struct invocation *inv, const char *command)
{
	struct command named = *command_other(inv, command);

	named.name = inv->command->name;
	for (char **word = inv->argv; *word; word++)
		record_line_add(l, *word);
	record_line_add(l, NULL);
	return command_run(&named, l->items, inv->settings);
}
