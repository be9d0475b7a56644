/* SPDX-License-Identifier: MIT */
#include "profile/threshold.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain-number.h"
#include "base/similar.h"
#include "base/text.h"

#define BLANKS " \t\n"

static const char *const operators[] = {
	[THRESHOLD_ABOVE] = ">",
	[THRESHOLD_AT_LEAST] = ">=",
	[THRESHOLD_BELOW] = "<",
	[THRESHOLD_AT_MOST] = "<=",
};

static void threshold_done(struct threshold *t)
{
	free(t->name);
}

void thresholds_done(struct thresholds *t)
{
	for (size_t i = 0; i < t->n; i++)
		threshold_done(&t->items[i]);
	free(t->items);
	*t = (struct thresholds){ 0 };
}

struct threshold_parser {
	const char *text, *at;
	struct diag *diag;
};

static int threshold_wrong(struct threshold_parser *p, const char *from, size_t length,
			   const char *what)
{
	return diag_mark(p->diag, -EINVAL, p->text, (size_t)(from - p->text), length, "%s", what);
}

/* Parses '...' or "...", which may hold any characters. */
static int parse_quoted(struct threshold_parser *p, struct text *name)
{
	const char *start = p->at;
	char quote = *p->at++;

	while (*p->at != quote) {
		if (*p->at == '\\' && p->at[1])
			p->at++;
		if (!*p->at)
			return threshold_wrong(p, start, 1, "this quote is not closed");
		text_add_char(name, *p->at++);
	}
	p->at++;
	return 0;
}

/*
 * Parses a name without quotes. Terms of a PMU have commas and '=' between their slashes, which do
 * not end the name.
 */
static void parse_bare(struct threshold_parser *p, struct text *name)
{
	const char *start = p->at;
	bool in_terms = false;
	size_t n;

	for (; *p->at && *p->at != '<' && *p->at != '>'; p->at++) {
		if ((*p->at == ',' || *p->at == '=') && !in_terms)
			break;
		in_terms ^= *p->at == '/';
	}
	n = (size_t)(p->at - start);
	while (n && strchr(BLANKS, start[n - 1]))
		n--;
	p->at = start + n;
	text_add_bytes(name, start, n);
}

static int threshold_parse_name(struct threshold_parser *p, char **ret)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	const char *start = p->at;
	int r = 0;

	if (*p->at == '\'' || *p->at == '"')
		r = parse_quoted(p, &name);
	else
		parse_bare(p, &name);
	if (r < 0)
		return r;
	if (!name.length)
		return threshold_wrong(p, start, (size_t)(p->at - start),
				       "the name of what is limited is missing here");
	*ret = text_take(&name);
	return 0;
}

static int parse_operator(struct threshold_parser *p, enum threshold_operator *ret)
{
	bool above, equal;

	p->at = text_skip_blanks(p->at);
	if (*p->at != '<' && *p->at != '>') {
		threshold_wrong(p, p->at, 0, "'>', '>=', '<' or '<=' is missing here");
		diag_hint(p->diag,
			  "A limit is written like 'time > +2%%' or 'page-faults > +100'.");
		return -EINVAL;
	}
	above = *p->at++ == '>';
	equal = *p->at == '=';
	p->at += equal;
	*ret = above ? (equal ? THRESHOLD_AT_LEAST : THRESHOLD_ABOVE)
		     : (equal ? THRESHOLD_AT_MOST : THRESHOLD_BELOW);
	return 0;
}

static size_t threshold_count_digits(const char *s)
{
	return strspn(s, "0123456789");
}

/*
 * Returns the length of a decimal such as 12, .5 or 1.5e-3, or 0. strtod() alone would accept more.
 */
static size_t threshold_decimal_length(const char *s)
{
	size_t whole = threshold_count_digits(s), n = whole, exponent;

	if (s[n] == '.') {
		size_t fraction = threshold_count_digits(s + n + 1);

		if (!whole && !fraction)
			return 0;
		n += 1 + fraction;
	}
	if (!n || (s[n] != 'e' && s[n] != 'E'))
		return n;
	exponent = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
	return threshold_count_digits(s + exponent)
		       ? exponent + threshold_count_digits(s + exponent)
		       : n;
}

static int threshold_parse_number(struct threshold_parser *p, double *ret)
{
	PLAIN_NUMBERS_IN_SCOPE;
	const char *start = p->at;
	bool negative = *start == '-';
	double number;
	size_t n;

	p->at += *p->at == '+' || *p->at == '-';
	n = threshold_decimal_length(p->at);
	if (!n)
		return threshold_wrong(p, p->at, 0, "a number is missing here");
	number = strtod(p->at, NULL);
	if (!isfinite(number))
		return threshold_wrong(p, p->at, n, "this number is too large");
	p->at += n;
	*ret = negative && number != 0 ? -number : number; /* -0 becomes 0 */
	return 0;
}

