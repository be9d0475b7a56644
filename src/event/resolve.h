/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts syntax to events: the parts of event_list_parse(), one file per family of names. Private
 * to event/.
 *
 * Each resolve_*() appends the events for one node to r->list, without modifiers, groups and
 * default names, which resolve.c adds to all alike. On failure it leaves a marked message in
 * r->diag.
 */
#include "event/ast.h"
#include "event/event.h"

struct pmu;

struct event_resolver {
	const struct event_ast *ast;
	struct event_env *env;
	enum event_use use;
	struct event_list *list; /* the events of this text only */
	struct diag *diag;
};

/* Appends a new event with the defaults that every event has. */
struct event *resolve_add(struct event_resolver *r, uint32_t type, uint64_t config);

/* Does the same for perf's own measurements. */
struct event *resolve_add_tool(struct event_resolver *r, enum event_tool tool);

/* Removes the event of the last resolve_add(). */
void resolve_drop_last(struct event_resolver *r);

/* Marks @where in the text as wrong and returns @error. */
int resolve_wrong(struct event_resolver *r, int error, struct text_span where, const char *format,
		  ...) __attribute__((format(printf, 4, 5)));

/*
 * Resolves a name that every machine has: hardware, software, cache, raw, tool. -ENOENT (no
 * message): it is none of these.
 */
int resolve_generic(struct event_resolver *r, const struct event_node *node);

/* Adds a hardware event of @type and @config: one on each kind of cores if there are several. */
int resolve_hardware(struct event_resolver *r, const struct event_node *node, uint32_t type,
		     uint64_t config);

/* Resolves pmu/terms/, where the PMU may be a glob or a prefix. */
int resolve_pmu(struct event_resolver *r, const struct event_node *node);

/*
 * Resolves a bare name from some PMU's sysfs directory or vendor table. -ENOENT (no message): there
 * is none.
 */
int resolve_alias(struct event_resolver *r, const struct event_node *node);

/*
 * Resolves a name that libpfm4 knows on this machine, in either spelling. -ENOENT (no message):
 * there is none.
 */
int resolve_pfm(struct event_resolver *r, const struct event_node *node);

/*
 * Resolve events that perf reads itself: tool/NAME/, the sensors of hwmon as hwmon_CHIP/NAME/,
 * hwmonN/NAME/ or by a bare name, and the values of DRM drivers as drm_DRIVER/KEY/ or by the bare
 * key. -ENOENT (no message): none of these.
 */
int resolve_software_pmu(struct event_resolver *r, const struct event_node *node);
int resolve_sensor(struct event_resolver *r, const struct event_node *node);
int resolve_drm(struct event_resolver *r, const struct event_node *node);

int resolve_tracepoint(struct event_resolver *r, const struct event_node *node);

/*
 * Returns the number of kinds of cores of this machine, each with a PMU of its own; 0 if none is
 * shown.
 */
unsigned resolve_core_kinds(struct event_resolver *r);

/*
 * Adds the PMU to the name of @e (cpu_core/cycles/u) if there are several kinds of cores, so that
 * rows have different names.
 */
void resolve_core_name(struct event_resolver *r, struct event *e, const struct event_node *node);

/*
 * Applies general terms to @e. Any other term is an error: this event has no PMU that defines more.
 */
int resolve_terms(struct event_resolver *r, struct event *e, const struct event_node *node);
