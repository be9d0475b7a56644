/* SPDX-License-Identifier: MIT */
#include "view/report/branches.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "profile/branch-blocks.h"
#include "profile/branch-stats.h"
#include "profile/source-text.h"
#include "profile/weight.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "view/branch-text.h"
#include "view/table.h"
#include "view/text-flush.h"

static void report_branches_print_share(FILE *out, const char *name, uint64_t n, uint64_t total)
{
	if (n)
		fprintf(out, "%8s: %5.1f%%\n", name, percent_of(n, total));
}

void branch_stats_print(const struct branch_stats *s, FILE *out)
{
	uint64_t total = branch_stats_total(s);

	if (!total)
		return;
	fputs("\n#\n# Branch Statistics:\n#\n", out);
	report_branches_print_share(out, "COND_FWD", s->forward, total);
	report_branches_print_share(out, "COND_BWD", s->backward, total);
	report_branches_print_share(out, "CROSS_4K", s->cross_4k, total);
	report_branches_print_share(out, "CROSS_2M", s->cross_2m, total);
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		report_branches_print_share(out, branch_kind_text(i), s->kinds[i], total);
}

/* The data from which the cells of blocks are made. */
struct report_branches_model {
	const struct branch_blocks_view *view;
	struct branch_block_sums sums;
};

static struct value get_share(const struct cell *at)
{
	return value_percent(
		branch_block_shares(at->row,
				    &((const struct report_branches_model *)at->model)->sums)
			.cycles);
}

static struct value get_average_share(const struct cell *at)
{
	return value_percent(
		branch_block_shares(at->row,
				    &((const struct report_branches_model *)at->model)->sums)
			.average);
}

/* Appends a number such as 999, 1.0K or 12.3M. */
static void report_branches_add_cycles(struct text *out, uint64_t cycles)
{
	if (cycles >= 1000000)
		text_addf(out, "%.1fM", (double)cycles / 1e6);
	else if (cycles >= 1000)
		text_addf(out, "%.1fK", (double)cycles / 1e3);
	else
		text_addf(out, "%" PRIu64, cycles);
}

static void report_branches_print_cycles(struct cell *at, struct text *out)
{
	report_branches_add_cycles(out, ((const struct branch_block *)at->row)->cycles);
}

static void print_average(struct cell *at, struct text *out)
{
	report_branches_add_cycles(out, branch_block_average(at->row));
}

static void report_branches_print_range(struct cell *at, struct text *out)
{
	const struct report_branches_model *m = at->model;

	branch_block_range_text(at->row, m->view->full_paths, out);
}

static struct value get_image(const struct cell *at)
{
	return value_text(image_short_name(((const struct branch_block *)at->row)->image));
}

#define FIXED .align = ALIGN_RIGHT, .title_align = ALIGN_RIGHT, .flags = COLUMN_FIXED | COLUMN_BYTES

static const struct column columns[] = {
	{ .title = "Sampled Cycles%", FIXED, .width = 15, .get = get_share },
	{ .title = "Sampled Cycles", FIXED, .width = 14, .print = report_branches_print_cycles },
	{ .title = "Avg Cycles%", FIXED, .width = 11, .get = get_average_share },
	{ .title = "Avg Cycles", FIXED, .width = 10, .print = print_average },
	{ .title = "[Program Block Range]",
	  FIXED,
	  .width = 70,
	  .print = report_branches_print_range },
	{ .title = "Shared Object", FIXED, .width = 20, .get = get_image },
};

static bool report_branches_add_lines(const struct branch_block *b, uint64_t start, bool full_paths,
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

	if (!report_branches_add_lines(b, start, full_paths, out))
		text_addf(out, "[%7" PRIx64 " -> %7" PRIx64 "]", start - b->sym->start,
			  b->end - b->sym->start);
}

void branch_blocks_print(const struct branch_blocks_view *v, FILE *out)
{
	const struct branch_blocks *blocks = v->blocks;
	const struct report_branches_model model = { .view = v, .sums = branch_blocks_sum(blocks) };
	const struct table_style style = { .escape = v->escape };
	_cleanup_(table_scratch_done) struct table_scratch s = TABLE_SCRATCH;
	_cleanup_(text_done) struct text text = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;

	table_init(&t, columns, ARRAY_SIZE(columns), &model, &style);
	if (!v->quiet)
		table_add_heads(&t, &text);
	for (size_t i = 0; i < blocks->n; i++) {
		if (branch_block_shares(&blocks->items[i], &model.sums).cycles < v->percent_limit)
			break;
		table_add_row(&t, &blocks->items[i], &s, &text);
		text_flush(&text, out, false);
	}
	text_flush(&text, out, true);
}
