/* SPDX-License-Identifier: MIT */
#include "tools/bench/numa-view.h"

#include <inttypes.h>

#include "tools/bench/programs/result.h"

static void print_bindings(FILE *out, const struct bench_numa_run *r)
{
	fputs("#\n", out);
	if (r->cpu_binding)
		fprintf(out, "# binding tasks to CPUs:\n#   %s\n", r->cpu_binding);
	if (r->node_binding)
		fprintf(out, "# binding tasks to NODEs:\n#   %s\n", r->node_binding);
	fputs("#\n", out);
}

static void print_plan(FILE *out, const struct bench_numa_run *r)
{
	unsigned tasks = r->processes * r->threads;

	fprintf(out, "\n ###\n # %u %s will execute (on %d nodes, %d CPUs):\n", tasks,
		tasks == 1 ? "task" : "tasks", r->nodes, r->cpus);
	fprintf(out, " #      %5" PRId64 "x %5" PRIu64 "MB global  shared mem operations\n",
		r->loops, r->mb_global);
	fprintf(out, " #      %5" PRId64 "x %5" PRIu64 "MB process shared mem operations\n",
		r->loops, r->mb_process);
	fprintf(out, " #      %5" PRId64 "x %5" PRIu64 "MB thread  local  mem operations\n",
		r->loops, r->mb_thread);
	fputs(" ###\n\n ###\n", out);
}

static void print_progress(FILE *out, const struct bench_numa_run *r)
{
	fputs(" #\n # Startup synchronization: ...", out);
	for (unsigned i = 0; i < r->processes && r->pids; i++)
		fprintf(out, " # process %2u: PID %d\n", i, r->pids[i]);
	fprintf(out, " threads initialized in %.6f seconds.\n #\n", r->startup_s);
	if (r->seconds_shown >= 0)
		fprintf(out, "\r # %6.1f%%  [%.1f mins]", r->percent_shown, r->seconds_shown / 60);
	if (r->convergence_text)
		fprintf(out, "  %s", r->convergence_text);
	if (r->convergence_text)
		fputc('\n', out);
	fputs("\n ###\n\n", out);
}

/* Prints a figure in one of two forms: as a sentence (-q), or as a row that scripts read. */
static void print_figure(FILE *out, const struct bench_numa_run *r, double value, const char *unit,
			 const char *text, const char *name)
{
	char with_comma[16], name_with_comma[64];

	snprintf(with_comma, sizeof(with_comma), "%s,", unit);
	snprintf(name_with_comma, sizeof(name_with_comma), "%s,", r->name);
	if (r->quiet)
		fprintf(out, " %14.3f %s\n", value, text);
	else
		fprintf(out, " %-30s %15.3f, %-15s %s\n", name_with_comma, value, with_comma, name);
}

static void print_figures(FILE *out, const struct bench_numa_run *r)
{
	if (r->converged_s >= 0)
		print_figure(out, r, r->converged_s, "secs", "secs latency to NUMA-converge",
			     "NUMA-convergence-latency");
	print_figure(out, r, r->max_s, "secs", "secs slowest (max) thread-runtime",
		     "runtime-max/thread");
	print_figure(out, r, r->min_s, "secs", "secs fastest (min) thread-runtime",
		     "runtime-min/thread");
	print_figure(out, r, r->avg_s, "secs", "secs average thread-runtime", "runtime-avg/thread");
	print_figure(out, r, r->spread, "%", "% difference between max/avg runtime",
		     "spread-runtime/thread");
	print_figure(out, r, r->gb_thread, "GB", "GB data processed, per thread", "data/thread");
	print_figure(out, r, r->gb_total, "GB", "GB data processed, total", "data-total");
	print_figure(out, r, r->ns_byte, "nsecs", "nsecs/byte/thread runtime",
		     "runtime/byte/thread");
	print_figure(out, r, r->speed_thread, "GB/sec", "GB/sec/thread speed", "thread-speed");
	print_figure(out, r, r->speed_total, "GB/sec", "GB/sec total speed", "total-speed");
}

static void print_run(FILE *out, const struct bench_numa_run *r)
{
	fprintf(out, "\n # Running %s, \"perf bench numa %s\"\n", r->name, r->line);
	if (r->not_applicable) {
		fprintf(out, "\nTest not applicable, %s\n", r->not_applicable);
		return;
	}
	if (!r->quiet) {
		print_bindings(out, r);
		print_plan(out, r);
		print_progress(out, r);
	}
	print_figures(out, r);
}

void bench_print_numa(FILE *out, const struct bench_numa *numa)
{
	if (numa->machine)
		fprintf(out,
			"\n # Running main, \"perf bench numa numa-mem\"\n #\n # Running test on: "
			"%s\n"
			" #\n",
			numa->machine);
	for (size_t i = 0; i < numa->n; i++)
		print_run(out, &numa->items[i]);
}
