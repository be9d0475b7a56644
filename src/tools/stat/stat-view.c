/* SPDX-License-Identifier: MIT */
#include "tools/stat/stat-view.h"

#include <inttypes.h>

#define NS_PER_S UINT64_C(1000000000)

bool stat_is_interval(const struct stat_table *t)
{
	return t->interval && !t->summary;
}

bool stat_row_is_hidden(const struct stat_style *s, const struct stat_row *r)
{
	return s->hide_zeros && r->state == STAT_COUNTED && r->count == 0;
}

void stat_add_time(struct text *t, uint64_t ns, int width)
{
	text_addf(t, "%*" PRIu64 ".%09" PRIu64, width, ns / NS_PER_S, ns % NS_PER_S);
}

const char *stat_state_text(enum stat_state state)
{
	static const char *const texts[] = {
		[STAT_COUNTED] = NULL,
		[STAT_NOT_COUNTED] = "<not counted>",
		[STAT_NOT_SUPPORTED] = "<not supported>",
	};

	return texts[state];
}

double stat_percent_running(const struct stat_row *r)
{
	return r->enabled ? 100.0 * (double)r->running / (double)r->enabled : 100.0;
}
