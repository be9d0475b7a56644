/* SPDX-License-Identifier: MIT */
#include "tools/c2c/lines-view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/c2c/columns-view.h"
#include "tools/c2c/lines-model.h"
#include "tools/c2c/stats-view.h"

/* The titles, which depend on the value by which lines are ranked. */
static const struct {
	const char *first, *second, *span, *local, *remote;
} displays[] = {
	[C2C_TOTAL_HITM] = { "Tot", "Hitm", "------- Load Hitm -------", "LclHitm", "RmtHitm" },
	[C2C_LOCAL_HITMS] = { "Lcl", "Hitm", "------- Load Hitm -------", "LclHitm", "RmtHitm" },
	[C2C_REMOTE_HITMS] = { "Rmt", "Hitm", "------- Load Hitm -------", "LclHitm", "RmtHitm" },
	[C2C_PEERS] = { "Peer", "Snoop", "------- Load Peer -------", "Local", "Remote" },
};

#define N_COLUMNS 23
#define ADDRESS   1 /* the column of the address */

size_t c2c_lines_spare(const struct c2c_lines *l)
{
	size_t spare = l->n ? SIZE_MAX : 0;

	for (size_t i = 0; i < l->n; i++) {
		size_t n = c2c_address_spare(l->items[i]->addr);

		spare = n < spare ? n : spare;
	}
	return spare;
}

static size_t c2c_lines_make_columns(const struct c2c_lines *l, unsigned terminal_columns,
				     struct c2c_column ret[N_COLUMNS])
{
	enum c2c_display d = l->o.display;
	const char *lines = l->o.line_bytes > 64 ? "------- Double-Cacheline -------"
						 : "----------- Cacheline ----------";
	const struct c2c_column columns[N_COLUMNS] = {
		{ NULL, 0, NULL, "Index", 5, .rank = 0 },
		{ lines, 3, NULL, "Address", 18, .rank = 0 },
		{ NULL, 0, NULL, "Node", 4, .rank = 4 },
		{ NULL, 0, NULL, "PA cnt", 6, .rank = 4 },
		{ NULL, 0, displays[d].first, displays[d].second, 7, .rank = 0 },
		{ displays[d].span, 3, NULL, "Total", 7, .rank = 2 },
		{ NULL, 0, NULL, displays[d].local, 7, .rank = 1 },
		{ NULL, 0, NULL, displays[d].remote, 7, .rank = 1 },
		{ NULL, 0, "Total", "records", 7, .rank = 1 },
		{ NULL, 0, "Total", "Loads", 7, .rank = 1 },
		{ NULL, 0, "Total", "Stores", 7, .rank = 1 },
		{ "--------- Stores --------", 3, NULL, "L1Hit", 7, .rank = 2 },
		{ NULL, 0, NULL, "L1Miss", 7, .rank = 2 },
		{ NULL, 0, NULL, "N/A", 7, .rank = 2 },
		{ "----- Core Load Hit -----", 3, NULL, "FB", 7, .rank = 3 },
		{ NULL, 0, NULL, "L1", 7, .rank = 3 },
		{ NULL, 0, NULL, "L2", 7, .rank = 3 },
		{ "- LLC Load Hit --", 2, NULL, "LclHit", 8, .rank = 3 },
		{ NULL, 0, NULL, "LclHitm", 7, .rank = 3 },
		{ "- RMT Load Hit --", 2, NULL, "RmtHit", 8, .rank = 3 },
		{ NULL, 0, NULL, "RmtHitm", 7, .rank = 3 },
		{ "--- Load Dram ----", 2, NULL, "Lcl", 8, .rank = 3 },
		{ NULL, 0, NULL, "Rmt", 8, .rank = 3 },
	};

	memcpy(ret, columns, sizeof(columns));
	ret[ADDRESS].spare = c2c_lines_spare(l);
	return c2c_columns_fit(ret, N_COLUMNS, terminal_columns);
}

static void c2c_lines_print_counts(const struct c2c_lines *l, const struct c2c_stats *s, FILE *out)
{
	bool peers = l->o.display == C2C_PEERS;
	const uint64_t local = s->n[peers ? C2C_LOCAL_PEER : C2C_LOCAL_HITM];
	const uint64_t remote = s->n[peers ? C2C_REMOTE_PEER : C2C_REMOTE_HITM];
	const struct {
		uint64_t n;
		int width;
	} cells[] = {
		{ local + remote, 7 },
		{ local, 7 },
		{ remote, 7 },
		{ c2c_total_records(s), 7 },
		{ c2c_total_loads(s), 7 },
		{ s->n[C2C_STORES], 7 },
		{ s->n[C2C_STORE_L1_HIT], 7 },
		{ s->n[C2C_STORE_L1_MISS], 7 },
		{ s->n[C2C_STORE_NA], 7 },
		{ s->n[C2C_LOAD_FB], 7 },
		{ s->n[C2C_LOAD_L1], 7 },
		{ s->n[C2C_LOAD_L2], 7 },
		{ s->n[C2C_LOAD_LLC], 8 },
		{ s->n[C2C_LOCAL_HITM], 7 },
		{ s->n[C2C_REMOTE_HIT], 8 },
		{ s->n[C2C_REMOTE_HITM], 7 },
		{ s->n[C2C_LOCAL_DRAM], 8 },
		{ s->n[C2C_REMOTE_DRAM], 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
		fprintf(out, "  %*" PRIu64, cells[i].width, cells[i].n);
}

static void c2c_lines_print_cells(const struct c2c_lines *l, size_t i, FILE *out)
{
	const struct c2c_line *line = l->items[i];
	uint64_t all = c2c_rank(&l->total, l->o.display);
	double share = all ? 100.0 * (double)c2c_rank(&line->stats, l->o.display) / (double)all : 0;

	fprintf(out, "  %5zu", i);
	c2c_address_print(line->addr, out);
	fputs("  ", out);
	c2c_physical_print(&line->physical, out);
	fprintf(out, "  %6.2f%%", share);
	c2c_lines_print_counts(l, &line->stats, out);
	fputc('\n', out);
}

static void c2c_lines_print_line(const struct c2c_lines *l, size_t i,
				 const struct c2c_column *columns, FILE *out)
{
	struct c2c_row row;

	c2c_row_begin(&row);
	if (!row.file)
		return;
	c2c_lines_print_cells(l, i, row.file);
	c2c_row_end(&row, columns, N_COLUMNS, out);
}

size_t c2c_lines_print(const struct c2c_lines *l, unsigned terminal_columns, FILE *out)
{
	struct c2c_column columns[N_COLUMNS];
	size_t left_out = c2c_lines_make_columns(l, terminal_columns, columns);

	c2c_title_print("           Shared Data Cache Line Table          ", out);
	c2c_columns_print(columns, N_COLUMNS, out);
	for (size_t i = 0; i < l->n; i++)
		if (terminal_columns)
			c2c_lines_print_line(l, i, columns, out);
		else
			c2c_lines_print_cells(l, i, out);
	return left_out;
}

void c2c_physical_print(const struct c2c_physical *p, FILE *out)
{
	_cleanup_(text_done) struct text nodes = TEXT_EMPTY;

	for (uint32_t i = 0; i < p->nodes.n; i++)
		text_addf(&nodes, "%s%" PRIu32, i ? "," : "", p->nodes.items[i]);
	fprintf(out, "%4s  %6" PRIu32, p->nodes.n ? nodes.chars : "N/A", p->changes);
}
