/* SPDX-License-Identifier: MIT */
#include "tools/iostat/iostat-view.h"

#include "base/cleanup.h"
#include "base/text.h"

#define NS_PER_S 1e9

static const char *const titles[IOSTAT_COLUMNS] = { "Inbound Read(MB)", "Inbound Write(MB)",
						    "Outbound Read(MB)", "Outbound Write(MB)" };

static void iostat_add_titles(struct text *t, bool interval)
{
	text_add(t, interval ? "#          time    port        " : "   port        ");
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		text_addf(t, " %20s", titles[i]);
	text_add_char(t, '\n');
}

static void iostat_add_line(struct text *t, const struct iostat_head *h,
			    const struct iostat_line *line)
{
	if (h->interval)
		text_addf(t, "%15.9f ", (double)h->time_ns / NS_PER_S);
	text_add(t, line->port);
	for (size_t i = 0; i < IOSTAT_COLUMNS; i++) {
		if (line->is_counted[i])
			text_addf(t, " %20.0f", line->mb[i]);
		else
			text_addf(t, " %20s", "<not counted>");
	}
	text_add_char(t, '\n');
}

void iostat_add_table(struct text *t, const struct iostat_head *h, const struct iostat_line *lines,
		      size_t n)
{
	if (!h->interval)
		text_add(t, "\n Performance counter stats for 'system wide':\n\n");
	if (!h->interval || h->first)
		iostat_add_titles(t, h->interval);
	for (size_t i = 0; i < n; i++)
		iostat_add_line(t, h, &lines[i]);
	if (!h->interval)
		text_addf(t, "\n%18.9f seconds time elapsed\n\n", h->elapsed_s);
}
