/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From syntax to events: the parts of event_list_parse(), one file per family of names. Private to
 * event/.
 *
 * Each resolve_*() appends the events that one node stands for to r->list, without modifiers,
 * groups and default names, which resolve.c adds to all alike. On failure it leaves a marked
 * message in r->diag.
 */
#include "event/ast.h"
#include "event/event.h"

struct pmu;

struct event_resolver {
	const struct event_ast *ast;
	struct event_env *env;
	enum event_use use;
	struct event_list *list; /* of this text alone */
	struct diag *diag;
};

/* Appends a fresh event with the defaults that every event has. */
struct event *resolve_add(struct event_resolver *r, uint32_t type, uint64_t config);

/* The same for what perf measures itself. */
struct event *resolve_add_tool(struct event_resolver *r, enum event_tool tool);

/* Takes back the last resolve_add(). */
void resolve_drop_last(struct event_resolver *r);

/* Marks @where in the text as wrong and returns @error. */
int resolve_wrong(struct event_resolver *r, int error, struct text_span where, const char *format,
		  ...) __attribute__((format(printf, 4, 5)));

/*
 * A name that every machine has: hardware, software, cache, raw, tool. -ENOENT (nothing said): it
 * is none of these.
 */
int resolve_generic(struct event_resolver *r, const struct event_node *node);

/* A hardware event of @type and @config: one on each kind of cores where there are several. */
int resolve_hardware(struct event_resolver *r, const struct event_node *node, uint32_t type,
		     uint64_t config);

/* pmu/terms/, where the PMU may be a glob or a prefix. */
int resolve_pmu(struct event_resolver *r, const struct event_node *node);

/* A bare name that some PMU's sysfs directory or vendor table knows. -ENOENT (nothing said): none.
 */
int resolve_alias(struct event_resolver *r, const struct event_node *node);

/* A name that libpfm4 knows on this machine, in either spelling. -ENOENT (nothing said): none. */
int resolve_pfm(struct event_resolver *r, const struct event_node *node);

/*
 * What perf reads itself: tool/NAME/, the sensors of hwmon as hwmon_CHIP/NAME/, hwmonN/NAME/ or by
 * a bare name, and what DRM drivers tell as drm_DRIVER/KEY/ or by the bare key. -ENOENT (nothing
 * said): none of these.
 */
int resolve_software_pmu(struct event_resolver *r, const struct event_node *node);
int resolve_sensor(struct event_resolver *r, const struct event_node *node);
int resolve_drm(struct event_resolver *r, const struct event_node *node);

int resolve_tracepoint(struct event_resolver *r, const struct event_node *node);

/* How many kinds of cores this machine has, each with a PMU of its own; 0 where none is shown. */
unsigned resolve_core_kinds(struct event_resolver *r);

/*
 * Where there are several, calls @e by its PMU too (cpu_core/cycles/u), so that rows have different
 * names.
 */
void resolve_core_name(struct event_resolver *r, struct event *e, const struct event_node *node);

/*
 * Applies general terms to @e; any other is an error: this event has no PMU that defines more.
 */
int resolve_terms(struct event_resolver *r, struct event *e, const struct event_node *node);
