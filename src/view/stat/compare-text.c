/* SPDX-License-Identifier: MIT */
#include "view/stat/compare-text.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/plain-number.h"
#include "base/text.h"
#include "cli/colour.h"
#include "profile/threshold.h"

#define INDENT 2
/* A longer name has a line of its own, so that the table fits into 100 columns. */
#define NAME_MAX_COLUMNS 21
/* The number of rows that a note names before it prints the number of further rows. */
#define NOTE_ROWS 4

struct compare_text_page {
	const struct compare *compare;
	const struct compare_text_style *style;
	const char *margin; /* for tables: as wide as INDENT */
	FILE *out;
};

/* Returns the power of ten of @x after rounding to four digits. */
static int exponent_of(double x)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.3e", x);
	return (int)strtol(strchr(digits, 'e') + 1, NULL, 10);
}

static int compare_text_within(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

/* Adds @x with four digits, in units of a thousand to the power of @group. */
static void add_digits(struct text *t, double x, int exponent, int group, bool sign)
{
	int decimals = compare_text_within(3 - (exponent - 3 * group), 0, 6);

	text_addf(t, sign ? "%+.*f" : "%.*f", decimals, x / pow(1000, group));
}

static void add_seconds(struct text *t, double s, bool sign, bool ascii)
{
	static const char *const units[] = { "s", "ms", "\u00b5s", "ns" };
	int exponent = exponent_of(s);
	int group = s == 0 ? 0 : compare_text_within((int)floor(exponent / 3.0), -3, 0);

	if (s == 0)
		text_add_char(t, '0');
	else
		add_digits(t, s, exponent, group, sign);
	text_addf(t, " %s", ascii && group == -2 ? "us" : units[-group]);
}

/* Adds a count: whole numbers below 10,000 unchanged, larger ones with SI prefixes. */
static void compare_text_add_count(struct text *t, double x, bool sign)
{
	static const char *const prefixes[] = { "", " k", " M", " G", " T", " P", " E" };
	int exponent = exponent_of(x);
	int group = exponent < 4 ? 0 : compare_text_within(exponent / 3, 0, 6);

	if (!group && x == floor(x))
		text_addf(t, sign ? "%+.0f" : "%.0f", x);
	else
		add_digits(t, x, exponent, group, sign);
	text_add(t, prefixes[group]);
}

static void compare_text_add_value(struct text *t, const struct compare_text_page *p,
				   const struct compare_row *row, double x, bool sign)
{
	double seconds = compare_unit_seconds(row->unit);

	if (seconds > 0)
		add_seconds(t, x * seconds, sign, p->style->ascii);
	else
		compare_text_add_count(t, x, sign);
}

/* Adds a percentage with three digits or more. The bounds are those of rounding. */
static void compare_text_add_percent(struct text *t, double x, bool sign)
{
	double size = fabs(x);
	int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;

	if (size == 0)
		text_add(t, "0%");
	else if (size >= 1e5)
		text_addf(t, sign ? "%+.2g%%" : "%.2g%%", x);
	else
		text_addf(t, sign ? "%+.*f%%" : "%.*f%%", decimals, x);
}

static const char *compare_text_plus_minus(const struct compare_text_page *p)
{
	return p->style->ascii ? "+-" : "\u00b1";
}

enum column {
	COLUMN_NAME,
	COLUMN_BASE,
	COLUMN_BASE_NOISE,
	COLUMN_OTHER,
	COLUMN_OTHER_NOISE,
	COLUMN_DIFFERENCE,
	COLUMN_DIFFERENCE_NOISE,
	COLUMN_MARK,
	COLUMN_WORD,
	N_COLUMNS,
};

static const struct {
	size_t gap; /* the number of blanks before it */
	bool left;  /* aligned to the left */
} columns[N_COLUMNS] = {
	[COLUMN_NAME] = { 0, true },
	[COLUMN_BASE] = { 2, false },
	[COLUMN_BASE_NOISE] = { 1, false },
	[COLUMN_OTHER] = { 2, false },
	[COLUMN_OTHER_NOISE] = { 1, false },
	[COLUMN_DIFFERENCE] = { 2, false },
	[COLUMN_DIFFERENCE_NOISE] = { 1, false },
	[COLUMN_MARK] = { 1, true },
	[COLUMN_WORD] = { 1, true },
};

struct compare_text_line {
	struct text cells[N_COLUMNS];
	enum colour colour; /* the word's colour */
};

struct compare_text_table {
	struct compare_text_line *items;
	size_t n, room;
};

static struct compare_text_line *compare_text_add_line(struct compare_text_table *t)
{
	struct compare_text_line *line = ARRAY_ADD(t);

	for (size_t i = 0; i < N_COLUMNS; i++)
		line->cells[i] = (struct text)TEXT_EMPTY;
	return line;
}

static void table_done(struct compare_text_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < N_COLUMNS; k++)
			text_done(&t->items[i].cells[k]);
	free(t->items);
}

