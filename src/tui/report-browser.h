/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The browser of a report: what `perf report` and `perf top` show on a terminal.
 *
 * Its panels share a `struct report_browser`: where the data comes from, and what it is asked for.
 * The request of the command line is borrowed; what keys and menus change of it is kept here.
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

/* Live data: what `perf top` adds. All get @arg; an answer is a line for the status, or NULL. */
struct report_live {
	void *arg;
	const char *(*rate)(void *arg); /* in the title, behind the event: "4000 Hz" */
	const char *(*zero)(void *arg);
	const char *(*toggle_events)(void *arg);
	const char *(*save)(void *arg);
	double (*delay)(void *arg); /* between refreshes, in seconds */
	const char *(*set_delay)(void *arg, double seconds);
};

/* All of it is borrowed. */
struct report_browser_options {
	struct browse_request request;
	struct report_look look;
	const struct annotate_request *annotate; /* how functions are shown; NULL: they are not */
	struct annotate_view code;               /* how they look at first */
	const struct report_live *live;          /* NULL: a recording */
	const char *exec_path;                   /* where named scripts are found; or NULL */
	bool without_heads;                      /* of columns; H shows them */
	bool quiet;                              /* no tips */
};

struct report_browser {
	const struct report_browser_options *o;
	struct panels *panels;
	struct browse *browse;
	struct browse_request base; /* the command line's, and what was changed of it */
	struct browse_request good; /* the last that was answered */
	struct report_look look;
	struct annotate_view code; /* how functions look */
	struct zooms zooms, good_zooms;
	char *path; /* of another recording; NULL: it is the command line's */
	struct {
		char **items;
		size_t n, room;
	} sorts; /* keys that were chosen: requests borrow them */
};

/*
 * Shows what comes from *@b until the user has seen enough. *@b may be another one then: of another
 * recording. Returns the signal that ended it, or 0; -ENOTTY with @diag if there is no terminal for
 * it, -EIO if that went away.
 */
int report_browser_run(struct browse **b, const struct report_browser_options *o,
		       const struct screen_options *screen, struct diag *diag);

/* Asks for @base with the zooms. */
void report_browser_ask(struct report_browser *rb);

/* The question was answered; or it cannot be, and the one before it holds again. */
void report_browser_keep(struct report_browser *rb);
void report_browser_revert(struct report_browser *rb);

/* What is asked for now; borrows from @rb until that changes. */
struct browse_request report_browser_request(struct report_browser *rb);

/* Other sort keys for the next question; NULL: the usual ones. */
void report_browser_sort(struct report_browser *rb, const char *sort);

/* Goes on with @b, another recording, in place of the one so far, of which nobody has a snapshot.
 */
void report_browser_replace(struct report_browser *rb, struct browse *b, const char *path);
