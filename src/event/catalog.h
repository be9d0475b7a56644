/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events that can be measured here: every event and metric that has a name, as data for `perf
 * list`.
 *
 * A catalog is gathered for one selector (a class, a pattern or everything) and then only read. It
 * owns its texts; PMUs and tracefs are read through the environment, and only those that the
 * selector asks for. It contains names, kinds, encodings and descriptions; layout belongs to view/.
 */
#include <stdbool.h>
#include <stddef.h>

struct attr;
struct catalog_block;
struct diag;
struct event_env;
struct similar;
struct tracepoint_format;

/* The kinds in the order in which they are listed. */
enum catalog_kind {
	CATALOG_HARDWARE,
	CATALOG_SOFTWARE,
	CATALOG_TOOL,
	CATALOG_CACHE,
	CATALOG_PMU,   /* from a PMU's sysfs directory, or from the vendor's table for it */
	CATALOG_HWMON, /* from a sensor */
	CATALOG_DRM,   /* from a GPU's driver */
	CATALOG_RAW,   /* a syntax for events, not an event */
	CATALOG_BREAKPOINT,
	CATALOG_TRACEPOINT,
	CATALOG_SDT,
	CATALOG_PFM, /* from libpfm4, for --pfm-events */
	CATALOG_METRIC,
	CATALOG_METRIC_GROUP,
	CATALOG_KINDS,
};

/* Absent texts are NULL. */
struct catalog_entry {
	enum catalog_kind kind;
	const char *name;  /* the text for -e, or -M */
	const char *alias; /* a shorter or older name */
	const char *pmu;
	const char *topic;
	const char *brief;       /* one sentence */
	const char *description; /* the full description */
	const char *encoding;    /* pmu/terms/ */
	const char *scale_unit;  /* "100%", "6.1e-05MiB" */
	const char *expression;  /* expression of a metric */
	const char *groups;      /* the groups of a metric, separated by ';' */
	const char *group;       /* the one under which it is listed */
	const char *image;       /* the file that contains an SDT event, and its build-id */
	const char *build_id;
	struct tracepoint_format *format;
	bool core;       /* its PMU belongs to a CPU */
	bool deprecated; /* the vendor gave it another name */
};

struct catalog {
	struct catalog_entry *items; /* by kind, then in listing order */
	size_t n, room;
	unsigned kinds; /* 1 << CATALOG_x of the requested kinds, even if there were none */
	struct catalog_block *blocks;
};

struct catalog_query {
	/*
	 * A class ("hw", "tracepoint", ...), a pattern for tracepoints ("sched:*"), or a pattern
	 * that may match anywhere in a name. NULL: everything.
	 */
	const char *selector;
	const char *pmu;         /* only events of the PMUs that this name selects, or NULL */
	const char *buildid_dir; /* the directory in which SDT events are recorded, or NULL */
	bool formats;            /* fill in the formats of tracepoints */
	bool encodings;          /* also fill in their encodings for the kernel */
	bool deprecated;         /* include deprecated events */
	/* True if a generic event can be counted; NULL: ask the kernel. */
	bool (*supported)(const struct attr *attr);
};

/*
 * Fills *@ret, which the caller releases with catalog_done() in any case. Returns 0, or a negative
 * errno with @diag set if tracepoints, or events of libpfm4, were requested and cannot be read;
 * everything else is present then.
 */
int catalog_gather(struct event_env *env, const struct catalog_query *q, struct catalog *ret,
		   struct diag *diag);
void catalog_done(struct catalog *c);

/* Return true if @selector is the name of a class, or a pattern with wildcards. */
bool catalog_is_class(const char *selector);
bool catalog_is_pattern(const char *selector);

/* Returns "Hardware event", "Tracepoint event", ...: the words for which users grep. */
const char *catalog_kind_label(enum catalog_kind kind);

/* Ranks all names of @c in @near, which borrows them from it. */
void catalog_suggest(const struct catalog *c, struct similar *near);