static size_t compare_text_columns_of(const struct text *t)
{
	return escape_columns(t->chars, t->length);
}

static void compare_text_measure(const struct compare_text_table *t, size_t *widths)
{
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < N_COLUMNS; k++) {
			size_t n = compare_text_columns_of(&t->items[i].cells[k]);

			if (k == COLUMN_NAME && n > NAME_MAX_COLUMNS)
				continue;
			widths[k] = n > widths[k] ? n : widths[k];
		}
	}
}

static void print_blanks(FILE *out, size_t n)
{
	fprintf(out, "%*s", (int)n, "");
}

/* Prints a line. Blanks are delayed until text follows them, so that no line ends in blanks. */
static void compare_text_print_line(const struct compare_text_page *p,
				    const struct compare_text_line *line, const size_t *widths)
{
	size_t blanks = 0;

	fputs(p->margin, p->out);
	for (size_t k = 0; k < N_COLUMNS; k++) {
		const struct text *cell = &line->cells[k];
		size_t n = compare_text_columns_of(cell), pad;
		bool coloured = k == COLUMN_WORD && line->colour != COLOUR_OFF && p->style->colour;

		if (!widths[k])
			continue;
		if (n > widths[k]) { /* a long name */
			fprintf(p->out, "%s\n%s", cell->chars, p->margin);
			n = 0;
		}
		pad = widths[k] - n;
		blanks += columns[k].gap + (columns[k].left ? 0 : pad);
		if (n) {
			print_blanks(p->out, blanks);
			fprintf(p->out, "%s%s%s", colour_code(coloured, line->colour), cell->chars,
				colour_code(coloured, COLOUR_OFF));
			blanks = 0;
		}
		blanks += columns[k].left ? pad : 0;
	}
	fputc('\n', p->out);
}

static void fill_side(struct compare_text_line *line, enum column at,
		      const struct compare_text_page *p, const struct compare_row *row,
		      size_t command)
{
	const struct compare_side *side = &row->sides[command];

	if (!side->n) {
		text_add_char(&line->cells[at], '-');
		return;
	}
	compare_text_add_value(&line->cells[at], p, row, side->mean, false);
	if (!side->has_noise)
		return;
	text_add(&line->cells[at + 1], compare_text_plus_minus(p));
	compare_text_add_percent(&line->cells[at + 1], side->noise, false);
}

/* Fills in the difference, in percent or, if the base is 0, in the row's unit. */
static void fill_difference(struct compare_text_line *line, const struct compare_text_page *p,
			    const struct compare_row *row, const struct compare_difference *d)
{
	struct text *value = &line->cells[COLUMN_DIFFERENCE];
	struct text *noise = &line->cells[COLUMN_DIFFERENCE_NOISE];

	if (d->basis == COMPARE_NOT_COUNTED)
		return;
	if (d->has_percent)
		compare_text_add_percent(value, d->percent, true);
	else
		compare_text_add_value(value, p, row, d->absolute, d->absolute != 0);
	if (d->basis == COMPARE_EXACT && d->absolute != 0)
		text_add(noise, "exact");
	if (d->basis != COMPARE_TESTED)
		return;
	text_add(noise, compare_text_plus_minus(p));
	if (d->has_percent)
		compare_text_add_percent(noise, d->percent_half_width, false);
	else
		compare_text_add_value(noise, p, row, d->half_width, false);
}

const char *compare_mark(double p)
{
	return p < 0.001 ? "***" : p < 0.01 ? "**" : "*";
}

static const char *compare_text_mark_of(const struct compare_difference *d)
{
	if (d->basis != COMPARE_TESTED || !compare_is_shown(d))
		return "";
	return compare_mark(d->p);
}

static const char *compare_text_word_of(const struct compare_row *row,
					const struct compare_difference *d)
{
	switch (d->basis) {
	case COMPARE_NOT_COUNTED:
		return "not counted";
	case COMPARE_TOO_FEW:
		return "too few runs";
	default:
		return compare_word(row->kind, d->verdict);
	}
}

/* Returns the colour: more is worse, except for a ratio, for which either direction may be good. */
static enum colour compare_text_colour_of(const struct compare_row *row,
					  const struct compare_difference *d)
{
	if (!compare_is_shown(d))
		return COLOUR_OFF;
	return d->verdict == COMPARE_MORE && row->kind != COMPARE_RATIO ? COLOUR_RED : COLOUR_BOLD;
}