static int parse_unit(struct threshold_parser *p, const char **ret)
{
	static const char *const units[] = { "", "%", "s", "ms", "us", "\u00b5s", "ns" };
	size_t n;

	p->at = text_skip_blanks(p->at);
	n = strcspn(p->at, "," BLANKS);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strlen(units[i]) == n && !strncmp(p->at, units[i], n)) {
			*ret = units[i];
			p->at += n;
			return 0;
		}
	}
	threshold_wrong(p, p->at, n, "a limit ends with '%', a unit of time, or nothing");
	diag_hint(p->diag, "Units of time are s, ms, us and ns; others are not written.");
	return -EINVAL;
}

static int threshold_parse_item(struct threshold_parser *p, struct threshold *t)
{
	int r;

	p->at = text_skip_blanks(p->at);
	r = threshold_parse_name(p, &t->name);
	if (r >= 0)
		r = parse_operator(p, &t->op);
	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	r = threshold_parse_number(p, &t->limit);
	if (r >= 0)
		r = parse_unit(p, &t->unit);
	if (r < 0)
		return r;
	p->at = text_skip_blanks(p->at);
	if (*p->at && *p->at != ',')
		return threshold_wrong(p, p->at, 0, "',' is missing here");
	return 0;
}

int thresholds_parse(struct thresholds *t, const char *text, struct diag *diag)
{
	struct threshold_parser p = { .text = text, .at = text, .diag = diag };
	const size_t before = t->n;

	for (;;) {
		int r = threshold_parse_item(&p, ARRAY_ADD(t));

		if (r < 0) {
			while (t->n > before)
				threshold_done(&t->items[--t->n]);
			return r;
		}
		if (!*p.at)
			return 0;
		p.at++;
	}
}

/* True if @name, written without quotes, is parsed as the same name. */
static bool reads_back(const char *name)
{
	struct diag unused = { 0 };
	struct threshold_parser p = { .text = name, .at = name, .diag = &unused };
	_cleanup_(text_done) struct text read = TEXT_EMPTY;

	if (*name == '\'' || *name == '"' || strchr(BLANKS, *name))
		return false;
	parse_bare(&p, &read);
	return !strcmp(read.chars, name);
}

static void threshold_print_name(const char *name, struct text *out)
{
	if (reads_back(name)) {
		text_add(out, name);
		return;
	}
	text_add_char(out, '\'');
	for (; *name; name++) {
		if (*name == '\'' || *name == '\\')
			text_add_char(out, '\\');
		text_add_char(out, *name);
	}
	text_add_char(out, '\'');
}

void threshold_print(const struct threshold *t, struct text *out)
{
	threshold_print_name(t->name, out);
	text_addf(out, " %s ", operators[t->op]);
	if (t->limit >= 0)
		text_add_char(out, '+');
	plain_number_add(out, t->limit);
	text_add(out, t->unit);
}

int thresholds_check(const struct thresholds *t, const struct compare *c, struct diag *diag)
{
	for (size_t i = 0; i < t->n; i++) {
		struct similar near = { .typed = t->items[i].name };
		_cleanup_(freep) char *phrase = NULL;

		if (compare_find_row(c, t->items[i].name))
			continue;
		for (size_t k = 0; k < c->n_rows; k++)
			similar_add(&near, c->rows[k]->name);
		phrase = similar_phrase(&near);
		diag_set(diag, -ENOENT, "'%s' is limited, but not measured", t->items[i].name);
		if (phrase)
			diag_hint(diag, "Did you mean %s?", phrase);
		else
			diag_hint(diag, "Limit time, user, system, or an event that is counted.");
		return -ENOENT;
	}
	return 0;
}

/* A difference in the unit of its limit. */
struct threshold_measured {
	double value, half_width;
	const char *unit;
};

/* True if there is a value to compare with a limit; otherwise @why gets the reason. */
static bool has_basis(const struct compare_row *row, size_t command, struct text *why)
{
	const struct compare_side *a = &row->sides[0], *b = &row->sides[command];

	if (!a->n || !b->n)
		text_addf(why, "It was not counted in any run of %c",
			  compare_letter(a->n ? command : 0));
	else if (a->n < 2 || b->n < 2)
		text_addf(why, "%c has a single value, which says nothing about noise",
			  compare_letter(a->n < 2 ? 0 : command));
	return a->n > 1 && b->n > 1;
}

/*
 * Converts the difference of @row to the unit of @t, or gives the reason why that is not possible.
 */
