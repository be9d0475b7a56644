/* SPDX-License-Identifier: MIT */
#pragma once
/* Rows of a fleet's tables in memory: rows that a host sends, or rows that were read back. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "store/tables.h"

struct fleet_rows {
	union fleet_cell *cells;
	size_t n, room;     /* in rows */
	struct u64_map ids; /* for a dictionary: 1 + the row's number */
};

struct fleet_data {
	struct fleet_rows tables[N_FLEET_TABLES];
	char *remark; /* a sentence about data that could not be read; or NULL */
	/* private: */
	struct intern texts;
	struct text scratch;
};

struct fleet_data *fleet_data_new(void);
void fleet_data_free(struct fleet_data *d);
DEFINE_FREEP(fleet_data)

/* Returns the cells of row @i. */
static inline union fleet_cell *fleet_row(const struct fleet_data *d, enum fleet_table t, size_t i)
{
	return d->tables[t].cells + i * fleet_tables[t].n_columns;
}

/* Returns the number of a row of a dictionary, from 1 on; 0: it is not in @d. */
size_t fleet_find_number(const struct fleet_data *d, enum fleet_table t, int64_t id);

/* Returns the row of a dictionary; NULL: it is not in @d. */
const union fleet_cell *fleet_find(const struct fleet_data *d, enum fleet_table t, int64_t id);

bool fleet_rows_equal(enum fleet_table t, const union fleet_cell *a, const union fleet_cell *b);

/*
 * Adds a row unchanged, with its texts copied; a row of a dictionary is added only once. Bytes of
 * texts that are not UTF-8 become \xNN.
 */
void fleet_add(struct fleet_data *d, enum fleet_table t, const union fleet_cell *cells);

/* Add rows of dictionaries that are made here; each returns the id. */
int64_t fleet_add_image(struct fleet_data *d, const char *build_id, const char *name,
			bool is_kernel);
int64_t fleet_add_function(struct fleet_data *d, int64_t image, const char *name, bool is_inlined);
int64_t fleet_add_address(struct fleet_data *d, int64_t image, uint64_t address);
int64_t fleet_add_stack(struct fleet_data *d, int64_t parent, int64_t frame);
int64_t fleet_add_event(struct fleet_data *d, const char *name, bool is_time);

struct fleet_source {
	const char *host, *service, *container, *comm;
};

/* Adds the source and the one that it is rolled up into. */
int64_t fleet_add_source(struct fleet_data *d, const struct fleet_source *s);

/*
 * The origin of samples. If minutes were derived from a time that may change, such as that of a
 * file, they count from @base, which is not part of a batch's identity. @origin distinguishes a
 * recording from all others of the host, because the same rows of another recording count again.
 */
struct fleet_recording {
	const char *host;
	int64_t base;
	uint64_t origin;
};

/*
 * Adds up equal rows, and makes a batch of each minute. To be called after the last sample. A batch
 * is identified by host, recording and minute, whatever its rows are.
 */
void fleet_make_batches(struct fleet_data *d, const struct fleet_recording *r);

/* Returns the ids that rows refer to and @t lacks, in their order; the caller frees the list. */
int64_t *fleet_missing(const struct fleet_data *d, enum fleet_table t, size_t *ret_n);
