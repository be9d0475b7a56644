/* SPDX-License-Identifier: MIT */
#include "tools/c2c/stats-view.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "tools/c2c/lines-model.h"

#define RULE "================================================="

/* Titles of Linux's perf are padded with blanks to the width of the rule. */
void c2c_title_print(const char *title, FILE *out)
{
	fprintf(out, RULE "\n%s\n" RULE "\n", title);
}

static void c2c_stats_print_row(const char *name, uint64_t n, FILE *out)
{
	fprintf(out, "  %-34s: %10" PRIu64 "\n", name, n);
}

static void c2c_stats_print_share(const char *name, uint64_t n, uint64_t of, FILE *out)
{
	fprintf(out, "  %-34s: %10.1f%%\n", name, of ? 100.0 * (double)n / (double)of : 0);
}

static void c2c_stats_print_shares(const struct c2c_stats *s, FILE *out)
{
	uint64_t misses = c2c_llc_misses(s);

	c2c_stats_print_share("LLC Misses to Local DRAM", s->n[C2C_LOCAL_DRAM], misses, out);
	c2c_stats_print_share("LLC Misses to Remote DRAM", s->n[C2C_REMOTE_DRAM], misses, out);
	c2c_stats_print_share("LLC Misses to Remote cache (HIT)", s->n[C2C_REMOTE_HIT], misses,
			      out);
	c2c_stats_print_share("LLC Misses to Remote cache (HITM)", s->n[C2C_REMOTE_HITM], misses,
			      out);
}

static void print_loads(const struct c2c_stats *s, FILE *out)
{
	c2c_stats_print_row("Load Operations", s->n[C2C_LOADS], out);
	c2c_stats_print_row("Loads - uncacheable", s->n[C2C_LOAD_UNCACHED], out);
	c2c_stats_print_row("Loads - IO", s->n[C2C_LOAD_IO], out);
	c2c_stats_print_row("Loads - Miss", s->n[C2C_LOAD_MISS], out);
	c2c_stats_print_row("Loads - no mapping", s->n[C2C_LOAD_NO_ADDR], out);
	c2c_stats_print_row("Load Fill Buffer Hit", s->n[C2C_LOAD_FB], out);
	c2c_stats_print_row("Load L1D hit", s->n[C2C_LOAD_L1], out);
	c2c_stats_print_row("Load L2D hit", s->n[C2C_LOAD_L2], out);
	c2c_stats_print_row("Load LLC hit", (uint64_t)s->n[C2C_LOAD_LLC] + s->n[C2C_LOCAL_HITM],
			    out);
	c2c_stats_print_row("Load Local HITM", s->n[C2C_LOCAL_HITM], out);
	c2c_stats_print_row("Load Remote HITM", s->n[C2C_REMOTE_HITM], out);
	c2c_stats_print_row("Load Remote HIT", s->n[C2C_REMOTE_HIT], out);
	c2c_stats_print_row("Load Local DRAM", s->n[C2C_LOCAL_DRAM], out);
	c2c_stats_print_row("Load Remote DRAM", s->n[C2C_REMOTE_DRAM], out);
	c2c_stats_print_row("Load MESI State Exclusive", s->n[C2C_LOAD_EXCLUSIVE], out);
	c2c_stats_print_row("Load MESI State Shared", s->n[C2C_LOAD_SHARED], out);
	c2c_stats_print_row("Load LLC Misses", c2c_llc_misses(s), out);
	c2c_stats_print_row("Load access blocked by data", s->n[C2C_BLOCKED_DATA], out);
	c2c_stats_print_row("Load access blocked by address", s->n[C2C_BLOCKED_ADDR], out);
	c2c_stats_print_row("Load HIT Local Peer", s->n[C2C_LOCAL_PEER], out);
	c2c_stats_print_row("Load HIT Remote Peer", s->n[C2C_REMOTE_PEER], out);
}