static bool threshold_measure(const struct threshold *t, const struct compare_row *row,
			      size_t command, struct text *why, struct threshold_measured *ret)
{
	const struct compare_difference *d = &row->differences[command];
	const double unit = compare_unit_seconds(t->unit), own = compare_unit_seconds(row->unit);
	const double factor = unit > 0 ? own / unit : 1;

	if (factor == 0) {
		text_add(why, "It is not a time, but the limit is one");
		return false;
	}
	if (strcmp(t->unit, "%") || !strcmp(row->unit, "%")) {
		*ret = (struct threshold_measured){ d->absolute * factor, d->half_width * factor,
						    *t->unit ? t->unit : row->unit };
		return true;
	}
	/* A change from 0 to 0 is 0 %; any other change from 0 has no percentage. */
	if (!d->has_percent && (d->basis != COMPARE_EXACT || d->absolute != 0)) {
		text_add(why, "The mean of A is 0, so that there is no percentage");
		return false;
	}
	*ret = (struct threshold_measured){ d->percent, d->percent_half_width, t->unit };
	return true;
}

static bool is_beyond(const struct threshold *t, double value)
{
	switch (t->op) {
	case THRESHOLD_ABOVE:
		return value > t->limit;
	case THRESHOLD_AT_LEAST:
		return value >= t->limit;
	case THRESHOLD_BELOW:
		return value < t->limit;
	default:
		return value <= t->limit;
	}
}

/*
 * True if noise is ruled out as the reason for being beyond the limit. 'time > +2%' guards against
 * a change, so there must be one: the test is against 0. 'time > -5%' demands an improvement, and
 * without one there is no change at all: the test is against the limit.
 */
static bool threshold_is_shown(const struct threshold *t, const struct compare_difference *d,
			       const struct threshold_measured *m)
{
	bool upward = t->op == THRESHOLD_ABOVE || t->op == THRESHOLD_AT_LEAST;

	if (upward ? t->limit >= 0 : t->limit <= 0)
		return compare_is_shown(d);
	return fabs(m->value - t->limit) > m->half_width;
}

/* Appends whole numbers unchanged, and others with four digits. */
static void threshold_add_value(struct text *out, double value, const char *unit)
{
	if (!strcmp(unit, "%"))
		text_addf(out, "%+.2f%%", value);
	else
		text_addf(out, fabs(value) >= 1000 ? "%+.0f%s%s" : "%+.4g%s%s", value,
			  *unit ? " " : "", unit);
}

static void explain_difference(const struct compare_difference *d,
			       const struct threshold_measured *m, size_t command, struct text *out)
{
	text_addf(out, "%c differs from A by ", compare_letter(command));
	threshold_add_value(out, m->value, m->unit);
	if (d->basis == COMPARE_EXACT) {
		text_add(out, " (the same in every run)");
		return;
	}
	text_add(out, " (95% interval ");
	threshold_add_value(out, m->value - m->half_width, m->unit);
	text_add(out, " to ");
	threshold_add_value(out, m->value + m->half_width, m->unit);
	if (d->p < 0.0001)
		text_add(out, "; p < 0.0001)");
	else
		text_addf(out, "; p = %.4f)", d->p);
}

static enum threshold_outcome threshold_evaluate(const struct threshold *t, const struct compare *c,
						 size_t command, struct text *why)
{
	const struct compare_row *row = compare_find_row(c, t->name);
	const struct compare_difference *d;
	struct threshold_measured m;
	bool shown;

	if (!row) {
		text_add(why, "It was not measured");
		return THRESHOLD_UNKNOWN;
	}
	d = &row->differences[command];
	if (!has_basis(row, command, why) || !threshold_measure(t, row, command, why, &m))
		return THRESHOLD_UNKNOWN;
	explain_difference(d, &m, command, why);
	if (!is_beyond(t, m.value)) {
		text_add(why, ", within the limit");
		return THRESHOLD_PASS;
	}
	shown = threshold_is_shown(t, d, &m);
	text_add(why, shown ? ", beyond the limit" : ", beyond the limit, but noise may be why");
	return shown ? THRESHOLD_FAIL : THRESHOLD_PASS;
}

void thresholds_evaluate(const struct thresholds *t, const struct compare *c,
			 struct threshold_results *ret)
{
	PLAIN_NUMBERS_IN_SCOPE;

	*ret = (struct threshold_results){ 0 };
	for (size_t i = 0; i < t->n; i++) {
		for (size_t command = 1; command < c->n_commands; command++) {
			struct threshold_result *r = ARRAY_ADD(ret);
			struct text why = TEXT_EMPTY;

			r->threshold = &t->items[i];
			r->command = command;
			r->outcome = threshold_evaluate(r->threshold, c, command, &why);
			r->reason = text_take(&why);
			ret->n_failed += r->outcome == THRESHOLD_FAIL;
			ret->n_unknown += r->outcome == THRESHOLD_UNKNOWN;
		}
	}
}

void threshold_results_done(struct threshold_results *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i].reason);
	free(r->items);
	*r = (struct threshold_results){ 0 };
}

const char *threshold_outcome_word(enum threshold_outcome outcome)
{
	static const char *const words[] = {
		[THRESHOLD_PASS] = "pass",
		[THRESHOLD_FAIL] = "fail",
		[THRESHOLD_UNKNOWN] = "cannot tell",
	};

	return words[outcome];
}
