/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A table of samples through the Arrow C data and stream interfaces, so that pandas, polars,
 * pyarrow and others take it without a copy. This code does not depend on Python.
 *
 * The structs are those of https://arrow.apache.org/docs/format/CDataInterface.html. Each exported
 * struct holds a reference to the table and is released by its release(), on any thread. Names are
 * dictionary-encoded; lists have 64-bit offsets.
 */
#include <stddef.h>
#include <stdint.h>

struct sample_column;
struct sample_table;

#define ARROW_NULLABLE 2

struct arrow_schema {
	const char *format, *name, *metadata;
	int64_t flags, n_children;
	struct arrow_schema **children, *dictionary;
	void (*release)(struct arrow_schema *s);
	void *private_data;
};

struct arrow_array {
	int64_t length, null_count, offset, n_buffers, n_children;
	const void **buffers;
	struct arrow_array **children, *dictionary;
	void (*release)(struct arrow_array *a);
	void *private_data;
};

struct arrow_stream {
	int (*get_schema)(struct arrow_stream *s, struct arrow_schema *ret);
	int (*get_next)(struct arrow_stream *s, struct arrow_array *ret);
	const char *(*get_last_error)(struct arrow_stream *s);
	void (*release)(struct arrow_stream *s);
	void *private_data;
};

/* Export the table as a struct of its columns, or a single column. */
void arrow_export_table(struct sample_table *t, struct arrow_array *ret);
void arrow_export_table_schema(struct sample_table *t, struct arrow_schema *ret);
void arrow_export_column(struct sample_table *t, const struct sample_column *c,
			 struct arrow_array *ret);
void arrow_export_column_schema(struct sample_table *t, const struct sample_column *c,
				struct arrow_schema *ret);

/* Exports the table as a stream of one batch. */
void arrow_export_stream(struct sample_table *t, struct arrow_stream *ret);
