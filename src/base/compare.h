/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A comparison of two or more commands by values measured in several runs of each.
 *
 * Add rows (elapsed time, each counter, a metric), then a value for each run, then call
 * compare_finish(). After that the figures are valid and nothing changes. The first command is the
 * baseline. Each of the others is compared with it by Welch's t-test, which allows the noise of the
 * two to differ. Every figure is a finite number; if there is no figure, a state gives the reason.
 * The module knows no clocks and no layout. Rows of elapsed, user and system time are called
 * "time", "user" and "system".
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

#define COMPARE_COMMANDS_MAX 26 /* commands are called A to Z */
#define COMPARE_CONFIDENCE   0.95
#define COMPARE_P_LIMIT      0.05 /* a p-value below it shows a difference */
#define COMPARE_FEW_RUNS     5    /* fewer runs give intervals too wide to be of use */

/*
 * Code that runs for x sampling periods has floor(x) or ceil(x) samples. If x is distributed
 * evenly, the variance is 1/6: a few equal counts are less exact than they look.
 */
#define COMPARE_COUNT_DEVIATION 0.408248290463863

/* The quantity of a row, which decides the word for less of it. */
enum compare_kind {
	COMPARE_ELAPSED, /* faster, slower */
	COMPARE_AMOUNT,  /* less, more: CPU time, energy, bytes */
	COMPARE_COUNT,   /* fewer, more */
	COMPARE_RATIO,   /* lower, higher */
};

/* The basis of a verdict on a difference. */
enum compare_basis {
	COMPARE_NOT_COUNTED, /* one of the two has no value at all */
	COMPARE_TOO_FEW,     /* one of the two has a single value: its noise is not known */
	COMPARE_EXACT,       /* neither ever varied, so there is no noise to test against */
	COMPARE_TESTED,      /* tested with Welch's test */
};

enum compare_verdict {
	COMPARE_UNKNOWN, /* the basis is NOT_COUNTED or TOO_FEW */
	COMPARE_SAME,    /* no difference shown, which does not prove that there is none */
	COMPARE_LESS,
	COMPARE_MORE,
};

/* The values of one command in a row. */
struct compare_side {
	double *items; /* the values, in the order of the runs */
	size_t n, room;
	size_t missing;        /* runs without a value */
	double mean, min, max; /* 0 if there are no values */
	/*
	 * the uncertainty of each value in itself, if known; to be set before compare_finish();
	 * else 0
	 */
	double least_deviation;
	/*
	 * standard deviation of the sample, at least @least_deviation; 0 for fewer than two values
	 */
	double deviation;
	/* half the width of the mean's confidence interval; 0 for fewer than two values */
	double half_width;
	bool has_noise;         /* the mean is not 0, and there are at least two values */
	double noise;           /* the half width in percent of the mean */
	bool noisy;             /* @noise is more than 5 */
	bool first_run_differs; /* far above all that follow, as if something had to warm up */
};

/* The difference between a command and the baseline. */
struct compare_difference {
	enum compare_basis basis;
	enum compare_verdict verdict;
	double absolute; /* unless NOT_COUNTED: its mean minus that of the baseline */
	/* half the width of the confidence interval, if TESTED; else 0 */
	double half_width;
	bool has_percent;          /* the baseline's mean is not 0 */
	double percent;            /* the difference in percent of the baseline's mean */
	double percent_half_width; /* likewise */
	double t, df, p;           /* if TESTED: results of the two-sided test */
	bool has_q;                /* compare_correct() has processed it */
	double q;                  /* if so: p, corrected for the number of rows */
};

struct compare_row {
	enum compare_kind kind;
	char *name;
	char *unit;                 /* "s", "msec", "Joules"; "" if none */
	struct compare_side *sides; /* one for each command */
	/* one for each command; that of the baseline is not used */
	struct compare_difference *differences;
};

struct compare_command {
	char *name; /* the command that was run */
	size_t runs;
};

struct compare {
	struct compare_command *commands;
	size_t n_commands;
	struct compare_row **rows; /* in the order in which they were added */
	size_t n_rows, room;
};

/* Makes a comparison of @n commands, 2 to COMPARE_COMMANDS_MAX. The names are copied. */
struct compare *compare_new(size_t n, const char *const *names);
void compare_free(struct compare *c);
DEFINE_FREEP(compare)

/*
 * Adds a row, which belongs to @c and never moves. Several rows may have the same name, as events
 * may; this pointer distinguishes them.
 */
struct compare_row *compare_add_row(struct compare *c, enum compare_kind kind, const char *name,
				    const char *unit);

/*
 * Returns the row called @name or, if there is none, one whose name differs only by the modifiers
 * of an event ("cycles" finds "cycles:u"). NULL if there is none.
 */
struct compare_row *compare_find_row(const struct compare *c, const char *name);

/*
 * Adds the value of one more run of @command. A value that is not finite, or that is beyond
 * anything measurable (1e100), counts as missing.
 */
void compare_add(struct compare *c, struct compare_row *row, size_t command, double value);

/* Adds one more run of @command in which @row was not counted. */
void compare_add_missing(struct compare *c, struct compare_row *row, size_t command);

/* Computes all figures. To be called once, after the last value. */
void compare_finish(struct compare *c);

/*
 * Keeps a difference only where @other shows it as well, in the same direction. @other has the same
 * rows from number @first on, by another measure (seconds and not shares, for example). The row
 * then has the larger p, which keeps the chance of a wrong verdict below that of either test. To be
 * called after compare_finish() of both.
 */
void compare_agree(struct compare *c, const struct compare *other, size_t first);

/*
 * Corrects the verdicts of the rows from number @first on for their number (Benjamini and
 * Hochberg). Of the rows then shown as different, at most 1 in 20 is expected to be chance; without
 * the correction, that share of all rows would be. To be called once, after compare_finish().
 */
void compare_correct(struct compare *c, size_t first);

/* True if a difference was shown. */
bool compare_is_shown(const struct compare_difference *d);

/* Returns "faster", "more", "no difference shown" or "cannot tell". */
const char *compare_word(enum compare_kind kind, enum compare_verdict verdict);

/* Returns the number of seconds in @unit ("msec": 0.001), or 0 if it is not a unit of time. */
double compare_unit_seconds(const char *unit);

/* Returns the letter of a command in the output. */
static inline char compare_letter(size_t command)
{
	return (char)('A' + command);
}
