/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of `perf kmem`, which may stand before or after the subcommand. */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"
#include "session/time-window.h"
#include "tools/kmem/keys-model.h"

struct command;

extern const struct command cmd_kmem_record;
extern const struct command cmd_kmem_stat;

enum kmem_table {
	KMEM_TABLE_ALLOC,
	KMEM_TABLE_CALLER,
};
#define KMEM_TABLES (KMEM_TABLE_CALLER + 1)

/* The chosen allocators and tables, and the settings of each. */
struct kmem_choice {
	bool shown[KMEM_TABLES];
	bool slab, page;
	bool page_is_default; /* kmem.default is "page" */
	/* --sort and --line apply to the table and the allocator that were named last. */
	enum kmem_table last_table;
	enum kmem_allocator last_allocator;
	struct kmem_keys keys[2][KMEM_TABLES]; /* by allocator; empty: the default */
	int64_t lines[KMEM_TABLES];            /* below 0: all */
	bool limited[KMEM_TABLES];             /* --sort or --line was given for the table */
};

struct kmem_opts {
	struct kmem_choice choice;
	const char *input; /* NULL: perf.data, or standard input when that is a pipe */
	bool force;
	bool live, raw_ip;
	unsigned verbose;
	struct time_window time;
};

/* The defaults of a command that are not zero. */
#define KMEM_OPTS_DEFAULT                                                                          \
	{                                                                                          \
		.choice = { .lines = { -1, -1 } },                                                 \
	}

/* The options over a struct kmem_opts. */
extern const struct option kmem_options[];

void kmem_opts_done(struct kmem_opts *o);

/*
 * True if events of the slab allocator, or of pages, are requested. Without an option, kmem.default
 * decides.
 */
bool kmem_wants_slab(const struct kmem_choice *c);
bool kmem_wants_page(const struct kmem_choice *c);
