/* SPDX-License-Identifier: MIT */
/* Runs benchmarks: the number of runs, the output, and what is saved and compared. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/notes.h"
#include "base/output-stream.h"
#include "tools/bench/bench.h"
#include "tools/bench/compare-view.h"
#include "tools/bench/compare-work.h"
#include "tools/bench/json-view.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/text-view.h"

#define RUNS_MAX 100000
/* A file of all benchmarks with a thousand runs has a few MB. */
#define FILE_MAX (64 << 20)

/*
 * The common options have no letters, because benchmarks use those for options of their own, and
 * are hidden, because the help of `perf bench` has them.
 */
#define HANDED_ON .flags = OPTION_HIDDEN | OPTION_WHOLE
const struct option bench_options[] = {
	OPT_STRING(0, "format", struct bench_common, format, "name", "see perf bench", HANDED_ON),
	OPT_UINT(0, "repeat", struct bench_common, repeat, "n", "see perf bench", HANDED_ON),
	OPT_UINT(0, "runs", struct bench_common, runs, "n", "see perf bench", HANDED_ON),
	OPT_FLAG(0, "json", struct bench_common, json, "see perf bench", HANDED_ON),
	OPT_STRING(0, "save", struct bench_common, save, "file", "see perf bench", HANDED_ON),
	OPT_STRING(0, "compare", struct bench_common, compare, "file", "see perf bench", HANDED_ON),
	OPT_STRING(0, "words", struct bench_common, words, "text", "what was typed", HANDED_ON),
	OPT_END,
};

const char *const bench_usage[] = { "[<options>]", NULL };

static bool bench_run_is_count(uint64_t n)
{
	return n == BENCH_UNSET || (n && n <= RUNS_MAX);
}

static int bench_run_check(const struct bench_common *o, struct diag *diag)
{
	if (strcmp(o->format, "default") != 0 && strcmp(o->format, "simple") != 0) {
		diag_set(diag, -EINVAL, "'%s' is not a format", o->format);
		diag_hint(diag, "There are: default, simple; and --json");
		return -EINVAL;
	}
	if (!bench_run_is_count(o->repeat) || !bench_run_is_count(o->runs))
		return diag_set(diag, -EINVAL, "--repeat and --runs are numbers from 1 to %d",
				RUNS_MAX);
	return 0;
}

int bench_session_begin(struct bench_session *s, struct invocation *inv,
			const struct bench_common *common, struct diag *diag)
{
	int r = bench_run_check(common, diag);

	if (r < 0)
		return r;
	*s = (struct bench_session){ .inv = inv, .common = common };
	bench_report_describe(&s->report);
	return 0;
}

static bool is_simple(const struct bench_session *s)
{
	return !strcmp(s->common->format, "simple");
}

static void print_banner(const struct bench_session *s, const struct bench_benchmark *b)
{
	FILE *out = s->inv->out;

	if (!s->common->json && !is_simple(s))
		fprintf(out,
			s->many ? "# Running %s benchmark...\n" : "# Running '%s' benchmark:\n",
			b->name);
	/* Processes that a benchmark starts must not write the buffered output again. */
	fflush(out);
}

static void on_lines(void *arg, struct bench_result *r)
{
	const struct bench_session *s = arg;

	bench_print(s->inv->out, r, is_simple(s));
	fflush(s->inv->out);
	r->lines.shown = r->lines.n;
}

static int measure_once(struct bench_session *s, const struct bench_benchmark *b,
			const void *params, unsigned repeat)
{
	_cleanup_(bench_result_done) struct bench_result result = {
		.on_lines = s->common->json ? NULL : on_lines, .arg = s
	};
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = b->measure(params, repeat, &result, &diag);

	if (r < 0) {
		s->status = command_fail(s->inv, r, &diag);
		return r;
	}
	bench_entry_add(bench_report_entry(&s->report, b->name, s->many ? "" : s->common->words),
			&result);
	if (!s->common->json)
		bench_print(s->inv->out, &result, is_simple(s));
	fflush(s->inv->out);
	return 0;
}

