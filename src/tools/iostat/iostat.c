/* SPDX-License-Identifier: MIT */
/* perf iostat: shows the traffic of the PCIe root ports of this machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "capture/workload.h"
#include "cli/command.h"
#include "tools/iostat/iostat-view.h"
#include "tools/iostat/iostat-work.h"

struct opts {
	uint64_t interval_ms, interval_count;
	unsigned verbose;
	const char *devices; /* another machine's directory of PMUs, for tests; or NULL */
};

static const struct option options[] = {
	OPT_UINT('I', "interval-print", struct opts, interval_ms, "ms",
		 "a table every so often, of the time since the one before"),
	OPT_UINT(0, "interval-count", struct opts, interval_count, "n", "end after so many tables"),
	OPT_COUNT('v', "verbose", struct opts, verbose, "say more"),
	OPT_STRING(0, "devices", struct opts, devices, "directory", "where PMUs are shown",
		   .flags = OPTION_HIDDEN),
	OPT_END,
};

struct iostat_show {
	struct invocation *inv;
	const struct root_port_list *ports;
	bool has_head;
};

static int iostat_list(const struct invocation *inv, const struct root_port_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		fprintf(inv->out, "S%u-uncore_iio_%u<%04x:%02x>\n", l->items[i].die,
			l->items[i].stack, l->items[i].domain, l->items[i].bus);
	return EXIT_OK;
}

static void iostat_print(struct iostat_show *s, const struct stat_table *table)
{
	size_t n = s->ports->n;
	_cleanup_(freep) struct iostat_row *rows = xcalloc(n + 1, sizeof(*rows));
	_cleanup_(freep) struct iostat_line *lines = xcalloc(n + 1, sizeof(*lines));
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	iostat_rows(table, s->ports, rows);
	for (size_t i = 0; i < n; i++) {
		snprintf(lines[i].port, sizeof(lines[i].port), "%04x:%02x", rows[i].port.domain,
			 rows[i].port.bus);
		memcpy(lines[i].is_counted, rows[i].is_counted, sizeof(rows[i].is_counted));
		memcpy(lines[i].mb, rows[i].mb, sizeof(rows[i].mb));
	}
	iostat_add_table(&t,
			 &(struct iostat_head){ .interval = table->interval,
						.first = !s->has_head,
						.time_ns = table->time_ns,
						.elapsed_s = table->elapsed_s },
			 lines, n);
	s->has_head = true;
	/*
	 * The table goes to stderr, as in perf stat, so that it stays apart from the output of the
	 * command.
	 */
	fwrite(t.chars, 1, t.length, command_err(s->inv));
}

static void iostat_on_table(void *arg, const struct stat_table *table)
{
	iostat_print(arg, table);
}

static int iostat_exit_status(const struct count_job *j)
{
	return count_job_has_command(j) && j->loop.end != LOOP_END_TIMEOUT
		       ? workload_status(j->loop.wait_status)
		       : EXIT_OK;
}

static int iostat_count(struct invocation *inv, const struct root_port_list *ports,
			char *const *argv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = command_notes(inv);
	struct count_request rq = { .argv = argv,
				    .interval_ms = o->interval_ms,
				    .interval_count = o->interval_count,
				    .verbose = o->verbose > 0 };
	struct iostat_show s = { .inv = inv, .ports = ports };
	struct iostat_events events;
	struct stat_table table;
	struct count_job job;
	int r, status;

	iostat_request(ports, &rq, &events);
	count_job_init(&job, &rq, &notes, &diag);
	job.on_table = iostat_on_table;
	job.arg = &s;
	r = count_job_prepare(&job);
	if (r >= 0)
		r = count_job_run(&job);
	if (r >= 0 && !o->interval_ms) {
		count_job_table(&job, &table);
		iostat_print(&s, &table);
	}
	status = r < 0 ? command_fail(inv, r, &diag) : iostat_exit_status(&job);
	count_job_done(&job);
	event_words_done(&rq.events);
	iostat_events_done(&events);
	return status;
}

/* True if @word is a list of ports. Otherwise it is the first word of the command. */
static bool is_ports(const char *word)
{
	unsigned domain, bus;

	return word && root_port_parse(word, strcspn(word, ","), &domain, &bus) >= 0;
}

static int iostat_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(root_port_list_done) struct root_port_list ports = { 0 };
	const struct opts *o = inv->opts;
	char **argv = inv->argv;
	int r = iostat_ports(o->devices, &ports, &diag);

	if (r < 0)
		return command_fail(inv, r, &diag);
	if (inv->argc == 1 && !strcmp(argv[0], "list"))
		return iostat_list(inv, &ports);
	if (is_ports(argv[0])) {
		r = iostat_select(&ports, argv[0], &diag);
		argv++;
	}
	if (r < 0)
		return command_fail(inv, r, &diag);
	if (*argv && !strcmp(*argv, "--"))
		argv++;
	return iostat_count(inv, &ports, argv);
}

static const char *const usage[] = { "list", "[<options>] [<ports>] [--] [<command>]", NULL };

const struct command cmd_iostat = {
	.name = "iostat",
	.summary = "count the traffic of PCIe root ports",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.run = iostat_run,
};