static void add_row_name(struct text *t, const struct compare_row *row)
{
	escape_terminal(t, row->name, strlen(row->name));
	if (*row->unit && compare_unit_seconds(row->unit) == 0) {
		text_add(t, " (");
		escape_terminal(t, row->unit, strlen(row->unit));
		text_add_char(t, ')');
	}
}

static void fill_row(struct compare_text_line *line, const struct compare_text_page *p,
		     const struct compare_row *row, size_t command)
{
	const struct compare_difference *d = &row->differences[command];

	add_row_name(&line->cells[COLUMN_NAME], row);
	fill_side(line, COLUMN_BASE, p, row, 0);
	fill_side(line, COLUMN_OTHER, p, row, command);
	fill_difference(line, p, row, d);
	text_add(&line->cells[COLUMN_MARK], compare_text_mark_of(d));
	text_add(&line->cells[COLUMN_WORD], compare_text_word_of(row, d));
	line->colour = compare_text_colour_of(row, d);
}

static void view_compare_text_print_table(const struct compare_text_page *p, size_t n_rows,
					  size_t command)
{
	_cleanup_(table_done) struct compare_text_table t = { 0 };
	size_t widths[N_COLUMNS] = { [COLUMN_NAME] = 1, [COLUMN_MARK] = strlen("***") };
	struct compare_text_line *head = compare_text_add_line(&t);

	text_add_char(&head->cells[COLUMN_BASE], compare_letter(0));
	text_add_char(&head->cells[COLUMN_OTHER], compare_letter(command));
	text_addf(&head->cells[COLUMN_DIFFERENCE], "%c - A", compare_letter(command));
	for (size_t i = 0; i < n_rows; i++)
		fill_row(compare_text_add_line(&t), p, p->compare->rows[i], command);
	compare_text_measure(&t, widths);
	for (size_t i = 0; i < t.n; i++)
		compare_text_print_line(p, &t.items[i], widths);
}

void compare_text_print_table(const struct compare *c, size_t n_rows, size_t command,
			      const struct compare_text_style *style, const char *margin, FILE *out)
{
	PLAIN_NUMBERS_IN_SCOPE;
	const struct compare_text_page p = {
		.compare = c, .style = style, .margin = margin, .out = out
	};

	view_compare_text_print_table(&p, n_rows, command);
}

static void compare_text_print_commands(const struct compare_text_page *p)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int width = 1;

	for (size_t i = 0; i < p->compare->n_commands; i++)
		width = compare_text_within(snprintf(NULL, 0, "%zu", p->compare->commands[i].runs),
					    width, 20);
	for (size_t i = 0; i < p->compare->n_commands; i++) {
		const struct compare_command *command = &p->compare->commands[i];

		text_addf(&t, "%*s%c  %*zu %s  ", INDENT, "", compare_letter(i), width,
			  command->runs, command->runs == 1 ? "run " : "runs");
		escape_terminal(&t, command->name, strlen(command->name));
		text_add_char(&t, '\n');
	}
	fputs(t.chars, p->out);
}

static bool has_exact(const struct compare *c)
{
	for (size_t i = 0; i < c->n_rows; i++)
		for (size_t k = 1; k < c->n_commands; k++)
			if (c->rows[i]->differences[k].basis == COMPARE_EXACT &&
			    compare_is_shown(&c->rows[i]->differences[k]))
				return true;
	return false;
}

static void print_legend(const struct compare_text_page *p)
{
	fprintf(p->out,
		"\n%*s%s: 95%% confidence interval of a mean, in percent of it; of a difference, "
		"of "
		"A's mean.\n",
		INDENT, "", compare_text_plus_minus(p));
	fprintf(p->out,
		"%*sWelch's t-test: * p < 0.05, ** p < 0.01, *** p < 0.001; chance alone gives 1 "
		"row "
		"in 20 a *.\n",
		INDENT, "");
	if (has_exact(p->compare))
		fprintf(p->out, "%*sexact: neither command varied between its runs.\n", INDENT, "");
}

/* Rows collected for a note: the first few by name, then their number. */
struct compare_text_names {
	struct text text;
	size_t n;
};

static struct text *names_next(struct compare_text_names *names)
{
	if (names->n++ >= NOTE_ROWS)
		return NULL;
	if (names->text.length)
		text_add(&names->text, ", ");
	return &names->text;
}

static void names_end(struct compare_text_names *names)
{
	if (names->n > NOTE_ROWS)
		text_addf(&names->text, " and %zu more", names->n - NOTE_ROWS);
}

