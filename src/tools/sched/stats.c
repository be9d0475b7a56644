/* SPDX-License-Identifier: MIT */
/* perf sched stats: shows the increase of the counters of /proc/schedstat. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/workload.h"
#include "cli/command.h"
#include "datafile/features.h"
#include "options/input.h"
#include "options/value.h"
#include "tools/sched/opts.h"
#include "tools/sched/stats-model.h"
#include "tools/sched/stats-view.h"
#include "tools/sched/stats-work.h"

#define OUTPUT_DEFAULT "perf.data"

struct opts {
	const char *input, *output;
	struct cpu_list cpus;
	bool verbose, force;
};

static const struct option options[] = {
	OPT_CALL('C', "cpu", struct opts, cpus, "cpu", "only these CPUs", .set = cpu_list_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_INPUT(struct opts, input),
	OPT_STRING('o', "output", struct opts, output, "file",
		   "where 'stats record' writes (default: perf.data)"),
	OPT_FLAG('v', "verbose", struct opts, verbose,
		 "explain the fields in place of their names"),
	OPT_FORCE(struct opts, force),
	OPT_END,
};

static void tools_sched_stats_done(void *opts)
{
	struct opts *o = opts;

	cpu_list_done(&o->cpus);
}

/* One measurement, from a file or live. */
struct sched_stats_measured {
	struct sched_stats stats;
	struct features facts;
};

static void measured_done(struct sched_stats_measured *m)
{
	sched_stats_done(&m->stats);
	features_done(&m->facts);
}

static const struct cpu_domain *sched_stats_find_domain(const struct features *f, uint32_t cpu,
							uint16_t domain)
{
	for (size_t i = 0; i < f->cpu_domain_info.cpus.n; i++) {
		const struct cpu_domains *c = &f->cpu_domain_info.cpus.items[i];

		for (size_t k = 0; c->cpu == cpu && k < c->domains.n; k++)
			if (c->domains.items[k].domain == domain)
				return &c->domains.items[k];
	}
	return NULL;
}

static const char *domain_name(void *arg, uint32_t cpu, uint16_t domain)
{
	const struct cpu_domain *d = sched_stats_find_domain(arg, cpu, domain);

	return d ? d->name : NULL;
}

static const char *domain_cpus(void *arg, uint32_t cpu, uint16_t domain)
{
	const struct cpu_domain *d = sched_stats_find_domain(arg, cpu, domain);

	return d ? d->cpulist : NULL;
}

static struct sched_stats_look sched_stats_look_of(const struct invocation *inv,
						   struct sched_stats_measured *m)
{
	const struct opts *o = inv->opts;

	return (struct sched_stats_look){ .out = inv->out,
					  .descriptions = o->verbose,
					  .domain_name = domain_name,
					  .domain_cpus = domain_cpus,
					  .arg = &m->facts };
}

static int tools_sched_stats_measure(struct invocation *inv, const char *output,
				     struct sched_stats_measured *m, int *ret_status,
				     struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct sched_stats_request rq = { .argv = inv->argv,
						.cpus = &o->cpus,
						.output = output };
	int status = 0, r = sched_stats_measure(&rq, &m->stats, &m->facts, &status, diag);

	*ret_status = workload_status(status);
	return r;
}

/* Runs without a subcommand: measures, and shows the result at once. */
static int sched_stats_run_live(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(measured_done) struct sched_stats_measured m = { .stats = { .version = 0 } };
	struct sched_stats_look look = sched_stats_look_of(inv, &m);
	int status, r = tools_sched_stats_measure(inv, NULL, &m, &status, &diag);

	if (r < 0)
		return command_fail(inv, r, &diag);
	sched_stats_print(&look, &m.stats);
	return status;
}

static int sched_stats_run_record(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	const char *output = o->output ? o->output : OUTPUT_DEFAULT;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(measured_done) struct sched_stats_measured m = { .stats = { .version = 0 } };
	int status, r = tools_sched_stats_measure(inv, output, &m, &status, &diag);

	if (r < 0)
		return command_fail(inv, r, &diag);
	fprintf(command_err(inv), "[ perf sched stats: Wrote samples to %s ]\n", output);
	return status;
}

static int sched_stats_read_file(const struct invocation *inv, const char *path,
				 struct sched_stats_measured *m, struct diag *diag)
{
	const struct opts *o = inv->opts;
	struct notes notes = command_notes(inv);

	return sched_stats_read(path, o->force, &m->stats, &m->facts, &notes, diag);
}

static int sched_stats_run_report(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(measured_done) struct sched_stats_measured m = { .stats = { .version = 0 } };
	struct sched_stats_look look = sched_stats_look_of(inv, &m);
	int r = sched_stats_read_file(inv, input_path(o->input), &m, &diag);

	if (r < 0)
		return command_fail(inv, r, &diag);
	sched_stats_print(&look, &m.stats);
	return EXIT_OK;
}

static int sched_stats_run_diff(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(measured_done) struct sched_stats_measured a = { .stats = { .version = 0 } };
	_cleanup_(measured_done) struct sched_stats_measured b = { .stats = { .version = 0 } };
	struct sched_stats_look look = sched_stats_look_of(inv, &a);
	int r;

	if (inv->argc > 2) {
		diag_set(&diag, -EINVAL, "two files are compared, not %d", inv->argc);
		return command_usage(inv, &diag);
	}
	r = sched_stats_read_file(inv, inv->argc > 1 ? inv->argv[0] : OUTPUT_DEFAULT ".old", &a,
				  &diag);
	if (r >= 0)
		r = sched_stats_read_file(
			inv, inv->argc ? inv->argv[inv->argc - 1] : OUTPUT_DEFAULT, &b, &diag);
	if (r >= 0 && a.stats.version != b.stats.version)
		r = diag_set(&diag, -EINVAL,
			     "versions %u and %u of /proc/schedstat have other fields",
			     a.stats.version, b.stats.version);
	if (r < 0)
		return command_fail(inv, r, &diag);
	sched_stats_print_diff(&look, &a.stats, &b.stats);
	return EXIT_OK;
}

static const char *const record_usage[] = { "[<options>] [<command>]", NULL };
static const char *const report_usage[] = { "[<options>]", NULL };
static const char *const diff_usage[] = { "[<options>] [<old file>] [<new file>]", NULL };

static const struct command record = {
	.name = "sched stats record",
	.summary = "record the counters of the scheduler before and after a command",
	.usage = record_usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.run = sched_stats_run_record,
	.done = tools_sched_stats_done,
};

static const struct command report = {
	.name = "sched stats report",
	.summary = "show what the counters grew by",
	.usage = report_usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_PAGED,
	.run = sched_stats_run_report,
	.done = tools_sched_stats_done,
};

static const struct command diff = {
	.name = "sched stats diff",
	.summary = "show two recordings beside each other",
	.usage = diff_usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_PAGED,
	.run = sched_stats_run_diff,
	.done = tools_sched_stats_done,
};

static const struct command *const subcommands[] = { &record, &report, &diff, NULL };
static const char *const usage[] = { "{record|report|diff} [<options>]", "[<options>] [<command>]",
				     NULL };

const struct command cmd_sched_stats = {
	.name = "sched stats",
	.summary = "show what the counters of the scheduler grew by while a command ran",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD,
	.subcommands = subcommands,
	.run = sched_stats_run_live,
	.done = tools_sched_stats_done,
};
