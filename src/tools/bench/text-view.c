/* SPDX-License-Identifier: MIT */
#include "tools/bench/text-view.h"

#include <inttypes.h>
#include <math.h>

#include "base/cleanup.h"
#include "tools/bench/numa-view.h"
#include "tools/bench/programs/report.h"
#include "tools/bench/programs/result.h"

/* Prints seconds, truncated and not rounded: 0.0019 s are 0.001. */
static void print_seconds(FILE *out, double seconds)
{
	uint64_t ms = seconds > 0 ? (uint64_t)(seconds * 1e3) : 0;

	fprintf(out, "%" PRIu64 ".%03" PRIu64, ms / 1000, ms % 1000);
}

static void print_total(FILE *out, double seconds)
{
	fputs("     Total time: ", out);
	print_seconds(out, seconds);
	fputs(" [sec]\n", out);
}

static double bench_text_value_of(const struct bench_result *r, const char *name)
{
	const struct bench_figure *f = bench_figure_find(r, name);

	return f ? f->value : 0;
}

static void print_messaging(FILE *out, const struct bench_result *r)
{
	const struct bench_messaging *m = &r->messaging;
	const char *tasks = m->threads ? "threads" : "processes";

	fprintf(out, "# %u sender and receiver %s per group\n", m->per_group, tasks);
	fprintf(out, "# %u groups == %u %s run\n\n", m->groups, m->groups * 2 * m->per_group,
		tasks);
	print_total(out, r->seconds);
}

static void print_ops_head(FILE *out, const struct bench_ops *o)
{
	switch (o->kind) {
	case BENCH_OPS_PIPE:
		fprintf(out, "# Executed %" PRIu64 " pipe operations between two %s\n\n", o->loops,
			o->threads ? "threads" : "processes");
		break;
	case BENCH_OPS_SECCOMP:
		fprintf(out, "# Executed %" PRIu64 " system calls\n\n", o->loops);
		break;
	case BENCH_OPS_SYSCALL:
		fprintf(out, "# Executed %" PRIu64 " %s() calls\n", o->loops, o->syscall);
		break;
	case BENCH_OPS_BREAKPOINT_THREAD:
		fprintf(out,
			"# Created/joined %" PRIu64
			" threads with %u breakpoints and %u parallelism\n",
			o->loops, o->breakpoints, o->parallelism);
		break;
	case BENCH_OPS_BREAKPOINT_ENABLE:
		fprintf(out,
			"# Enabled/disabled breakpoint %" PRIu64
			" time with %u passive and %u active threads\n",
			o->loops, o->passive, o->active);
		break;
	case BENCH_OPS_USLEEP:
		fprintf(out, "# Executed %" PRIu64 " usleep(1000) calls\n", o->loops);
		break;
	}
}

static void print_usleep(FILE *out, const struct bench_result *r)
{
	fprintf(out, "     Total time: %.0f usecs\n\n %.3f usecs/op\n", floor(r->seconds * 1e6),
		bench_text_value_of(r, "usecs/op"));
}

static void print_ops(FILE *out, const struct bench_result *r)
{
	const struct bench_ops *o = &r->ops;

	print_ops_head(out, o);
	if (o->kind == BENCH_OPS_USLEEP) {
		print_usleep(out, r);
		return;
	}
	print_total(out, r->seconds);
	fprintf(out, "\n %14f usecs/op\n", bench_text_value_of(r, "usecs/op"));
	if (o->kind == BENCH_OPS_BREAKPOINT_THREAD)
		fprintf(out, " %14f usecs/op/cpu\n", bench_text_value_of(r, "usecs/op/cpu"));
	else if (o->kind != BENCH_OPS_BREAKPOINT_ENABLE)
		fprintf(out, " %14.0f ops/sec\n", floor(bench_text_value_of(r, "ops/sec")));
}

static void print_rate(FILE *out, const struct bench_mem_row *row, unsigned threads)
{
	static const char *const units[] = { "B", "KB", "MB", "GB" };
	double rate = row->rate;
	size_t unit = 0;

	if (row->by_cycles) {
		fprintf(out, " %14f cycles/byte", rate);
	} else {
		while (rate >= 1024 && unit + 1 < ARRAY_SIZE(units)) {
			rate /= 1024;
			unit++;
		}
		fprintf(out, " %14f %s/sec", rate, units[unit]);
	}
	if (threads > 1)
		fprintf(out, "/thread\t( +- %6.2f%% )", row->noise);
	fputc('\n', out);
}

static void print_mem(FILE *out, const struct bench_mem *m, bool simple)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct bench_mem_row *row = &m->items[i];

		fprintf(out, "# function '%s' (%s)\n", row->function, row->description);
		if (simple) {
			fprintf(out, "%f\n", row->rate);
			continue;
		}
		fprintf(out, "# Copying %s bytes ...\n\n", m->size);
		print_rate(out, row, m->threads);
	}
}

