/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A database that holds a fleet's profiles: one class for each kind.
 *
 * Errors are negative, with a message. -EAGAIN: the server is unreachable or busy, and the data can
 * be sent again. All other errors do not go away by waiting.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/u64-map.h"
#include "store/tables.h"

struct diag;
struct fleet_data;
struct fleet_filter;
struct fleet_store;
struct fleet_url;

/* The result of sending batches. */
struct fleet_receipt {
	size_t n_new, n_known; /* known: they existed already, and count once */
	/*
	 * The number of dictionary rows for whose id the store has a different row, which is shown
	 * instead.
	 */
	size_t n_collisions;
};

/* The time for which data is kept, in seconds back from @now; 0: everything. */
struct fleet_retention {
	int64_t now, minutes, hours;
};

struct fleet_store_class {
	const char *const *schemes; /* NULL-terminated */
	/*
	 * Opens a store. @writes: the tables are made, or upgraded. -ENODATA: there is nothing to
	 * read.
	 */
	int (*open)(const struct fleet_url *u, bool writes, struct fleet_store **ret,
		    struct diag *diag);
	void (*close)(struct fleet_store *s);
	/* Sends dictionaries and batches. Each batch arrives whole, and once, or not at all. */
	int (*put)(struct fleet_store *s, const struct fleet_data *d, struct fleet_receipt *ret,
		   struct diag *diag);
	/*
	 * Reads the rows that @f chooses into FLEET_SAMPLE, added up over hosts, services and
	 * containers, and over time, as @f says; the rows' batch is 0, and so are minutes that were
	 * added up. Their sources have "" where hosts were added up, and are in @d. By function,
	 * the stack of a row is the id of a frame. NULL: write only.
	 */
	int (*weights)(struct fleet_store *s, const struct fleet_filter *f, struct fleet_data *d,
		       struct diag *diag);
	/*
	 * Reads the rows of a dictionary with these ids, which are sorted, into @d. It may read
	 * more rows.
	 */
	int (*fetch)(struct fleet_store *s, enum fleet_table t, const int64_t *ids, size_t n,
		     struct fleet_data *d, struct diag *diag);
	/* Gets the single number that @sql returns; *@ret is unchanged if there is none. */
	int (*number)(struct fleet_store *s, const char *sql, int64_t *ret, struct diag *diag);
	/* Makes sums of past hours, and removes data that is too old. */
	int (*maintain)(struct fleet_store *s, const struct fleet_retention *r, struct diag *diag);
};

/* The first member of every store. */
struct fleet_store {
	const struct fleet_store_class *class;
	struct u64_map checked; /* ids whose rows are known to be ours */
};

extern const struct fleet_store_class fleet_sqlite, fleet_postgresql, fleet_clickhouse, fleet_otlp;

/* True if the @n letters of @scheme are those of a store's URL. */
bool fleet_has_scheme(const char *scheme, size_t n);

int fleet_store_open(const struct fleet_url *u, bool writes, struct fleet_store **ret,
		     struct diag *diag);
void fleet_store_close(struct fleet_store *s);
static inline void fleet_store_closep(struct fleet_store **s)
{
	fleet_store_close(*s);
}

/* Sends the data, and checks that rows of dictionaries that existed already are the same. */
int fleet_store_put(struct fleet_store *s, const struct fleet_data *d, struct fleet_receipt *ret,
		    struct diag *diag);

/*
 * Reads everything that the filter of @u chooses, with the dictionaries; a remark in the data says
 * what is no longer kept. -ENODATA: there is nothing.
 */
int fleet_read(const struct fleet_url *u, struct fleet_data **ret, struct diag *diag);

/* For put(): notes that the row of a dictionary with this id did not exist, and is ours. */
void fleet_store_wrote(struct fleet_store *s, int64_t id);

/* Refuses a store without tables that is only to be read. Returns -ENODATA. */
int fleet_refuse_empty(const char *store, struct diag *diag);

/* Refuses a store whose tables have an unknown @version. Returns -ENOTSUP. */
int fleet_refuse_newer(const char *store, int64_t version, struct diag *diag);

int fleet_store_maintain(struct fleet_store *s, const struct fleet_retention *r, struct diag *diag);
