/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/student.h"

static void entry_done(struct bench_entry *e)
{
	for (size_t i = 0; i < e->n; i++) {
		free(e->items[i].name);
		free(e->items[i].unit);
		free(e->items[i].items);
	}
	free(e->items);
	free(e->name);
	free(e->options);
}

void bench_report_done(struct bench_report *r)
{
	for (size_t i = 0; i < r->n; i++)
		entry_done(&r->items[i]);
	free(r->items);
	free(r->host);
	free(r->kernel);
	free(r->machine);
	free(r->date);
	*r = (struct bench_report){ 0 };
}

void bench_report_describe(struct bench_report *r)
{
	struct utsname name = { 0 };
	time_t now = time(NULL);
	char date[32] = "";
	struct tm tm;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	uname(&name);
	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	r->host = xstrdup(name.nodename);
	r->kernel = xstrdup(name.release);
	r->machine = xstrdup(name.machine);
	r->date = xstrdup(date);
	r->cpus = cpus > 0 ? (unsigned)cpus : 0;
}

struct bench_entry *bench_report_entry(struct bench_report *r, const char *name,
				       const char *options)
{
	struct bench_entry *e;

	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->items[i].name, name) && !strcmp(r->items[i].options, options))
			return &r->items[i];
	e = ARRAY_ADD(r);
	e->name = xstrdup(name);
	e->options = xstrdup(options);
	return e;
}

static struct bench_series *bench_report_find(const struct bench_entry *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (!strcmp(e->items[i].name, name))
			return &e->items[i];
	return NULL;
}

const struct bench_series *bench_entry_find(const struct bench_entry *e, const char *name)
{
	return bench_report_find(e, name);
}

void bench_entry_add(struct bench_entry *e, const struct bench_result *result)
{
	for (size_t i = 0; i < result->n; i++) {
		const struct bench_figure *f = &result->items[i];
		struct bench_series *s = bench_report_find(e, f->name);

		if (!s) {
			s = ARRAY_ADD(e);
			s->name = xstrdup(f->name);
			s->unit = xstrdup(f->unit);
			s->better = f->better;
			s->derived = f->derived;
		}
		*ARRAY_ADD(s) = f->value;
	}
}

double bench_series_mean(const struct bench_series *s, double *ret_half_width)
{
	struct moments m = { 0 };

	for (size_t i = 0; i < s->n; i++)
		moments_add(&m, s->items[i]);
	*ret_half_width = s->n > 1 ? student_quantile(0.975, (double)s->n - 1) * moments_error(&m)
				   : 0;
	return m.mean;
}
