/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows of a fleet's tables in memory: what a host sends, or what was read back.
 */
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
	struct u64_map ids; /* of a dictionary: 1 + the number of the row */
};

struct fleet_data {
	struct fleet_rows tables[N_FLEET_TABLES];
	char *remark; /* a sentence about what was not there to be read; or NULL */
	/* private: */
	struct intern texts;
	struct text scratch;
};

struct fleet_data *fleet_data_new(void);
void fleet_data_free(struct fleet_data *d);
DEFINE_FREEP(fleet_data)

/* The cells of row @i. */
static inline union fleet_cell *fleet_row(const struct fleet_data *d, enum fleet_table t, size_t i)
{
	return d->tables[t].cells + i * fleet_tables[t].n_columns;
}

/* The row of a dictionary; NULL: it is not here. */
const union fleet_cell *fleet_find(const struct fleet_data *d, enum fleet_table t, int64_t id);

bool fleet_rows_equal(enum fleet_table t, const union fleet_cell *a, const union fleet_cell *b);

/*
 * Adds a row as it is, its texts copied; of a dictionary only once. Bytes of texts that are no
 * UTF-8 become \xNN.
 */
void fleet_add(struct fleet_data *d, enum fleet_table t, const union fleet_cell *cells);

/* Rows of dictionaries, made here: each returns the id. */
int64_t fleet_add_image(struct fleet_data *d, const char *build_id, const char *name,
			bool is_kernel);
int64_t fleet_add_function(struct fleet_data *d, int64_t image, const char *name, bool is_inlined);
int64_t fleet_add_address(struct fleet_data *d, int64_t image, uint64_t address);
int64_t fleet_add_stack(struct fleet_data *d, int64_t parent, int64_t frame);
int64_t fleet_add_event(struct fleet_data *d, const char *name, bool is_time);

struct fleet_source {
	const char *host, *service, *container, *comm;
};

/* And the source that it is rolled up into. */
int64_t fleet_add_source(struct fleet_data *d, const struct fleet_source *s);

/*
 * Whose samples these are. Where minutes were derived from something that may change, as the time
 * of a file, @base is what they count from, and is no part of what batches are known by. @origin
 * tells a recording from all others of the host, as the same rows of another one count once more.
 */
struct fleet_recording {
	const char *host;
	int64_t base;
	uint64_t origin;
};

/*
 * After the last sample: adds up equal rows, and makes a batch of each minute. A batch is known by
 * host, recording and minute, whatever its rows are.
 */
void fleet_make_batches(struct fleet_data *d, const struct fleet_recording *r);

/* The ids that rows refer to and @t lacks, in their order; the caller frees the list. */
int64_t *fleet_missing(const struct fleet_data *d, enum fleet_table t, size_t *ret_n);
