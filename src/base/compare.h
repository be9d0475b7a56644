/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Two or more commands compared by what was measured in several runs of each.
 *
 * Add rows (elapsed time, each counter, a metric), then a value for each run, then
 * compare_finish(): from there on the figures are valid and nothing changes. The first command is
 * the baseline that the others are held against, each by Welch's t-test, which lets the noise of
 * the two differ. Every figure is a finite number; where there is none to give, a state says why.
 * Knows no clocks and no layout. Rows of elapsed, user and system time are called "time", "user"
 * and "system".
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

#define COMPARE_COMMANDS_MAX 26 /* they are called A to Z */
#define COMPARE_CONFIDENCE   0.95
#define COMPARE_P_LIMIT      0.05 /* a difference is shown by a p-value below it */
#define COMPARE_FEW_RUNS     5    /* fewer give intervals too wide to be of use */

/*
 * Code that runs for x sampling periods has floor(x) or ceil(x) samples. If x is distributed
 * evenly, the variance is 1/6: a few equal counts are not as exact as they look.
 */
#define COMPARE_COUNT_DEVIATION 0.408248290463863

/* What a row measures, which decides the word for less of it. */
enum compare_kind {
	COMPARE_ELAPSED, /* faster, slower */
	COMPARE_AMOUNT,  /* less, more: CPU time, energy, bytes */
	COMPARE_COUNT,   /* fewer, more */
	COMPARE_RATIO,   /* lower, higher */
};

/* What a difference rests on. */
enum compare_basis {
	COMPARE_NOT_COUNTED, /* one of the two has no value at all */
	COMPARE_TOO_FEW,     /* one of the two has a single value: its noise is not known */
	COMPARE_EXACT,       /* neither ever varied, so that there is no noise to test against */
	COMPARE_TESTED,      /* Welch's test */
};

enum compare_verdict {
	COMPARE_UNKNOWN, /* NOT_COUNTED and TOO_FEW */
	COMPARE_SAME,    /* no difference shown, which does not mean that there is none */
	COMPARE_LESS,
	COMPARE_MORE,
};

/* What one command gave in a row. */
struct compare_side {
	double *items; /* the values, in the order of the runs */
	size_t n, room;
	size_t missing;         /* runs without a value */
	double mean, min, max;  /* 0 without values */
	double least_deviation; /* what each value is uncertain by in itself, if that is known: to
				   be set before compare_finish(); else 0 */
	double deviation;       /* of the sample, but the least; 0 for fewer than two values */
	double half_width;      /* of the mean's confidence interval; likewise */
	bool has_noise;         /* the mean is not 0, and there are two values */
	double noise;           /* the half width in percent of the mean */
	bool noisy;             /* ... is more than 5 */
	bool first_run_differs; /* far above all that follow: something had to warm up */
};

/* A command against the baseline. */
struct compare_difference {
	enum compare_basis basis;
	enum compare_verdict verdict;
	double absolute;           /* unless NOT_COUNTED: its mean less that of the baseline */
	double half_width;         /* of the confidence interval, if TESTED; 0 otherwise */
	bool has_percent;          /* the baseline's mean is not 0 */
	double percent;            /* of the baseline's mean */
	double percent_half_width; /* likewise */
	double t, df, p;           /* if TESTED: two-sided */
	bool has_q;                /* compare_correct() has looked at it */
	double q;                  /* then: p, corrected for the number of rows */
};

struct compare_row {
	enum compare_kind kind;
	char *name;
	char *unit;                             /* "s", "msec", "Joules"; "" if none */
	struct compare_side *sides;             /* one for each command */
	struct compare_difference *differences; /* likewise; that of the baseline is not used */
};

struct compare_command {
	char *name; /* what was run */
	size_t runs;
};

struct compare {
	struct compare_command *commands;
	size_t n_commands;
	struct compare_row **rows; /* in the order they were added */
	size_t n_rows, room;
};

/* @n is 2 to COMPARE_COMMANDS_MAX; the names are copied. */
struct compare *compare_new(size_t n, const char *const *names);
void compare_free(struct compare *c);
DEFINE_FREEP(compare)

/*
 * Adds a row, which belongs to @c and stays where it is. Names may come twice, as events may; such
 * rows are told apart by this pointer.
 */
struct compare_row *compare_add_row(struct compare *c, enum compare_kind kind, const char *name,
				    const char *unit);

/*
 * The row called @name or, if there is none, the one that differs by the modifiers of an event only
 * ("cycles" finds "cycles:u"). NULL if absent.
 */
struct compare_row *compare_find_row(const struct compare *c, const char *name);

/*
 * The value of one more run of @command. A value that is not finite, or that is beyond anything
 * measurable (1e100), is missing.
 */
void compare_add(struct compare *c, struct compare_row *row, size_t command, double value);

/* One more run of @command in which @row was not counted. */
void compare_add_missing(struct compare *c, struct compare_row *row, size_t command);

/* Works out all figures. To be called once, after the last value. */
void compare_finish(struct compare *c);

/*
 * @other has the same rows from number @first on, by another measure (seconds and not shares, for
 * example): a difference counts only where both show it, in the same direction. The larger p is
 * that of the row then, which keeps the chance of a wrong verdict below that of either test. To be
 * called after compare_finish() of both.
 */
void compare_agree(struct compare *c, const struct compare *other, size_t first);

/*
 * Corrects the verdicts of the rows from number @first on for being many: of those that are shown
 * as different then, at most 1 in 20 is expected to be chance, where a test each would give that
 * many of all rows. (Benjamini and Hochberg.) To be called once, after compare_finish().
 */
void compare_correct(struct compare *c, size_t first);

/* Whether a difference was shown. */
bool compare_is_shown(const struct compare_difference *d);

/* "faster", "more", "no difference shown", "cannot tell". */
const char *compare_word(enum compare_kind kind, enum compare_verdict verdict);

/* How many seconds @unit is ("msec": 0.001), or 0 if it is not one of time. */
double compare_unit_seconds(const char *unit);

/* What a command is called in the output. */
static inline char compare_letter(size_t command)
{
	return (char)('A' + command);
}
