/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events to measure: events resolved from `-e` text against the kernel's PMUs and tracepoints.
 *
 * An event contains the perf_event_attr fields that its text determines (type, config, exclusions,
 * precision, breakpoint); those that a command adds (inherit, sample_type, frequency, ...) are not
 * here. An event_list owns its events, in the order in which they were typed; each contains the
 * index of its group's leader, or its own. PMUs are borrowed from the environment, which must
 * outlive the list.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/modifier.h"
#include "event/names.h"
#include "wire/attr.h"

struct data_filter_items;
struct diag;
struct event_env;
struct pmu;

/* The terms that are not in the attr, because the command's options affect them too. */
struct event_settings {
	unsigned given; /* bits of 1 << EVENT_SETTING_x: the other members are unset */
	uint64_t period;
	uint64_t freq;
	uint64_t branch_type; /* PERF_SAMPLE_BRANCH_* */
	uint64_t max_events;  /* nr= */
	uint32_t stack_size;
	uint32_t aux_sample_size;
	uint16_t max_stack;
	bool time;
	bool inherit;
	bool overwrite;
	bool percore;
	bool aux_output;
	char *call_graph;    /* "fp", "dwarf", "lbr" or "no" */
	char *driver_config; /* the text after the @ */
	char *metric_id;
};

enum event_setting {
	EVENT_SETTING_PERIOD,
	EVENT_SETTING_FREQ,
	EVENT_SETTING_BRANCH_TYPE,
	EVENT_SETTING_MAX_EVENTS,
	EVENT_SETTING_STACK_SIZE,
	EVENT_SETTING_AUX_SAMPLE_SIZE,
	EVENT_SETTING_MAX_STACK,
	EVENT_SETTING_TIME,
	EVENT_SETTING_INHERIT,
	EVENT_SETTING_OVERWRITE,
	EVENT_SETTING_PERCORE,
	EVENT_SETTING_AUX_OUTPUT,
	EVENT_SETTING_CALL_GRAPH,
	EVENT_SETTING_DRIVER_CONFIG,
	EVENT_SETTING_METRIC_ID,
};

struct event {
	struct attr attr;
	char *name;       /* the name that stat, evlist, report and script print */
	bool unnamed;     /* not typed: record's default */
	char *tracepoint; /* its name within @system; NULL for other kinds */
	char *system;
	char *filter;                          /* --filter text for the kernel, or NULL */
	struct data_filter_items *data_filter; /* --filter for BPF (event/data-filter.h), or NULL */
	size_t program;          /* 1 + the number of the BPF program it runs; 0: none */
	enum event_tool tool;    /* counted by perf itself */
	char *file;              /* for EVENT_TOOL_FILE: the file with the number; or NULL */
	char *drm_pmu, *drm_key; /* for EVENT_TOOL_DRM: the owner of the value; or NULL */
	const struct pmu *pmu;   /* NULL: the kernel chooses by attr.type */
	char *unit;              /* unit of the scaled count; "" if there is none */
	double scale;
	bool snapshot;    /* read only at the end, never as a difference */
	bool per_package; /* one CPU of each socket counts for all of it */
	bool whole_cpus;  /* opened for CPUs, even if tasks are recorded */
	bool traces;      /* writes an AUX area; tasks can be traced on its PMU's CPUs */
	struct modifier_state modifiers;
	struct event_settings settings;
	size_t leader;    /* index in the list */
	char *group_name; /* name of the group that it leads, or NULL */
};

struct event_list {
	struct event **items;
	size_t n, room;
	size_t last; /* the first event of the last -e: --filter applies from there */
};

void event_list_done(struct event_list *l);

enum event_use {
	EVENT_USE_COUNTING, /* stat: terms about sampling are refused */
	EVENT_USE_SAMPLING,
};

/*
 * Resolves @text and appends its events to @l. -EINVAL (the text is wrong), -ENOENT (no such name
 * here), -EACCES (tracefs is not readable), ... with @diag marking the place in @text, and giving
 * the nearest names and the way to list them. @l is unchanged on failure.
 */
int event_list_parse(struct event_list *l, const char *text, struct event_env *env,
		     enum event_use use, struct diag *diag);

/*
 * Attaches the filter @text to the events of the last event_list_parse(), after checking it: for
 * tracepoints against their fields; for other events that sample it is a filter on the data of
 * samples, or one of the address filters of PMUs that trace. -EINVAL with @diag marking the
 * offending token.
 */
int event_list_filter(struct event_list *l, const char *text, struct event_env *env,
		      enum event_use use, struct diag *diag);