static void note_few_runs(const struct compare_text_page *p, size_t command)
{
	size_t runs = p->compare->commands[command].runs;

	if (runs >= COMPARE_FEW_RUNS)
		return;
	fprintf(p->out, "%*sNote: %c ran ", INDENT, "", compare_letter(command));
	if (runs == 1)
		fputs("once, which says nothing about noise: repeat it (-r 10).\n", p->out);
	else
		fprintf(p->out, "%zu times: more runs (-r 10) narrow the intervals.\n", runs);
}

static void compare_text_note_missing(const struct compare_text_page *p, size_t command)
{
	for (size_t i = 0; i < p->compare->n_rows; i++) {
		const struct compare_row *row = p->compare->rows[i];
		const struct compare_side *side = &row->sides[command];
		_cleanup_(text_done) struct text name = TEXT_EMPTY;

		if (!side->n || !side->missing) /* without any value the table shows it */
			continue;
		add_row_name(&name, row);
		fprintf(p->out, "%*sNote: %s was counted in %zu of %zu runs of %c.\n", INDENT, "",
			name.chars, side->n, side->n + side->missing, compare_letter(command));
	}
}

static void note_noise(const struct compare_text_page *p, size_t command)
{
	struct compare_text_names names = { .text = TEXT_EMPTY };

	for (size_t i = 0; i < p->compare->n_rows; i++) {
		const struct compare_row *row = p->compare->rows[i];
		struct text *t = row->sides[command].noisy ? names_next(&names) : NULL;

		if (!t)
			continue;
		add_row_name(t, row);
		text_addf(t, " %s", compare_text_plus_minus(p));
		compare_text_add_percent(t, row->sides[command].noise, false);
	}
	names_end(&names);
	if (names.n)
		fprintf(p->out, "%*sNote: %c is noisy (%s): more runs or a quieter machine help.\n",
			INDENT, "", compare_letter(command), names.text.chars);
	text_done(&names.text);
}

static void note_warm_up(const struct compare_text_page *p, size_t command)
{
	struct compare_text_names names = { .text = TEXT_EMPTY };

	for (size_t i = 0; i < p->compare->n_rows; i++) {
		const struct compare_row *row = p->compare->rows[i];
		struct text *t = row->sides[command].first_run_differs ? names_next(&names) : NULL;

		if (t)
			add_row_name(t, row);
	}
	names_end(&names);
	if (names.n)
		fprintf(p->out,
			"%*sNote: the first run of %c differs (%s): consider a warm-up run.\n",
			INDENT, "", compare_letter(command), names.text.chars);
	text_done(&names.text);
}

static void compare_text_print_notes(const struct compare_text_page *p)
{
	static void (*const notes[])(const struct compare_text_page *p, size_t command) = {
		note_few_runs,
		compare_text_note_missing,
		note_noise,
		note_warm_up,
	};

	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		for (size_t command = 0; command < p->compare->n_commands; command++)
			notes[i](p, command);
}

void compare_text_print_limits(const struct threshold_results *limits,
			       const struct compare_text_style *style, FILE *out)
{
	for (size_t i = 0; i < limits->n; i++) {
		const struct threshold_result *r = &limits->items[i];
		bool red = style->colour && r->outcome == THRESHOLD_FAIL;
		_cleanup_(text_done) struct text limit = TEXT_EMPTY, shown = TEXT_EMPTY;

		threshold_print(r->threshold, &limit);
		escape_terminal(&shown, limit.chars, limit.length);
		fprintf(out, "%s%*sLimit %s: %s%s%s\n", i ? "" : "\n", INDENT, "", shown.chars,
			colour_code(red, COLOUR_RED), threshold_outcome_word(r->outcome),
			colour_code(red, COLOUR_OFF));
		text_clear(&shown);
		escape_terminal(&shown, r->reason, strlen(r->reason));
		fprintf(out, "%*s%s.\n", 2 * INDENT, "", shown.chars);
	}
}

void compare_text_print(const struct compare *c, const struct threshold_results *limits,
			const struct compare_text_style *style, FILE *out)
{
	PLAIN_NUMBERS_IN_SCOPE;
	const struct compare_text_page p = {
		.compare = c, .style = style, .margin = "  ", .out = out
	};

	compare_text_print_commands(&p);
	for (size_t command = 1; command < c->n_commands; command++) {
		fputc('\n', out);
		view_compare_text_print_table(&p, c->n_rows, command);
	}
	print_legend(&p);
	compare_text_print_notes(&p);
	compare_text_print_limits(limits, style, out);
}
