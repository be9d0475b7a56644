/* SPDX-License-Identifier: MIT */
#pragma once
/* The internals of a table of samples that is being made. Private to profile/sample-table*. */
#include "base/intern.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "profile/frames.h"
#include "profile/resolver.h"
#include "profile/sample-table.h"
#include "profile/stack-path.h"
#include "session/consumer.h"
#include "tracepoint/field.h"

/* The data that has to be looked up for a field. */
enum {
	FIELD_WANTS_TASK = 1 << 0,
	FIELD_WANTS_PLACE = 1 << 1,
	FIELD_WANTS_OFFSET = 1 << 2, /* within the function: frames by address */
	FIELD_WANTS_CHAIN = 1 << 3,
	FIELD_WANTS_CHAIN_PLACES = 1 << 4,
};

/* A sample that passed the filters, with the data that was looked up. */
struct kept_sample {
	const struct session_sample *s;
	const char *comm;
	uint32_t frame; /* the sampled place; FRAME_NONE: not looked up */
	uint32_t chain_first, chain_n;
	uint32_t node; /* from stack_numbers_take() */
};

enum sample_field_source {
	SOURCE_NUMBER, /* read by get() */
	SOURCE_EVENT,
	SOURCE_COMM,
	SOURCE_SYMBOL,
	SOURCE_OFFSET, /* from the start of the function */
	SOURCE_IMAGE,
	SOURCE_CHAIN,
	SOURCE_CHAIN_SYMBOL,
	SOURCE_CHAIN_IMAGE,
	SOURCE_BRANCH_FROM,
	SOURCE_BRANCH_TO,
	SOURCE_TRACEPOINT_NUMBER,
	SOURCE_TRACEPOINT_TEXT,
	SOURCE_TRACEPOINT_ARRAY,
	SOURCE_MODE,
	SOURCE_STACK,
	SOURCE_HOST, /* for a fleet's store, whose cgroup is HOST/SERVICE */
	SOURCE_SERVICE,
};

struct sample_field {
	const char *name;
	enum sample_column_type type;
	enum sample_field_source source;
	uint64_t (*get)(const struct session_sample *s);
	uint64_t recorded; /* PERF_SAMPLE_*: one must be recorded; 0: always there */
	uint64_t none;     /* the number that means no value; 0: no number does */
	unsigned wants;
};

/*
 * Find a field by name, or return NULL. The second function finds the fields that only queries
 * have.
 */
const struct sample_field *sample_field_find(const char *name);
const struct sample_field *sample_field_find_more(const char *name);

/* A field of a tracepoint's records. */
struct bound_field {
	struct field_ref ref;
	unsigned item_bytes; /* for arrays */
	bool items_signed;
};

/* Texts as numbers, for one worker. */
struct local_names {
	struct intern texts;
	struct u64_map codes; /* 1 + the number, by the text's address */
	struct {
		const char **items;
		size_t n, room;
	} list;
	const char *last; /* the text with the number @last_code */
	int32_t last_code;
};

/* The part of a column that one worker has made. */
struct column_part {
	void *values; /* by row: 8 or 4 bytes; for lists: uint64_t, where its items begin */
	size_t room;
	uint8_t *valid; /* by row; NULL: all are valid */
	size_t valid_room;
	void *items; /* for lists: uint64_t addresses or uint32_t frames */
	size_t n_items, items_room;
	struct local_names names;
	struct bound_field *refs; /* by event; for fields of tracepoints */
	size_t n_refs;
};

/* Rows of a worker that are consecutive in the file. */
struct row_run {
	uint64_t position;
	size_t first, n;
	unsigned worker;
};

struct table_worker {
	struct resolver resolver;
	struct stack_path path;
	struct column_part *parts; /* indexed by column */
	uint64_t *times;
	size_t n, times_room;
	struct {
		struct row_run *items;
		size_t n, room;
	} runs;
	uint64_t next_position; /* after the last record of the last run */
	/* For the current batch: */
	struct kept_sample *kept;
	size_t kept_room;
	uint64_t *chain_ips;
	uint32_t *chain_frames;
	size_t n_chain, ips_room, frames_room;
	struct text scratch;
	/* By frame, whether a filter for places leaves it out: 0 not checked yet, 1 no, 2 yes. */
	uint8_t *marks;
	size_t marks_room;
};

/* A requested column. */
struct table_column {
	char *name;                /* for a tracepoint's field: without the dot */
	struct sample_field field; /* for a tracepoint: generated */
	bool partial;              /* some event may lack it */
};

struct sample_table_maker {
	struct sample_table_options options;
	struct table_column *columns;
	size_t n_columns;
	unsigned wants; /* the wants of all columns together */
	struct frames *frames;
	struct table_worker *workers;
};

/* Appends the values of column @i for @n samples of w->kept. */
void sample_field_fill(struct sample_table_maker *m, struct table_worker *w, size_t i, size_t n);

/* Returns the size in bytes of the elements of column_part.items, and of values. */
size_t column_part_width(const struct sample_field *f);
