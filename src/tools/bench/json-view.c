/* SPDX-License-Identifier: MIT */
#include "tools/bench/json-view.h"

#include "base/compare.h"
#include "tools/bench/programs/report.h"
#include "view/json.h"

static void add_machine(struct json *j, const struct bench_report *r)
{
	json_member(j, "host", r->host);
	json_member(j, "kernel", r->kernel);
	json_member(j, "machine", r->machine);
	json_member_unsigned(j, "cpus", r->cpus);
	json_member(j, "date", r->date);
}

static void add_double(struct json *j, const char *key, double x)
{
	json_key(j, key);
	json_double(j, x);
}

static void add_series(struct json *j, const struct bench_series *s)
{
	double half, mean = bench_series_mean(s, &half);

	json_object(j);
	json_member(j, "name", s->name);
	json_member(j, "unit", s->unit);
	json_member(j, "better", s->better == BENCH_MORE ? "more" : "less");
	json_member_bool(j, "derived", s->derived);
	add_double(j, "mean", mean);
	if (s->n > 1)
		add_double(j, "half_width_95", half);
	json_key(j, "values");
	json_array(j);
	j->on_line = true;
	for (size_t i = 0; i < s->n; i++)
		json_double(j, s->items[i]);
	json_end(j, ']');
	j->on_line = false;
	json_end(j, '}');
}

static void bench_json_add_entry(struct json *j, const struct bench_entry *e)
{
	json_object(j);
	json_member(j, "name", e->name);
	json_member(j, "options", e->options);
	json_key(j, "figures");
	json_array(j);
	for (size_t i = 0; i < e->n; i++)
		add_series(j, &e->items[i]);
	json_end(j, ']');
	json_end(j, '}');
}

void bench_report_print_json(FILE *out, const struct bench_report *r)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	add_machine(&j, r);
	json_key(&j, "benchmarks");
	json_array(&j);
	for (size_t i = 0; i < r->n; i++)
		bench_json_add_entry(&j, &r->items[i]);
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}

static void bench_json_add_side(struct json *j, const char *key, const struct compare_side *s)
{
	json_key(j, key);
	json_object(j);
	json_member_unsigned(j, "values", s->n);
	add_double(j, "mean", s->mean);
	if (s->n > 1)
		add_double(j, "half_width_95", s->half_width);
	json_end(j, '}');
}

static void bench_json_add_row(struct json *j, const struct compare_row *row)
{
	const struct compare_difference *d = &row->differences[1];

	json_object(j);
	json_member(j, "figure", row->name);
	json_member(j, "unit", row->unit);
	bench_json_add_side(j, "A", &row->sides[0]);
	bench_json_add_side(j, "B", &row->sides[1]);
	if (d->has_percent) {
		add_double(j, "percent", d->percent);
		add_double(j, "percent_half_width_95", d->percent_half_width);
	}
	if (d->basis == COMPARE_TESTED) {
		add_double(j, "p", d->p);
		if (d->has_q)
			add_double(j, "q", d->q);
	}
	json_member(j, "verdict", compare_word(row->kind, d->verdict));
	json_end(j, '}');
}

void bench_compare_print_json(FILE *out, const struct bench_report *a, const struct bench_report *b,
			      const struct compare *c)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_key(&j, "A");
	json_object(&j);
	add_machine(&j, a);
	json_end(&j, '}');
	json_key(&j, "B");
	json_object(&j);
	add_machine(&j, b);
	json_end(&j, '}');
	json_key(&j, "figures");
	json_array(&j);
	for (size_t i = 0; i < c->n_rows; i++)
		bench_json_add_row(&j, c->rows[i]);
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}
