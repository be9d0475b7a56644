/* SPDX-License-Identifier: MIT */
#include "view/stat/compare-json.h"

#include "base/compare.h"
#include "base/text.h"
#include "profile/threshold.h"
#include "view/json.h"

static void add_letter(struct json *j, size_t command)
{
	const char letter[] = { compare_letter(command), '\0' };

	json_member(j, "label", letter);
}

/* Adds @x, or null unless it is @known. */
static void compare_json_add_number(struct json *j, const char *key, bool known, double x)
{
	json_key(j, key);
	if (known)
		json_double(j, x);
	else
		json_null(j);
}

void compare_json_add_commands(struct json *j, const struct compare *c)
{
	json_member(j, "method", "Welch's t-test, two-sided");
	compare_json_add_number(j, "confidence", true, COMPARE_CONFIDENCE);
	json_key(j, "commands");
	json_array(j);
	for (size_t i = 0; i < c->n_commands; i++) {
		json_object(j);
		add_letter(j, i);
		json_member(j, "command", c->commands[i].name);
		json_member_unsigned(j, "runs", c->commands[i].runs);
		json_member_bool(j, "baseline", !i);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void compare_json_add_side(struct json *j, const struct compare_side *s, size_t command)
{
	json_object(j);
	add_letter(j, command);
	json_member_unsigned(j, "n", s->n);
	json_member_unsigned(j, "missing", s->missing);
	compare_json_add_number(j, "mean", s->n, s->mean);
	compare_json_add_number(j, "deviation", s->n > 1, s->deviation);
	compare_json_add_number(j, "half-width", s->n > 1, s->half_width);
	compare_json_add_number(j, "noise-percent", s->has_noise, s->noise);
	compare_json_add_number(j, "min", s->n, s->min);
	compare_json_add_number(j, "max", s->n, s->max);
	json_member_bool(j, "noisy", s->noisy);
	json_member_bool(j, "first-run-differs", s->first_run_differs);
	json_key(j, "values");
	json_array(j);
	for (size_t i = 0; i < s->n; i++)
		json_double(j, s->items[i]);
	json_end(j, ']');
	json_end(j, '}');
}

static void compare_json_add_difference(struct json *j, const struct compare_row *row,
					size_t command)
{
	static const char *const bases[] = {
		[COMPARE_NOT_COUNTED] = "not-counted",
		[COMPARE_TOO_FEW] = "too-few-runs",
		[COMPARE_EXACT] = "exact",
		[COMPARE_TESTED] = "tested",
	};
	const struct compare_difference *d = &row->differences[command];
	const bool tested = d->basis == COMPARE_TESTED;
	const bool bounded = tested || d->basis == COMPARE_EXACT;

	json_object(j);
	add_letter(j, command);
	json_member(j, "basis", bases[d->basis]);
	json_member(j, "verdict", compare_word(row->kind, d->verdict));
	json_member_bool(j, "significant", compare_is_shown(d));
	compare_json_add_number(j, "difference", d->basis != COMPARE_NOT_COUNTED, d->absolute);
	compare_json_add_number(j, "half-width", bounded, d->half_width);
	compare_json_add_number(j, "percent", d->has_percent, d->percent);
	compare_json_add_number(j, "percent-half-width", bounded && d->has_percent,
				d->percent_half_width);
	compare_json_add_number(j, "t", tested, d->t);
	compare_json_add_number(j, "df", tested, d->df);
	compare_json_add_number(j, "p", tested, d->p);
	if (d->has_q)
		compare_json_add_number(j, "q", true, d->q);
	json_end(j, '}');
}

void compare_json_add_figures(struct json *j, const struct compare *c,
			      const struct compare_row *row)
{
	static const char *const kinds[] = {
		[COMPARE_ELAPSED] = "elapsed",
		[COMPARE_AMOUNT] = "amount",
		[COMPARE_COUNT] = "count",
		[COMPARE_RATIO] = "ratio",
	};

	json_member(j, "name", row->name);
	json_member(j, "unit", row->unit);
	json_member(j, "kind", kinds[row->kind]);
	json_key(j, "commands");
	json_array(j);
	for (size_t i = 0; i < c->n_commands; i++)
		compare_json_add_side(j, &row->sides[i], i);
	json_end(j, ']');
	json_key(j, "differences");
	json_array(j);
	for (size_t i = 1; i < c->n_commands; i++)
		compare_json_add_difference(j, row, i);
	json_end(j, ']');
}

static void compare_json_add_rows(struct json *j, const struct compare *c)
{
	json_key(j, "rows");
	json_array(j);
	for (size_t i = 0; i < c->n_rows; i++) {
		json_object(j);
		compare_json_add_figures(j, c, c->rows[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void add_limit(struct json *j, const struct threshold_result *r)
{
	_cleanup_(text_done) struct text limit = TEXT_EMPTY;

	threshold_print(r->threshold, &limit);
	json_object(j);
	json_member(j, "fail-if", limit.chars);
	add_letter(j, r->command);
	json_member(j, "outcome", threshold_outcome_word(r->outcome));
	json_member(j, "reason", r->reason);
	json_end(j, '}');
}

void compare_json_add_limits(struct json *j, const struct threshold_results *limits)
{
	json_key(j, "limits");
	json_array(j);
	for (size_t i = 0; i < limits->n; i++)
		add_limit(j, &limits->items[i]);
	json_end(j, ']');
	json_member_unsigned(j, "failed", limits->n_failed);
	json_member_unsigned(j, "unknown", limits->n_unknown);
}

void compare_json_print(const struct compare *c, const struct threshold_results *limits, FILE *out)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	compare_json_add_commands(&j, c);
	compare_json_add_rows(&j, c);
	compare_json_add_limits(&j, limits);
	json_end(&j, '}');
	json_done(&j);
}
