/* SPDX-License-Identifier: MIT */
/*
 * perf top for a fleet: shows what its store received in the last minutes, read again at intervals.
 * The rows are those of perf report.
 */
#include "tools/top/store.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/signals.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "store/url.h"
#include "tools/top/opts.h"

/* The meaning of "now", unless the URL contains a time. */
#define RECENT "since=5m"

/* The beginning of the line with the names of columns. */
#define HEAD "# Overhead"

#define ROWS_MAX 40 /* if the output is not a terminal */

static char *recent_url(const char *text, const struct fleet_url *u)
{
	if (u->filter.since)
		return xstrdup(text);
	return xasprintf("%s%c" RECENT, text, strchr(text, '?') ? '&' : '?');
}

static void print_as_ours(FILE *err, const char *said)
{
	static const char theirs[] = "perf report: ";
	bool is_theirs = !strncmp(said, theirs, strlen(theirs));

	fprintf(err, "%s%s", is_theirs ? "perf top: " : "",
		said + (is_theirs ? strlen(theirs) : 0));
}

/*
 * Runs perf report and returns its status. *@ret is its table, which the caller frees. Its other
 * messages would be repeated at each interval, so only the reason of a failure is shown.
 */
static int top_store_run_report(struct invocation *inv, const char *url, char **ret)
{
	const struct top_opts *o = inv->opts;
	const char *sort = o->rq.browse.profile.plan.sort;
	char *argv[] = { (char *)"--stdio",
			 (char *)"--no-children",
			 (char *)"-g",
			 (char *)"none",
			 (char *)"-i",
			 (char *)url,
			 (char *)"-s",
			 (char *)(sort ? sort : "comm,dso,sym"),
			 NULL };
	struct settings s = *inv->settings;
	_cleanup_(freep) char *said = NULL;
	size_t n_table, n_said;
	int status;

	s.out = open_memstream(ret, &n_table);
	s.err = open_memstream(&said, &n_said);
	if (!s.out || !s.err)
		memory_gone(0);
	s.paginate = -1;
	status = command_run(command_other(inv, "report"), argv, &s);
	fclose(s.out);
	fclose(s.err);
	if (status != EXIT_OK)
		print_as_ours(command_err(inv), said);
	return status;
}

/* Prints the names of columns and the first rows. */
static void top_store_print_table(FILE *out, const char *table, unsigned rows)
{
	for (unsigned shown = 0; *table && shown < rows; table += *table == '\n') {
		size_t n = strcspn(table, "\n"), shown_n = n;
		bool is_comment = *table == '#';
		bool is_head = !strncmp(table, HEAD, strlen(HEAD));

		if (n && (!is_comment || is_head)) {
			while (table[shown_n - 1] == ' ')
				shown_n--;
			fprintf(out, "%s%.*s\n", is_head ? " " : "", (int)shown_n - is_head,
				table + is_head);
			shown++;
		}
		table += n;
	}
}

static int show_once(struct invocation *inv, struct live_table *t, const char *url)
{
	struct redraw_size room = live_table_size(t);
	_cleanup_(freep) char *table = NULL;
	int status = top_store_run_report(inv, url, &table);
	FILE *out;

	if (status != EXIT_OK)
		return status;
	out = live_table_page(t);
	fprintf(out, "%s\n", url);
	top_store_print_table(out, table, room.rows > ROWS_MAX ? ROWS_MAX : room.rows - 2);
	live_table_end(t);
	return EXIT_OK;
}

/* Waits. True if a signal arrived within the delay, which is the end. */
static bool wait_or_end(struct signals *s, uint64_t ms)
{
	struct pollfd fd = { .fd = s->fd, .events = POLLIN };
	bool sent;
	int signal;

	poll(&fd, 1, (int)ms);
	while ((signal = signals_take(s, &sent)))
		if (signal != SIGCHLD)
			return true;
	return false;
}

int top_show_store(struct invocation *inv, const char *text)
{
	const struct top_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	_cleanup_(freep) char *url = NULL;
	struct signals signals = SIGNALS_NONE;
	struct live_table table;
	int status, r = fleet_url_parse(text, time(NULL), &u, &diag);

	if (r >= 0)
		r = signals_open(&signals);
	if (r < 0)
		return command_fail(inv, r, &diag);
	url = recent_url(text, &u);
	live_table_open(&table, inv, inv->out, false);
	do {
		status = show_once(inv, &table, url);
	} while (status == EXIT_OK && !wait_or_end(&signals, o->rq.delay_ms));
	live_table_close(&table, true);
	signals_close(&signals);
	return status;
}
