/* SPDX-License-Identifier: MIT */
#include "profile/figures.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"

static const struct figure figures[] = {
	{ "overhead", "Overhead", { ROW_BY_SELF, 0 }, true },
	{ "overhead_sys", "sys", { ROW_BY_SELF_MODE, MODE_KERNEL }, true },
	{ "overhead_us", "usr", { ROW_BY_SELF_MODE, MODE_USER }, true },
	{ "overhead_guest_sys", "guest sys", { ROW_BY_SELF_MODE, MODE_GUEST_KERNEL }, true },
	{ "overhead_guest_us", "guest usr", { ROW_BY_SELF_MODE, MODE_GUEST_USER }, true },
	{ "overhead_children", "Children", { ROW_BY_TOTAL, 0 }, true },
	{ "sample", "Samples", { ROW_BY_SAMPLES, 0 }, false },
	{ "period", "Period", { ROW_BY_PERIOD, 0 }, false },
};

const struct figure *figure_find(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		if (!strncasecmp(figures[i].name, name, n))
			return &figures[i];
	return NULL;
}

const struct figure *figure_get(const char *name)
{
	size_t i = 0;

	while (strcmp(figures[i].name, name)) {
		i++;
		assert(i < ARRAY_SIZE(figures));
	}
	return &figures[i];
}

void figures_for_each(void (*each)(void *arg, const struct figure *f), void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		each(arg, &figures[i]);
}

uint64_t figure_value(const struct row_order *o, const struct report_row *row)
{
	switch (o->by) {
	case ROW_BY_TOTAL:
		return row->total.period;
	case ROW_BY_SELF:
	case ROW_BY_PERIOD:
		return row->self.period;
	case ROW_BY_SELF_MODE:
		return row->self_by_mode[o->index];
	case ROW_BY_SAMPLES:
		return row->self.samples;
	case ROW_BY_KEY:
		break;
	}
	assert(!"a figure");
	return 0;
}
