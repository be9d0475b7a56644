/* SPDX-License-Identifier: MIT */
#include "view/c2c/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/c2c/lines.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "view/c2c/columns.h"
#include "view/c2c/physical.h"
#include "view/c2c/stats.h"

/* What depends on what is ranked by. */
static const struct {
	const char *first, *second, *span, *local, *remote;
} displays[] = {
	[C2C_TOTAL_HITM] = { "Tot", "Hitm", "------- Load Hitm -------", "LclHitm", "RmtHitm" },
	[C2C_LOCAL_HITMS] = { "Lcl", "Hitm", "------- Load Hitm -------", "LclHitm", "RmtHitm" },
	[C2C_REMOTE_HITMS] = { "Rmt", "Hitm", "------- Load Hitm -------", "LclHitm", "RmtHitm" },
	[C2C_PEERS] = { "Peer", "Snoop", "------- Load Peer -------", "Local", "Remote" },
};

static void print_heads(const struct c2c_lines *l, FILE *out)
{
	enum c2c_display d = l->o.display;
	const char *lines = l->o.line_bytes > 64 ? "------- Double-Cacheline -------"
						 : "----------- Cacheline ----------";
	const struct c2c_column columns[] = {
		{ NULL, 0, NULL, "Index", 5 },
		{ lines, 3, NULL, "Address", 18 },
		{ NULL, 0, NULL, "Node", 4 },
		{ NULL, 0, NULL, "PA cnt", 6 },
		{ NULL, 0, displays[d].first, displays[d].second, 7 },
		{ displays[d].span, 3, NULL, "Total", 7 },
		{ NULL, 0, NULL, displays[d].local, 7 },
		{ NULL, 0, NULL, displays[d].remote, 7 },
		{ NULL, 0, "Total", "records", 7 },
		{ NULL, 0, "Total", "Loads", 7 },
		{ NULL, 0, "Total", "Stores", 7 },
		{ "--------- Stores --------", 3, NULL, "L1Hit", 7 },
		{ NULL, 0, NULL, "L1Miss", 7 },
		{ NULL, 0, NULL, "N/A", 7 },
		{ "----- Core Load Hit -----", 3, NULL, "FB", 7 },
		{ NULL, 0, NULL, "L1", 7 },
		{ NULL, 0, NULL, "L2", 7 },
		{ "- LLC Load Hit --", 2, NULL, "LclHit", 8 },
		{ NULL, 0, NULL, "LclHitm", 7 },
		{ "- RMT Load Hit --", 2, NULL, "RmtHit", 8 },
		{ NULL, 0, NULL, "RmtHitm", 7 },
		{ "--- Load Dram ----", 2, NULL, "Lcl", 8 },
		{ NULL, 0, NULL, "Rmt", 8 },
	};

	c2c_columns_print(columns, ARRAY_SIZE(columns), out);
}

static void print_counts(const struct c2c_lines *l, const struct c2c_stats *s, FILE *out)
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

static void print_line(const struct c2c_lines *l, size_t i, FILE *out)
{
	const struct c2c_line *line = l->items[i];
	uint64_t all = c2c_rank(&l->total, l->o.display);
	double share = all ? 100.0 * (double)c2c_rank(&line->stats, l->o.display) / (double)all : 0;

	fprintf(out, "  %5zu", i);
	c2c_address_print(line->addr, out);
	fputs("  ", out);
	c2c_physical_print(&line->physical, out);
	fprintf(out, "  %6.2f%%", share);
	print_counts(l, &line->stats, out);
	fputc('\n', out);
}

void c2c_lines_print(const struct c2c_lines *l, FILE *out)
{
	c2c_title_print("           Shared Data Cache Line Table          ", out);
	print_heads(l, out);
	for (size_t i = 0; i < l->n; i++)
		print_line(l, i, out);
}
