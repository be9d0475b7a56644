/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Cache lines and the accesses to them: the model of `perf c2c`.
 *
 * c2c_lines_take() gets accesses in order of time. A line has entries, one for each place in it and
 * for each combination of the other values that distinguish rows (code address, process, thread,
 * image). c2c_lines_settle() then sorts lines and entries: most HITMs, or snoops of peers, first.
 * Names are not known here: an entry has its first sample's time and map, with which they can be
 * looked up.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"
#include "tools/c2c/access-model.h"

struct image;
struct map;

enum c2c_display {
	C2C_TOTAL_HITM,
	C2C_LOCAL_HITMS,
	C2C_REMOTE_HITMS,
	C2C_PEERS,
};

/* The values that distinguish the entries of a line, besides the offset; in the requested order. */
enum c2c_key {
	C2C_BY_PID,
	C2C_BY_TID,
	C2C_BY_IADDR,
	C2C_BY_DSO,
};
#define C2C_KEYS (C2C_BY_DSO + 1)

struct c2c_keys {
	enum c2c_key items[C2C_KEYS];
	size_t n;
};

bool c2c_keys_have(const struct c2c_keys *k, enum c2c_key key);

/* A mean, computed as in Linux's perf, one number after the other. */
struct c2c_mean {
	uint64_t n;
	double mean;
};

enum c2c_cycles {
	C2C_CYCLES_REMOTE, /* cycles of remote HITMs, or of peers */
	C2C_CYCLES_LOCAL,
	C2C_CYCLES_REMOTE_PEER,
	C2C_CYCLES_LOCAL_PEER,
	C2C_CYCLES_LOAD, /* cycles of all other loads */
};
#define C2C_CYCLES (C2C_CYCLES_LOAD + 1)

/* Small numbers, ascending, each once. */
struct c2c_set {
	uint32_t *items;
	uint32_t n, room;
};

/* The accesses from a node; only the few counters that views show. */
struct c2c_node {
	uint32_t node;
	uint32_t local_hitm, remote_hitm, local_peer, remote_peer, stores;
};

struct c2c_nodes {
	struct c2c_node *items; /* in ascending order */
	uint32_t n, room;
};

/* Physical addresses, if they are known. */
struct c2c_physical {
	struct c2c_set nodes;
	uint64_t last;
	uint32_t changes; /* number of times the address differed from the one before */
};

/*
 * The names of its code, filled in by the code that can look them up. Texts belong to the model's
 * arena.
 */
struct c2c_names {
	const char *function; /* NULL: no name is known */
	uint64_t addr;        /* shown instead of the name */
	const char *object;
	const char *source; /* "file.c:12" */
	const char *comm;
};

struct c2c_entry {
	uint32_t number; /* in order of appearance */
	uint64_t offset; /* the offset in the line */
	uint64_t iaddr;
	uint32_t pid, tid;
	uint8_t cpumode;         /* from PERF_RECORD_MISC_* */
	uint64_t time;           /* the time of its first access */
	const struct map *code;  /* the map of @iaddr; NULL: not known */
	const struct image *dso; /* the image of @code */
	struct c2c_stats stats;
	struct c2c_mean cycles[C2C_CYCLES];
	struct c2c_set cpus;
	struct c2c_nodes nodes; /* the nodes of the CPUs */
	struct c2c_physical physical;
	struct c2c_names names;
	struct c2c_entry *next; /* the next one of its line, sorted once settled */
	struct c2c_line *line;
	struct c2c_entry *chain; /* private */
};

#define C2C_LINE_KEY 5

struct c2c_line {
	uint64_t addr; /* address of the first access to it, rounded down */
	uint64_t first_addr;
	uint32_t pid; /* that access's, like its time and map: to look up a name */
	uint8_t cpumode;
	uint64_t time;
	const struct map *map; /* NULL: not known */
	const char *symbol;    /* the data's symbol, if it was looked up; NULL: not known */
	int64_t symbol_offset; /* offset of the line from the symbol's start */
	struct c2c_stats stats;
	uint64_t period; /* the period of all accesses */
	struct c2c_physical physical;
	struct c2c_entry *entries;
	size_t n_entries;
	/* Private: */
	uint64_t key[C2C_LINE_KEY]; /* identifies the memory of the line */
	struct c2c_line *chain;
};

struct c2c_access_record {
	uint64_t ip, addr, phys_addr, time, data_src, weight, period;
	uint32_t pid, tid, cpu;
	uint8_t cpumode;
	const struct map *code, *data; /* NULL: not known */
};

struct c2c_lines_options {
	struct c2c_keys keys;
	enum c2c_display display;
	uint64_t line_bytes; /* 64; twice that for --double-cl */
	bool show_all;
	const int32_t *node_of_cpu; /* by CPU; -1: no node */
	size_t n_cpus;
	/* Returns the node of a physical address; -1: not known. */
	int (*node_of_memory)(void *arg, uint64_t phys_addr);
	void *arg;
};

struct c2c_lines {
	struct c2c_lines_options o;
	struct c2c_stats total;
	struct c2c_stats shared; /* sums of lines with a HITM or a peer's snoop, once settled */
	size_t n_shared;
	struct c2c_line **items; /* once settled: the lines that are shown, most first */
	size_t n, room;
	/* Private: */
	struct arena arena;
	uint64_t seed;
	struct u64_map images;        /* the numbers of images */
	struct c2c_line **line_slots; /* hash tables: heads of chains */
	size_t n_line_slots, n_lines;
	struct c2c_entry **entry_slots;
	size_t n_entry_slots, n_entries;
};

void c2c_lines_init(struct c2c_lines *l, const struct c2c_lines_options *o);
void c2c_lines_done(struct c2c_lines *l);

/* Takes an access. Returns the model's entry to which it belongs. */
const struct c2c_entry *c2c_lines_take(struct c2c_lines *l, const struct c2c_access_record *a);

/* Settles the model after the last access. */
void c2c_lines_settle(struct c2c_lines *l);

/* Returns the value of @s by which cache lines are ranked. */
uint64_t c2c_rank(const struct c2c_stats *s, enum c2c_display d);
