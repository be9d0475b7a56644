/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/json-reader.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/bench/programs/report.h"

/* The limits are far above what a program can have written; a comparison uses each pair of them. */
#define ENTRIES_MAX 4096
#define SERIES_MAX  4096

static void bench_report_parse_read_string(struct json_reader *r, char **ret)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	json_reader_string(r, &t);
	free(*ret);
	*ret = xstrdup(t.chars);
}

static void read_values(struct json_reader *r, struct bench_series *s)
{
	double x;

	if (!json_reader_enter(r, '['))
		return;
	while (json_reader_item(r)) {
		x = 0;
		if (json_reader_peek(r) == JSON_READER_NULL) {
			json_reader_skip(r);
			continue;
		}
		json_reader_number(r, &x);
		*ARRAY_ADD(s) = x;
	}
}

static void read_better(struct json_reader *r, struct bench_series *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	json_reader_string(r, &t);
	if (!strcmp(t.chars, "more"))
		s->better = BENCH_MORE;
	else if (!strcmp(t.chars, "less"))
		s->better = BENCH_LESS;
	else
		json_reader_refuse(r, "better is 'more' or 'less'");
}

static void read_series(struct json_reader *r, struct bench_series *s)
{
	_cleanup_(text_done) struct text key = TEXT_EMPTY;

	if (!json_reader_enter(r, '{'))
		return;
	while (json_reader_member(r, &key)) {
		if (!strcmp(key.chars, "name"))
			bench_report_parse_read_string(r, &s->name);
		else if (!strcmp(key.chars, "unit"))
			bench_report_parse_read_string(r, &s->unit);
		else if (!strcmp(key.chars, "better"))
			read_better(r, s);
		else if (!strcmp(key.chars, "derived"))
			json_reader_bool(r, &s->derived);
		else if (!strcmp(key.chars, "values"))
			read_values(r, s);
		else
			json_reader_skip(r);
	}
	if (!r->mistake && (!s->name || !s->unit))
		json_reader_refuse(r, "a figure needs a name and a unit");
}

static void read_figures(struct json_reader *r, struct bench_entry *e)
{
	if (!json_reader_enter(r, '['))
		return;
	while (json_reader_item(r)) {
		if (e->n == SERIES_MAX)
			json_reader_refuse(r, "there are too many figures");
		else
			read_series(r, ARRAY_ADD(e));
	}
}

static void bench_report_parse_read_entry(struct json_reader *r, struct bench_entry *e)
{
	_cleanup_(text_done) struct text key = TEXT_EMPTY;

	if (!json_reader_enter(r, '{'))
		return;
	while (json_reader_member(r, &key)) {
		if (!strcmp(key.chars, "name"))
			bench_report_parse_read_string(r, &e->name);
		else if (!strcmp(key.chars, "options"))
			bench_report_parse_read_string(r, &e->options);
		else if (!strcmp(key.chars, "figures"))
			read_figures(r, e);
		else
			json_reader_skip(r);
	}
	if (!r->mistake && (!e->name || !e->options))
		json_reader_refuse(r, "a benchmark needs a name and options");
}

static void bench_report_parse_read_entries(struct json_reader *r, struct bench_report *report)
{
	if (!json_reader_enter(r, '['))
		return;
	while (json_reader_item(r)) {
		if (report->n == ENTRIES_MAX)
			json_reader_refuse(r, "there are too many benchmarks");
		else
			bench_report_parse_read_entry(r, ARRAY_ADD(report));
	}
}

static void read_report(struct json_reader *r, struct bench_report *report)
{
	_cleanup_(text_done) struct text key = TEXT_EMPTY;
	double cpus = 0;

	if (!json_reader_enter(r, '{'))
		return;
	while (json_reader_member(r, &key)) {
		if (!strcmp(key.chars, "host"))
			bench_report_parse_read_string(r, &report->host);
		else if (!strcmp(key.chars, "kernel"))
			bench_report_parse_read_string(r, &report->kernel);
		else if (!strcmp(key.chars, "machine"))
			bench_report_parse_read_string(r, &report->machine);
		else if (!strcmp(key.chars, "date"))
			bench_report_parse_read_string(r, &report->date);
		else if (!strcmp(key.chars, "cpus"))
			json_reader_number(r, &cpus);
		else if (!strcmp(key.chars, "benchmarks"))
			bench_report_parse_read_entries(r, report);
		else
			json_reader_skip(r);
	}
	report->cpus = cpus > 0 && cpus < 1e6 ? (unsigned)cpus : 0;
}

static void bench_report_parse_fill_in(char **text)
{
	if (!*text)
		*text = xstrdup("?");
}

int bench_report_parse(const char *bytes, size_t n, const char *what, struct bench_report *ret,
		       struct diag *diag)
{
	struct bench_report report = { 0 };
	struct json_reader r;
	int status;

	json_reader_init(&r, bytes, n);
	read_report(&r, &report);
	status = json_reader_finish(&r, what, diag);
	if (status >= 0 && !report.n) {
		status = diag_set(diag, -EBADMSG, "%s has no benchmarks in it", what);
	}
	if (status < 0) {
		diag_hint(diag, "'perf bench --save FILE ...' writes such files.");
		bench_report_done(&report);
		return status;
	}
	bench_report_parse_fill_in(&report.host);
	bench_report_parse_fill_in(&report.kernel);
	bench_report_parse_fill_in(&report.machine);
	bench_report_parse_fill_in(&report.date);
	*ret = report;
	return 0;
}
