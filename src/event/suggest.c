/* SPDX-License-Identifier: MIT */
#include "event/suggest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/similar.h"
#include "event/catalog.h"
#include "event/env.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

static void suggest_hint_nearest(const struct similar *near, struct diag *diag)
{
	_cleanup_(freep) char *phrase = similar_phrase(near);

	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
}

static bool suggest_always(const struct attr *attr)
{
	(void)attr;
	return true;
}

void suggest_event(struct event_env *env, const char *typed, struct diag *diag)
{
	/* An event that this machine cannot count may still be the one that the user meant. */
	const struct catalog_query everything = { .supported = suggest_always };
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(catalog_done) struct catalog catalog = { 0 };
	struct similar near = { .typed = typed };

	catalog_gather(env, &everything, &catalog, &ignored);
	catalog_suggest(&catalog, &near);
	suggest_hint_nearest(&near, diag);
	diag_hint(diag, "Run 'perf list' for a list of valid events, 'perf list %s' to search it.",
		  typed);
}

/* Hints at a probe: probes are set by their user, so one that does not exist was not set yet. */
static bool hint_probe(const char *system, const char *name, struct diag *diag)
{
	const char *what = glob_is_pattern(name) ? "FUNCTION" : name;

	if (!strcmp(system, "probe"))
		diag_hint(diag, "Set a probe first: perf probe --add %s", what);
	else if (!strncmp(system, "probe_", strlen("probe_")))
		diag_hint(diag, "Set a probe first: perf probe -x PROGRAM --add %s", what);
	else
		return false;
	return true;
}

void suggest_tracepoint(struct event_env *env, const char *system, const char *name,
			struct diag *diag)
{
	_cleanup_(name_list_done) struct name_list names = { 0 }, full = { 0 };
	_cleanup_(freep) char *typed = xasprintf("%s:%s", system, name);
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct similar near = { .typed = typed };
	struct tracefs *fs;

	if (event_env_tracefs(env, &fs, &ignored) < 0)
		return;

	bool known = tracefs_events(fs, system, &names) >= 0;

	/* If there is no such system, its name is probably misspelt. */
	if (!known && tracefs_systems(fs, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		const char *other = known ? system : names.items[i];
		const char *event = known ? names.items[i] : name;
		_cleanup_(freep) char *candidate = xasprintf("%s:%s", other, event);
		uint64_t id;

		if (known || tracefs_event_id(fs, other, event, &id) == 0)
			name_list_add(&full, candidate);
	}
	for (size_t i = 0; i < full.n; i++)
		similar_add(&near, full.items[i]);
	suggest_hint_nearest(&near, diag);
	if (hint_probe(system, name, diag))
		return;
	if (known)
		diag_hint(diag, "Run \"perf list '%s:*'\" for the tracepoints of this system.",
			  system);
	else
		diag_hint(diag,
			  "Run 'perf list tracepoint' for all of them; a module that is not loaded "
			  "has none.");
}

void suggest_pmu(struct event_env *env, const char *typed, struct diag *diag)
{
	struct pmu_list *pmus = event_env_pmus(env);
	struct similar near = { .typed = typed };

	for (size_t i = 0; i < pmu_list_count(pmus); i++)
		similar_add(&near, pmu_list_name(pmus, i));
	suggest_hint_nearest(&near, diag);
	diag_hint(diag, "Run 'perf list pmu' for the events of this machine's PMUs.");
}

void suggest_drm(struct diag *diag)
{
	if (access("/dev/dri", F_OK) != 0)
		diag_hint(diag,
			  "There is no /dev/dri: this machine has no GPU with a driver of the "
			  "kernel, or this container does not show it.");
	else
		diag_hint(diag, "Start the program that uses the GPU first, and run perf as root "
				"if it is another user's: drm events are in /proc/PID/fdinfo.");
}
