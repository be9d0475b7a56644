/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of a fleet's store, which are the same in every database (docs/fleet.md).
 *
 * The first column of a dictionary is the id of the row, computed from its other columns: a row
 * never changes, and machines that write the same row write the same id. Numbers are 64 bits wide
 * with a sign, texts are UTF-8; nothing is NULL. Times are in seconds since 1970.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* Raised when a column or table changes; an older store is upgraded when it is written. */
#define FLEET_SCHEMA_VERSION 1

enum fleet_table {
	FLEET_IMAGE,
	FLEET_FRAME,
	FLEET_STACK,
	FLEET_SOURCE,
	FLEET_EVENT,
	FLEET_BATCH,
	FLEET_SAMPLE,
	FLEET_HOUR, /* sums of FLEET_SAMPLE */
	N_FLEET_TABLES,
};

enum {
	IMAGE_ID,
	IMAGE_BUILD_ID,
	IMAGE_NAME,
	IMAGE_IS_KERNEL,
	N_IMAGE_COLUMNS
};
/* A function; or, if @function is "", an address in the file of the image. */
enum {
	FRAME_ID,
	FRAME_IMAGE,
	FRAME_FUNCTION,
	FRAME_IS_INLINED,
	FRAME_ADDRESS,
	N_FRAME_COLUMNS
};
/* A stack. @parent is the stack of the caller; 0: there is none. */
enum {
	STACK_ID,
	STACK_PARENT,
	STACK_FRAME,
	N_STACK_COLUMNS
};
/*
 * A source. @rollup is the source of which this one is part in FLEET_HOUR: of all hosts and
 * containers.
 */
enum {
	FLEET_SOURCE_ID,
	FLEET_SOURCE_HOST,
	FLEET_SOURCE_SERVICE,
	FLEET_SOURCE_CONTAINER,
	FLEET_SOURCE_COMM,
	FLEET_SOURCE_ROLLUP,
	N_SOURCE_COLUMNS
};
enum {
	EVENT_ID,
	EVENT_NAME,
	EVENT_IS_TIME,
	N_EVENT_COLUMNS
};
/* The data that a host sent for one minute: all of it, or nothing. */
enum {
	BATCH_ID,
	BATCH_MINUTE,
	BATCH_HOST,
	N_BATCH_COLUMNS
};
enum {
	SAMPLE_MINUTE,
	SAMPLE_BATCH,
	SAMPLE_SOURCE,
	SAMPLE_EVENT,
	SAMPLE_STACK,
	SAMPLE_SAMPLES,
	SAMPLE_PERIOD,
	N_SAMPLE_COLUMNS
};
enum {
	HOUR_HOUR,
	HOUR_SOURCE,
	HOUR_EVENT,
	HOUR_STACK,
	HOUR_SAMPLES,
	HOUR_PERIOD,
	N_HOUR_COLUMNS
};

#define FLEET_COLUMNS_MAX 8

struct fleet_column {
	const char *name;
	bool is_text;
};

struct fleet_table_type {
	const char *name;
	bool is_dictionary;
	size_t n_columns;
	struct fleet_column columns[FLEET_COLUMNS_MAX];
};

extern const struct fleet_table_type fleet_tables[N_FLEET_TABLES];

/* A column whose numbers are ids of a dictionary's rows. */
struct fleet_reference {
	enum fleet_table to, from;
	size_t column;
	bool may_be_0; /* 0 stands for no row */
};

#define N_FLEET_REFERENCES 6
extern const struct fleet_reference fleet_references[N_FLEET_REFERENCES];

/*
 * Appends "CREATE TABLE IF NOT EXISTS name (" and the columns, with the database's words for types.
 * The caller appends additions for the database.
 */
void fleet_add_columns(struct text *t, enum fleet_table table, const char *number_type,
		       const char *text_type);

union fleet_cell {
	int64_t number;
	const char *text;
};