static void bench_text_print_line(FILE *out, const struct bench_line *l)
{
	const char *blank = *l->unit ? " " : "";
	int decimals = (int)l->decimals;

	fputs(l->label, out);
	switch (l->kind) {
	case BENCH_LINE_TEXT:
		break;
	case BENCH_LINE_COUNT:
		fprintf(out, "%.0f%s", l->value, l->unit);
		break;
	case BENCH_LINE_VALUE:
		fprintf(out, "%.*f%s%s", decimals, l->value, blank, l->unit);
		break;
	case BENCH_LINE_MEAN:
		fprintf(out, "%.*f%s%s (+- %.*f%s%s)", decimals, l->value, blank, l->unit, decimals,
			l->error, blank, l->unit);
		break;
	}
	fputc('\n', out);
}

static void bench_text_print_lines(FILE *out, const struct bench_lines *l)
{
	for (size_t i = l->shown; i < l->n; i++)
		bench_text_print_line(out, &l->items[i]);
}

static void print_buckets(FILE *out, int buckets)
{
	if (buckets > 0)
		fprintf(out, "Futex hashing: %d hash buckets\n", buckets);
	else if (buckets == 0)
		fputs("Futex hashing: global hash\n", out);
}

static const char *bench_text_sharing(bool shared)
{
	return shared ? "shared" : "private";
}

static void print_rates_head(FILE *out, const struct bench_rates *r)
{
	fprintf(out, "Run summary [PID %d]: %zu threads", r->pid, r->n);
	switch (r->kind) {
	case BENCH_RATES_FUTEX_HASH:
		fprintf(out, ", each operating on %u [%s] futexes", r->objects,
			bench_text_sharing(r->shared));
		break;
	case BENCH_RATES_LOCK_PI:
		fputs(" doing pi lock/unlock pairing", out);
		break;
	case BENCH_RATES_EPOLL_WAIT:
		fprintf(out, " monitoring%s on %u file-descriptors",
			r->oneshot ? " (EPOLLONESHOT semantics)" : "", r->objects);
		break;
	case BENCH_RATES_EPOLL_CTL:
		fprintf(out, " doing epoll_ctl ops %u file-descriptors", r->objects);
		break;
	}
	fprintf(out, " for %" PRIu64 " secs.\n\n", r->seconds);
}

/* Prints the lines of epoll's -v: before and after the head. */
static void print_verbose(FILE *out, const struct bench_rates *r, bool before)
{
	bool waits = r->kind == BENCH_RATES_EPOLL_WAIT;

	if (!r->verbose)
		return;
	if (before) {
		if (waits)
			fprintf(out, "Using %s queue model\n", r->multiq ? "multi" : "single");
		if (r->nested)
			fprintf(out, "Nesting level(s): %u\n", r->nested);
		if (r->nofile)
			fprintf(out,
				"Setting RLIMIT_NOFILE rlimit from %" PRIu64 " to: %" PRIu64 "\n",
				r->nofile_before, r->nofile);
		return;
	}
	if (waits)
		fprintf(out,
			"starting worker/consumer threads %s\nstarting writer-thread: doing %s "
			"writes "
			"...\n",
			r->nonblocking ? "(nonblocking)" : "", r->random ? "random" : "lineal");
	fputs("main thread: toggling done\n", out);
	if (waits)
		fprintf(out, "exiting writer-thread (total full-loops: %" PRIu64 ")\n",
			r->writer_loops);
}

static void bench_text_print_thread(FILE *out, const struct bench_rates *r, size_t number)
{
	const struct bench_thread *t = &r->items[number];
	bool is_futex = r->kind == BENCH_RATES_FUTEX_HASH || r->kind == BENCH_RATES_LOCK_PI;
	bool several = r->objects > 1;

	fprintf(out, "[thread %*zu] %s: 0x%" PRIx64, r->kind == BENCH_RATES_LOCK_PI ? 3 : 2, number,
		!is_futex ? "fdmap"
		: several ? "futexes"
			  : "futex",
		t->first_addr);
	if (several)
		fprintf(out, " ... 0x%" PRIx64, t->last_addr);
	if (r->kind == BENCH_RATES_EPOLL_CTL)
		fprintf(out,
			" [ add: %" PRIu64 " ops; mod: %" PRIu64 " ops; del: %" PRIu64 " ops ]\n",
			t->ctl[BENCH_CTL_ADD], t->ctl[BENCH_CTL_MOD], t->ctl[BENCH_CTL_DEL]);
	else
		fprintf(out, " [ %" PRIu64 " ops/sec ]\n", t->ops);
}

static void print_rates(FILE *out, const struct bench_rates *r)
{
	static const char *const names[] = { "ADD", "MOD", "DEL" };

	print_verbose(out, r, true);
	print_rates_head(out, r);
	print_verbose(out, r, false);
	for (size_t i = 0; i < r->n && !r->silent; i++)
		bench_text_print_thread(out, r, i);
	if (!r->silent)
		fputc('\n', out);
	for (size_t i = 0; i < BENCH_CTL_OPS && r->kind == BENCH_RATES_EPOLL_CTL; i++)
		fprintf(out, "Averaged %.0f %s operations (+- %.2f%%)\n", floor(r->ctl[i].mean),
			names[i], moments_noise(&r->ctl[i]));
	if (r->kind != BENCH_RATES_EPOLL_CTL)
		fprintf(out, "Averaged %.0f operations/sec (+- %.2f%%), total secs = %" PRIu64 "\n",
			floor(r->mean.mean), moments_noise(&r->mean), r->took_seconds);
	print_buckets(out, r->buckets);
}

