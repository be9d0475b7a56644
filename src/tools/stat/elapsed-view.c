/* SPDX-License-Identifier: MIT */
#include "tools/stat/elapsed-view.h"

#include <math.h>
#include <string.h>

#include "count/stat.h"

/* A bar that does not end the line of any terminal; beyond it the figures speak. */
#define BAR_MAX 50

void stat_noise_add(struct text *t, double percent)
{
	if (percent != 0)
		text_addf(t, "  ( +-%6.2f%% )", percent);
}

static void add_one_run(struct text *t, const struct stat_table *table)
{
	text_addf(t, "%18.9f seconds time elapsed\n", table->elapsed_s);
	if (table->has_rusage)
		text_addf(t, "\n%18.9f seconds user\n%18.9f seconds sys\n\n", table->user_s,
			  table->system_s);
}

/* Three digits of the error, but not fewer than two decimals; the clock gives no more than 12. */
static int stat_elapsed_decimals(double error)
{
	double n = error > 0 ? 2 - floor(log10(error)) : 1;

	return error > 0 ? (int)fmin(fmax(n, 2), 12) : 1;
}

static void stat_elapsed_add_bar(struct text *t, double time, double mean)
{
	double share = time > 0 ? 100 * fabs(time - mean) / time : INFINITY;
	size_t length = share / 5 < BAR_MAX - 1 ? (size_t)(share / 5) + 1 : BAR_MAX;

	text_pad(t, t->length, length, 0, '#');
}

static void add_runs(struct text *t, const struct stat_table *table, int digits)
{
	struct text mean = TEXT_EMPTY;
	int indent;

	text_addf(&mean, "%18.*f", digits, table->elapsed_s);
	indent = (int)strspn(mean.chars, " ");
	text_done(&mean);

	text_addf(t, "%*s# Table of individual measurements:\n", indent, "");
	for (unsigned i = 0; i < table->runs; i++) {
		double time = table->run_times_s[i];

		text_addf(t, "%18.*f (%+.*f) ", digits, time, digits, time - table->elapsed_s);
		stat_elapsed_add_bar(t, time, table->elapsed_s);
		text_add_char(t, '\n');
	}
	text_addf(t, "\n%*s# Final result:\n", indent, "");
}

static void add_mean(struct text *t, const struct stat_table *table, int digits)
{
	double mean = table->elapsed_s, error = table->elapsed_error_s;

	text_addf(t, "%18.*f +- %.*f seconds time elapsed", digits, mean, digits, error);
	stat_noise_add(t, mean > 0 ? 100 * error / mean : 0);
	text_add_char(t, '\n');
}

void stat_elapsed_add(struct text *t, const struct stat_table *table, bool list_runs)
{
	int digits = stat_elapsed_decimals(table->elapsed_error_s);

	if (table->runs <= 1) {
		add_one_run(t, table);
	} else {
		if (list_runs && table->run_times_s)
			add_runs(t, table, digits);
		add_mean(t, table, digits);
	}
	text_add_char(t, '\n');
}
