/* SPDX-License-Identifier: MIT */
#include "tools/top/top-view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "cli/redraw-cut.h"
#include "view/report/table.h"

static void top_add_event(FILE *out, const struct top_head *h)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	escape_terminal(&name, h->event, strlen(h->event));
	if (h->frequency)
		fprintf(out, "%" PRIu64 "Hz ", h->frequency);
	else if (h->period)
		fprintf(out, "%" PRIu64 " ", h->period);
	fputs(name.chars, out);
}

static void top_print_head(FILE *out, const struct top_page *p)
{
	const struct top_head *h = &p->head;

	fprintf(out, "   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%%", h->rate,
		h->kernel_percent, h->exact_percent);
	fprintf(out, " lost: %" PRIu64 "/%" PRIu64 " drop: %" PRIu64 "/%" PRIu64 " [", h->new_lost,
		h->lost, h->new_dropped, h->dropped);
	top_add_event(out, h);
	fprintf(out, "],  (%s)\n", h->target);
	for (unsigned i = 1; i < p->width; i++)
		fputc('-', out);
	fputs(p->code ? "\n" : "\n\n", out);
}

/* Prints the lines of @text that fit. */
static void top_print_lines(FILE *out, const struct top_page *p, const char *text, size_t n)
{
	_cleanup_(text_done) struct text line = TEXT_EMPTY;
	size_t lines = 0;

	while (n && (!p->max_lines || lines++ < p->max_lines)) {
		const char *end = memchr(text, '\n', n);
		size_t length = end ? (size_t)(end - text) : n;

		text_clear(&line);
		if (p->cuts)
			redraw_cut(&line, text, length, p->width - 1);
		else
			text_add_bytes(&line, text, length);
		text_add(&line, "\n");
		fwrite(line.chars, 1, line.length, out);
		length += end != NULL;
		text += length;
		n -= length;
	}
}

/* Returns the length without the empty lines at the end of a block. */
static size_t without_end(const char *text, size_t n)
{
	while (n && text[n - 1] == '\n')
		n--;
	return n;
}

int top_page_print(FILE *out, const struct top_page *p)
{
	_cleanup_(freep) char *text = NULL;
	size_t n = 0;
	FILE *rows;
	int r;

	top_print_head(out, p);
	if (p->code) {
		top_print_lines(out, p, p->code, strlen(p->code));
		return ferror(out) ? -EIO : 0;
	}
	rows = open_memstream(&text, &n);
	if (!rows)
		return -ENOMEM;
	r = report_print(rows, p->rows);
	if (fclose(rows) || r < 0)
		return r < 0 ? r : -ENOMEM;
	top_print_lines(out, p, text, without_end(text, n));
	return ferror(out) ? -EIO : 0;
}