void c2c_stats_print(const struct c2c_lines *l, FILE *out)
{
	const struct c2c_stats *s = &l->total;

	c2c_title_print("            Trace Event Information              ", out);
	c2c_stats_print_row("Total records", s->n[C2C_RECORDS], out);
	c2c_stats_print_row("Locked Load/Store Operations", s->n[C2C_LOCKED], out);
	print_loads(s, out);
	c2c_stats_print_shares(s, out);
	c2c_stats_print_row("Store Operations", s->n[C2C_STORES], out);
	c2c_stats_print_row("Store - uncacheable", s->n[C2C_STORE_UNCACHED], out);
	c2c_stats_print_row("Store - no mapping", s->n[C2C_STORE_NO_ADDR], out);
	c2c_stats_print_row("Store L1D Hit", s->n[C2C_STORE_L1_HIT], out);
	c2c_stats_print_row("Store L1D Miss", s->n[C2C_STORE_L1_MISS], out);
	c2c_stats_print_row("Store No available memory level", s->n[C2C_STORE_NA], out);
	c2c_stats_print_row("No Page Map Rejects", s->n[C2C_NO_MAP], out);
	c2c_stats_print_row("Unable to parse data source", s->n[C2C_NO_PARSE], out);
}

void c2c_shared_print(const struct c2c_lines *l, FILE *out)
{
	const struct c2c_stats *s = &l->shared;

	c2c_title_print("    Global Shared Cache Line Event Information   ", out);
	c2c_stats_print_row("Total Shared Cache Lines", l->n_shared, out);
	c2c_stats_print_row("Load HITs on shared lines", s->n[C2C_LOADS], out);
	c2c_stats_print_row("Fill Buffer Hits on shared lines", s->n[C2C_LOAD_FB], out);
	c2c_stats_print_row("L1D hits on shared lines", s->n[C2C_LOAD_L1], out);
	c2c_stats_print_row("L2D hits on shared lines", s->n[C2C_LOAD_L2], out);
	c2c_stats_print_row("LLC hits on shared lines",
			    (uint64_t)s->n[C2C_LOAD_LLC] + s->n[C2C_LOCAL_HITM], out);
	c2c_stats_print_row("Load hits on peer cache or nodes",
			    (uint64_t)s->n[C2C_LOCAL_PEER] + s->n[C2C_REMOTE_PEER], out);
	c2c_stats_print_row("Locked Access on shared lines", s->n[C2C_LOCKED], out);
	c2c_stats_print_row("Blocked Access on shared lines",
			    (uint64_t)s->n[C2C_BLOCKED_DATA] + s->n[C2C_BLOCKED_ADDR], out);
	c2c_stats_print_row("Store HITs on shared lines", s->n[C2C_STORES], out);
	c2c_stats_print_row("Store L1D hits on shared lines", s->n[C2C_STORE_L1_HIT], out);
	c2c_stats_print_row("Store No available memory level", s->n[C2C_STORE_NA], out);
	c2c_stats_print_row(
		"Total Merged records",
		(uint64_t)s->n[C2C_LOCAL_HITM] + s->n[C2C_REMOTE_HITM] + s->n[C2C_STORES], out);
}

void c2c_details_print(const struct c2c_lines *l, const char *const *events, size_t n, FILE *out)
{
	static const char *const displays[] = {
		[C2C_TOTAL_HITM] = "Total HITMs",
		[C2C_LOCAL_HITMS] = "Local HITMs",
		[C2C_REMOTE_HITMS] = "Remote HITMs",
		[C2C_PEERS] = "Peer Snoop",
	};
	static const char *const keys[C2C_KEYS] = {
		[C2C_BY_PID] = "pid",
		[C2C_BY_TID] = "tid",
		[C2C_BY_IADDR] = "iaddr",
		[C2C_BY_DSO] = "dso",
	};

	c2c_title_print("                 c2c details                     ", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "  %-34s: %s\n", i ? "" : "Events", events[i]);
	fprintf(out, "  %-34s: %s\n", "Cachelines sort on", displays[l->o.display]);
	fprintf(out, "  %-34s: offset", "Cacheline data grouping");
	for (size_t i = 0; i < l->o.keys.n; i++)
		fprintf(out, ",%s", keys[l->o.keys.items[i]]);
	fputc('\n', out);
}