static uint64_t count_runs(const struct bench_common *o, const struct bench_benchmark *b)
{
	if (o->runs != BENCH_UNSET)
		return o->runs;
	return o->repeat != BENCH_UNSET && !b->repeats ? o->repeat : 1;
}

void bench_session_measure(struct bench_session *s, const struct bench_benchmark *b,
			   const void *params)
{
	const struct bench_common *o = s->common;
	uint64_t runs = count_runs(o, b);
	int r = 0;

	print_banner(s, b);
	for (uint64_t i = 0; i < runs && r >= 0; i++)
		r = measure_once(s, b, params,
				 o->repeat != BENCH_UNSET ? (unsigned)o->repeat : BENCH_REPEAT);
	if (r < 0 || runs == 1 || o->json)
		return;
	bench_print_means(s->inv->out,
			  bench_report_entry(&s->report, b->name, s->many ? "" : o->words));
}

static int bench_run_save(const struct bench_report *report, const char *path, struct diag *diag)
{
	_cleanup_(output_stream_done) struct output_stream stream;
	int r = output_stream_begin(&stream, path, diag);

	if (r < 0)
		return r;
	bench_report_print_json(stream.out, report);
	return output_stream_commit(&stream, NULL, diag);
}

static int bench_run_load(const char *path, struct bench_report *ret, struct diag *diag)
{
	_cleanup_(freep) char *bytes = NULL;
	size_t n;
	int r = file_read(AT_FDCWD, path, FILE_MAX, &bytes, &n);

	if (r < 0)
		return diag_set(diag, r, "cannot read '%s': %s", path, strerror(-r));
	return bench_report_parse(bytes, n, path, ret, diag);
}

static int bench_run_compare(struct invocation *inv, const struct bench_report *a,
			     const struct bench_report *b, bool json)
{
	_cleanup_(compare_freep) struct compare *c = NULL;
	struct notes notes = command_notes(inv);

	c = bench_compare(a, b, &notes);
	if (!c->n_rows)
		return command_failf(inv, "the two have no benchmark in common");
	if (json)
		bench_compare_print_json(inv->out, a, b, c);
	else
		bench_compare_print(inv->out, a, b, c);
	return EXIT_OK;
}

static int compare_with_file(struct bench_session *s)
{
	_cleanup_(bench_report_done) struct bench_report other = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = bench_run_load(s->common->compare, &other, &diag);

	if (r < 0)
		return command_fail(s->inv, r, &diag);
	if (!s->common->json)
		fputc('\n', s->inv->out);
	return bench_run_compare(s->inv, &other, &s->report, s->common->json);
}

int bench_session_end(struct bench_session *s)
{
	const struct bench_common *o = s->common;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r, status = EXIT_OK;

	if (o->save && s->report.n) {
		r = bench_run_save(&s->report, o->save, &diag);
		if (r < 0)
			s->status = command_fail(s->inv, r, &diag);
	}
	if (o->compare && s->report.n)
		status = compare_with_file(s);
	else if (o->json && s->report.n)
		bench_report_print_json(s->inv->out, &s->report);
	bench_report_done(&s->report);
	return s->status ? s->status : status;
}

int bench_run(struct invocation *inv, const struct bench_benchmark *b,
	      const struct bench_common *common, const void *params)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bench_session s;

	if (inv->argc) {
		diag_set(&diag, -EINVAL, "'%s' is too much: a benchmark has only options",
			 inv->argv[0]);
		return command_usage(inv, &diag);
	}
	if (bench_session_begin(&s, inv, common, &diag) < 0)
		return command_usage(inv, &diag);
	bench_session_measure(&s, b, params);
	return bench_session_end(&s);
}

int bench_compare_files(struct invocation *inv, const char *a, const char *b, bool json)
{
	_cleanup_(bench_report_done) struct bench_report first = { 0 }, second = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r = bench_run_load(a, &first, &diag);

	if (r >= 0)
		r = bench_run_load(b, &second, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : bench_run_compare(inv, &first, &second, json);
}
