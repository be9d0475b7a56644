/* SPDX-License-Identifier: MIT */
#include "view/stat/metric.h"

#include <math.h>

struct digits {
	int width, decimals;
	const char *sign;
};

static const struct digits formats[] = {
	[STAT_FORMAT_NUMBER] = { 8, 3, "" },   [STAT_FORMAT_RATIO] = { 7, 2, " " },
	[STAT_FORMAT_PERCENT] = { 7, 2, "%" }, [STAT_FORMAT_SHARE] = { 8, 3, " %" },
	[STAT_FORMAT_TOPDOWN] = { 8, 1, "%" }, [STAT_FORMAT_WHOLE] = { 8, 0, "" },
	[STAT_FORMAT_SMALL] = { 4, 0, "" },    [STAT_FORMAT_SHORT] = { 8, 1, "" },
	[STAT_FORMAT_PLAIN] = { 8, 2, "" },
};

/*
 * True if the metric is a number. A formula of -M may give other values, which JSON cannot
 * represent.
 */
bool stat_metric_is_known(const struct stat_metric *m)
{
	return m->known && isfinite(m->value);
}

bool stat_metric_is_shown(const struct stat_row *r, const struct stat_metric *m)
{
	return m->asked_for || (r->state == STAT_COUNTED && stat_metric_is_known(m));
}

void stat_metric_add_value(struct text *t, const struct stat_metric *m)
{
	const struct digits *d = &formats[m->format];

	text_addf(t, "%*.*f%s", d->width, d->decimals, m->value, d->sign);
}

void stat_metric_add_number(struct text *t, const struct stat_metric *m)
{
	text_addf(t, "%.*f", formats[m->format].decimals, m->value);
}

const char *stat_metric_colour(enum stat_level level)
{
	static const char *const codes[] = {
		[STAT_LEVEL_NONE] = "",           [STAT_LEVEL_LOW] = "\033[33m",
		[STAT_LEVEL_MIDDLE] = "\033[35m", [STAT_LEVEL_HIGH] = "\033[31m",
		[STAT_LEVEL_GOOD] = "\033[32m",
	};

	return codes[level];
}
