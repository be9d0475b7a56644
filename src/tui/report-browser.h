/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The browser of a report: the output of `perf report` and `perf top` on a terminal.
 *
 * Its panels share a `struct report_browser`: the data source and the current request. The request
 * of the command line is borrowed; the changes made by keys and menus are kept here.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tui/browse.h"
#include "tui/report-page.h"
#include "tui/report-zoom.h"
#include "view/annotate/annotate.h"

struct annotate_request;
struct diag;
struct panels;
struct screen_options;

/*
 * The callbacks that `perf top` adds for live data. All get @arg. An answer is a line for the
 * status, or NULL.
 */
struct report_live {
	void *arg;
	const char *(*rate)(void *arg); /* in the title, after the event: "4000 Hz" */
	const char *(*zero)(void *arg);
	const char *(*toggle_events)(void *arg);
	const char *(*save)(void *arg);
	double (*delay)(void *arg); /* between refreshes, in seconds */
	const char *(*set_delay)(void *arg, double seconds);
};

/* The options. All of it is borrowed. */
struct report_browser_options {
	struct browse_request request;
	struct report_look look;
	/* the look of functions; NULL: they are not shown */
	const struct annotate_request *annotate;
	struct annotate_view code;      /* the initial look of code */
	const struct report_live *live; /* NULL: a recording */
	const char *exec_path;          /* the folder with named scripts; or NULL */
	bool without_heads;             /* hide the heads of columns; H shows them */
	bool quiet;                     /* show no tips */
};

struct report_browser {
	const struct report_browser_options *o;
	struct panels *panels;
	struct browse *browse;
	struct browse_request base; /* the command line's request, with changes */
	struct browse_request good; /* the last one that was answered */
	struct report_look look;
	struct annotate_view code; /* the look of functions */
	struct zooms zooms, good_zooms;
	char *path; /* the path of another recording; NULL: that of the command line */
	struct {
		char **items;
		size_t n, room;
	} sorts; /* chosen keys, which requests borrow */
};

/*
 * Shows the data of *@b until the user quits. *@b may then be the data of another recording.
 * Returns the signal that ended it, or 0; -ENOTTY with @diag if there is no terminal for it, -EIO
 * if the terminal has gone.
 */
int report_browser_run(struct browse **b, const struct report_browser_options *o,
		       const struct screen_options *screen, struct diag *diag);

/* Asks the question @base with the zooms applied. */
void report_browser_ask(struct report_browser *rb);

/*
 * report_browser_keep() notes that the question was answered. report_browser_revert() returns to
 * the previous one because it cannot be.
 */
void report_browser_keep(struct report_browser *rb);
void report_browser_revert(struct report_browser *rb);

/* Returns the current request, which borrows from @rb until that changes. */
struct browse_request report_browser_request(struct report_browser *rb);

/* Sets other sort keys for the next question; NULL: the default ones. */
void report_browser_sort(struct report_browser *rb, const char *sort);

/*
 * Continues with @b, another recording, in place of the current one, all of whose snapshots must
 * have been released.
 */
void report_browser_replace(struct report_browser *rb, struct browse *b, const char *path);