static void print_runs_head(FILE *out, const struct bench_runs *r)
{
	fprintf(out, "Run summary [PID %d]: ", r->pid);
	switch (r->kind) {
	case BENCH_RUNS_WAKE:
		fprintf(out,
			"blocking on %u threads (at [%s] futex 0x%" PRIx64
			"), waking up %u at a time.\n\n",
			r->threads, bench_text_sharing(r->shared), r->addr, r->at_a_time);
		break;
	case BENCH_RUNS_WAKE_PARALLEL:
		fprintf(out,
			"blocking on %u threads (at [%s] futex 0x%" PRIx64
			"), %u threads waking up %u at a time.\n\n",
			r->threads, bench_text_sharing(r->shared), r->addr, r->wakers,
			r->at_a_time);
		break;
	case BENCH_RUNS_REQUEUE:
		fprintf(out,
			"Requeuing %u threads (from [%s] 0x%" PRIx64 " to %s0x%" PRIx64
			"), %u at a time.\n\n",
			r->threads, bench_text_sharing(r->shared), r->addr, r->pi ? "PI " : "",
			r->second_addr, r->at_a_time);
		break;
	}
}

static void print_one_run(FILE *out, const struct bench_runs *r, size_t number)
{
	const struct bench_one_run *run = &r->items[number];

	fprintf(out, "[Run %zu]: ", number + 1);
	if (r->kind == BENCH_RUNS_WAKE)
		fprintf(out, "Wokeup %u of %u threads in %.4f ms\n", run->woken, r->threads,
			run->ms);
	else if (r->kind == BENCH_RUNS_WAKE_PARALLEL)
		fprintf(out,
			"Avg per-thread latency (waking %u/%u threads) in %.4f ms (+-%.2f%%)\n",
			r->wakers ? run->woken / r->wakers : 0, r->threads, run->ms, run->noise);
	else if (r->pi)
		fprintf(out, "Awoke and Requeued (%u+%u) of %u threads in %.4f ms\n", run->woken,
			run->requeued, r->threads, run->ms);
	else
		fprintf(out, "Requeued %u of %u threads in %.4f ms\n", run->requeued, r->threads,
			run->ms);
}

static void print_runs(FILE *out, const struct bench_runs *r)
{
	unsigned done = (unsigned)r->done.mean;

	print_runs_head(out, r);
	for (size_t i = 0; i < r->n && !r->silent; i++)
		print_one_run(out, r, i);
	if (r->kind == BENCH_RUNS_WAKE_PARALLEL)
		fprintf(out, "Avg per-thread latency (waking %u/%u threads)", done, r->threads);
	else
		fprintf(out, "%s %u of %u threads",
			r->kind == BENCH_RUNS_WAKE ? "Wokeup" : "Requeued", done, r->threads);
	fprintf(out, " in %.4f ms (+-%.2f%%)\n", r->ms.mean, moments_noise(&r->ms));
	print_buckets(out, r->buckets);
}

static void print_simple_time(FILE *out, const struct bench_result *r)
{
	if (r->layout == BENCH_LAYOUT_OPS && r->ops.kind == BENCH_OPS_USLEEP)
		fprintf(out, "%.0f", floor(r->seconds * 1e6));
	else
		print_seconds(out, r->seconds);
	fputc('\n', out);
}

void bench_print(FILE *out, const struct bench_result *r, bool simple)
{
	switch (r->layout) {
	case BENCH_LAYOUT_NONE:
		break;
	case BENCH_LAYOUT_MESSAGING:
	case BENCH_LAYOUT_OPS:
		if (simple)
			print_simple_time(out, r);
		else if (r->layout == BENCH_LAYOUT_OPS)
			print_ops(out, r);
		else
			print_messaging(out, r);
		break;
	case BENCH_LAYOUT_MEM:
		print_mem(out, &r->mem, simple);
		break;
	case BENCH_LAYOUT_LINES:
		bench_text_print_lines(out, &r->lines);
		break;
	case BENCH_LAYOUT_RATES:
		print_rates(out, &r->rates);
		break;
	case BENCH_LAYOUT_RUNS:
		print_runs(out, &r->runs);
		break;
	case BENCH_LAYOUT_NUMA:
		bench_print_numa(out, &r->numa);
		break;
	}
}

void bench_print_means(FILE *out, const struct bench_entry *e)
{
	size_t n = e->n ? e->items[0].n : 0;

	fprintf(out, "\n# Means of %zu values, with 95 %% confidence intervals:\n", n);
	for (size_t i = 0; i < e->n; i++) {
		const struct bench_series *s = &e->items[i];
		double half, mean = bench_series_mean(s, &half);

		fprintf(out, " %14f %s +- %.2f%%   (%s)\n", mean, s->unit,
			mean != 0 ? fabs(half / mean) * 100 : 0, s->name);
	}
}
