/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The contents of an HTML page, as numbers and texts: docs/format/page.md explains each of them.
 *
 * This model has several producers: profile/page/fill.h makes it of a recording's samples and
 * profile/page/from-flame.h of the boxes of a flame graph; others fill in `heat`.
 * profile/page/fit.h makes it small enough, view/picture/page.h writes it. Texts are those of
 * page_text(), or live as long as the page.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "profile/flame.h"
#include "profile/page/columns.h"

struct text;

struct page_request {
	const char *title;    /* NULL: what was recorded */
	const char *subtitle; /* NULL: place and time of the recording */
	unsigned views;       /* bits of enum page_view; views without data are dropped */
	const char *part;     /* only functions whose name contains it; NULL: all */
};

#define PAGE_NONE UINT32_MAX

enum page_view {
	PAGE_VIEW_FLAME = 1 << 0,
	PAGE_VIEW_TIME = 1 << 1,
	PAGE_VIEW_THREADS = 1 << 2,
	PAGE_VIEW_TABLE = 1 << 3,
	PAGE_VIEW_CODE = 1 << 4,
	PAGE_VIEW_HEAT = 1 << 5,
	PAGE_VIEW_FACTS = 1 << 6,
	PAGE_VIEW_CHART = 1 << 7,
};

/* A fact about the recording. */
struct page_fact {
	const char *name, *text;
};

enum page_level {
	PAGE_FINE,
	PAGE_NOTE,
	PAGE_WARNING,
};

/* A remark on what limits the quality of the recording. */
struct page_remark {
	enum page_level level;
	const char *text;
	const char *help; /* the next step for the user; NULL: there is none */
};

struct page_event {
	const char *name;
	const char *unit; /* "": none */
	uint64_t samples, total;
	uint64_t period; /* the period of every sample; 0: they differ */
};

/* A thread under one of its names; or whatever the stacks of a picture stand on. */
struct page_task {
	uint32_t pid, tid; /* PAGE_NONE: unknown */
	const char *comm;
};

/* A frame at its position. Node 0 is the empty stack; a parent comes before its children. */
struct page_node {
	uint32_t parent;
	uint32_t name, object; /* indexes in the lists */
	enum flame_kind kind;
	enum flame_change change;
};

/* The values that samples have in common besides task, time and stack: indexes in the lists. */
struct page_where {
	uint32_t event, cpu, cgroup, side;
};

/* Samples that cannot be told apart in the page. */
struct page_cell {
	uint32_t task, bin, node;
	uint32_t where; /* index in the list */
	uint32_t place; /* 1 + the number of an instruction of the listings; 0: none */
	uint64_t samples, weight;
};

/* A line of a listing. */
struct page_row {
	bool is_source; /* a line of source; otherwise an instruction */
	const char *text;
	/* For source: */
	const char *file; /* "": unknown */
	uint32_t line;
	/* For an instruction: */
	uint64_t addr;
	bool is_line; /* a line of source with samples of its own: @line in place of @addr */
	uint32_t to;  /* the row that it jumps to; PAGE_NONE: none in the function */
};

struct page_function {
	uint32_t name, object; /* indexes in the lists */
	struct page_row *rows;
	size_t n;
	const char *why; /* why there are no rows; NULL: there are rows */
};

/* An axis of a latency heat map. */
struct page_axis {
	double start, step;
	const double *bounds; /* used instead if steps differ: n + 1; or NULL */
	uint32_t n;
	const char *unit;
};

struct page_heat_cell {
	uint32_t row, column;
	uint64_t count;
};

struct page_heat {
	struct page_axis x, y;
	struct page_heat_cell *cells; /* by column, then by row */
	size_t n;
	uint64_t over; /* values above the largest one that is shown */
};

#define PAGE_LIST(type)                                                                            \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t n, room;                                                                    \
	}

struct page {
	unsigned views; /* bits of enum page_view */
	const char *title, *subtitle;
	/* the initial view, in the form of a link's fragment; NULL: everything */
	const char *start;
	PAGE_LIST(struct page_fact) header;
	PAGE_LIST(struct page_remark) quality;
	bool has_times;
	uint64_t start_ns, bin_ns;
	uint32_t n_bins;
	bool is_comparison;
	PAGE_LIST(struct page_event) events;
	PAGE_LIST(struct page_task) tasks;
	PAGE_LIST(uint32_t) cpus;
	PAGE_LIST(const char *) cgroups;
	PAGE_LIST(const char *) names;
	PAGE_LIST(const char *) objects; /* the first is "" */
	PAGE_LIST(struct page_node) nodes;
	PAGE_LIST(struct page_where) wheres;
	PAGE_LIST(struct page_cell) cells;         /* by task, then by time */
	PAGE_LIST(struct page_function) functions; /* functions that have listings */
	/* describes what was left out to keep the file small; NULL: nothing was */
	const char *dropped;
	struct page_heat *heat;
	const struct text *chart; /* docs/format/timechart.md, borrowed; NULL: none */
	/* The packed form of the numbers, made by page_fit(). */
	struct page_columns columns;
	struct bytes packed;
	struct intern texts;
	struct arena arena;
};

/* Makes an empty page, which has the first node and the first object. */
void page_init(struct page *p);
void page_done(struct page *p);

/* Returns the only copy of @s. */
const char *page_text(struct page *p, const char *s);

void page_add_fact(struct page *p, const char *name, const char *text);
void page_add_remark(struct page *p, enum page_level level, const char *text, const char *help);
