/* SPDX-License-Identifier: MIT */
#include "view/report/branches.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/branch-blocks.h"
#include "profile/branch-stats.h"
#include "profile/source-text.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "view/branch-text.h"

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_share(FILE *out, const char *name, uint64_t n, uint64_t total)
{
	if (n)
		fprintf(out, "%8s: %5.1f%%\n", name, share(n, total));
}

void branch_stats_print(const struct branch_stats *s, FILE *out)
{
	uint64_t total = branch_stats_total(s);

	if (!total)
		return;
	fputs("\n#\n# Branch Statistics:\n#\n", out);
	print_share(out, "COND_FWD", s->forward, total);
	print_share(out, "COND_BWD", s->backward, total);
	print_share(out, "CROSS_4K", s->cross_4k, total);
	print_share(out, "CROSS_2M", s->cross_2m, total);
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		print_share(out, branch_kind_text(i), s->kinds[i], total);
}

/* The columns of blocks: all are aligned right. */
enum {
	W_SHARE = 15,
	W_CYCLES = 14,
	W_AVERAGE_SHARE = 11,
	W_AVERAGE = 10,
	W_RANGE = 70,
	W_DSO = 20
};

static void print_head(FILE *out)
{
	static const struct {
		const char *title;
		int width;
	} columns[] = {
		{ "Sampled Cycles%", W_SHARE },       { "Sampled Cycles", W_CYCLES },
		{ "Avg Cycles%", W_AVERAGE_SHARE },   { "Avg Cycles", W_AVERAGE },
		{ "[Program Block Range]", W_RANGE }, { "Shared Object", W_DSO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		fprintf(out, "%s%*s", i ? "  " : "# ", columns[i].width, columns[i].title);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		fputs(i ? "  " : "\n# ", out);
		for (int k = 0; k < columns[i].width; k++)
			fputc('.', out);
	}
	fputs("\n#\n", out);
}

/* 999, 1.0K, 12.3M */
static void print_cycles(FILE *out, int width, uint64_t cycles)
{
	if (cycles >= 1000000)
		fprintf(out, "  %*.1fM", width - 1, (double)cycles / 1e6);
	else if (cycles >= 1000)
		fprintf(out, "  %*.1fK", width - 1, (double)cycles / 1e3);
	else
		fprintf(out, "  %*" PRIu64, width, cycles);
}

static void print_image(FILE *out, const struct image *im, bool escape)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const char *name = image_short_name(im);

	if (escape)
		escape_terminal(&t, name, strlen(name));
	else
		text_add(&t, name);
	fprintf(out, "  %*s\n", W_DSO, t.chars);
}

static bool add_lines(const struct branch_block *b, uint64_t start, bool full_paths,
		      struct text *out)
{
	struct source_line from, to;

	if (!image_source_line(b->image, start, &from) || !image_source_line(b->image, b->end, &to))
		return false;
	text_add_char(out, '[');
	source_line_text(&from, full_paths, out);
	text_add(out, " -> ");
	source_line_text(&to, full_paths, out);
	text_add_char(out, ']');
	return true;
}

void branch_block_range_text(const struct branch_block *b, bool full_paths, struct text *out)
{
	uint64_t start = b->start == BLOCK_START_UNKNOWN ? b->sym->start : b->start;

	if (!add_lines(b, start, full_paths, out))
		text_addf(out, "[%7" PRIx64 " -> %7" PRIx64 "]", start - b->sym->start,
			  b->end - b->sym->start);
}

static void print_range(const struct branch_blocks_view *v, const struct branch_block *b, FILE *out)
{
	_cleanup_(text_done) struct text range = TEXT_EMPTY, shown = TEXT_EMPTY;

	branch_block_range_text(b, v->full_paths, &range);
	if (v->escape)
		escape_terminal(&shown, range.chars, range.length);
	fprintf(out, "  %*s", W_RANGE, v->escape ? shown.chars : range.chars);
}

void branch_blocks_print(const struct branch_blocks_view *v, FILE *out)
{
	const struct branch_blocks *blocks = v->blocks;
	uint64_t cycles = 0, averages = 0;

	for (size_t i = 0; i < blocks->n; i++) {
		cycles += blocks->items[i].cycles;
		averages += blocks->items[i].cycles / blocks->items[i].count;
	}
	if (!v->quiet)
		print_head(out);
	for (size_t i = 0; i < blocks->n; i++) {
		const struct branch_block *b = &blocks->items[i];
		uint64_t average = b->cycles / b->count;

		if (share(b->cycles, cycles) < v->percent_limit)
			break;
		fprintf(out, "  %*.2f%%", W_SHARE - 1, share(b->cycles, cycles));
		print_cycles(out, W_CYCLES, b->cycles);
		fprintf(out, "  %*.2f%%", W_AVERAGE_SHARE - 1, share(average, averages));
		print_cycles(out, W_AVERAGE, average);
		print_range(v, b, out);
		print_image(out, b->image, v->escape);
	}
}
