/* SPDX-License-Identifier: MIT */
#include "python/arrow.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/sample-table.h"

/* The data that an exported struct owns. */
struct exported {
	struct sample_table *table;
	const void *buffers[3];
};

static struct exported *exported_new(struct sample_table *t)
{
	struct exported *e = xcalloc(1, sizeof(*e));

	e->table = sample_table_ref(t);
	return e;
}

static void exported_free(struct exported *e)
{
	sample_table_unref(e->table);
	free(e);
}

/* A child that was moved elsewhere no longer has a release() here. */
static void release_schema(struct arrow_schema *s)
{
	for (int64_t i = 0; i < s->n_children; i++) {
		if (s->children[i]->release)
			s->children[i]->release(s->children[i]);
		free(s->children[i]);
	}
	free(s->children);
	if (s->dictionary) {
		if (s->dictionary->release)
			s->dictionary->release(s->dictionary);
		free(s->dictionary);
	}
	exported_free(s->private_data);
	s->release = NULL;
}

static void release_array(struct arrow_array *a)
{
	for (int64_t i = 0; i < a->n_children; i++) {
		if (a->children[i]->release)
			a->children[i]->release(a->children[i]);
		free(a->children[i]);
	}
	free(a->children);
	if (a->dictionary) {
		if (a->dictionary->release)
			a->dictionary->release(a->dictionary);
		free(a->dictionary);
	}
	exported_free(a->private_data);
	a->release = NULL;
}

static struct arrow_schema schema_of(struct sample_table *t, const char *format, const char *name)
{
	return (struct arrow_schema){ .format = format,
				      .name = name,
				      .flags = ARROW_NULLABLE,
				      .release = release_schema,
				      .private_data = exported_new(t) };
}

/* Returns an array with its validity, and one or two buffers after it. */
static struct arrow_array array_of(struct sample_table *t, size_t length, size_t n_buffers,
				   const void *valid, const void *first, const void *second)
{
	struct exported *e = exported_new(t);

	e->buffers[0] = valid;
	e->buffers[1] = first;
	e->buffers[2] = second;
	return (struct arrow_array){ .length = (int64_t)length,
				     .n_buffers = (int64_t)n_buffers,
				     .buffers = e->buffers,
				     .release = release_array,
				     .private_data = e };
}

static void add_schema_children(struct arrow_schema *s, size_t n)
{
	s->n_children = (int64_t)n;
	s->children = xcalloc(n + 1, sizeof(struct arrow_schema *));
	for (size_t i = 0; i < n; i++)
		s->children[i] = xcalloc(1, sizeof(struct arrow_schema));
}

static void arrow_add_children(struct arrow_array *a, size_t n)
{
	a->n_children = (int64_t)n;
	a->children = xcalloc(n + 1, sizeof(struct arrow_array *));
	for (size_t i = 0; i < n; i++)
		a->children[i] = xcalloc(1, sizeof(struct arrow_array));
}

/* Returns the letters of the format strings. */
static const char *arrow_format_of(enum sample_column_type type)
{
	switch (type) {
	case SAMPLE_COLUMN_U64:
	case SAMPLE_COLUMN_LIST_U64:
		return "L";
	case SAMPLE_COLUMN_I64:
		return "l";
	default:
		return "i";
	}
}

/* Makes the schema of numbers, or of codes with their dictionary. */
static void items_schema(struct sample_table *t, const struct sample_column *c, const char *name,
			 struct arrow_schema *ret)
{
	*ret = schema_of(t, arrow_format_of(c->type), name);
	if (!sample_column_has_names(c->type))
		return;
	ret->dictionary = xcalloc(1, sizeof(*ret->dictionary));
	*ret->dictionary = schema_of(t, "u", "");
}

static void items_array(struct sample_table *t, const struct sample_column *c, bool in_list,
			struct arrow_array *ret)
{
	*ret = array_of(t, c->n_values, 2, in_list ? c->items_valid : c->valid, c->values, NULL);
	ret->null_count = (int64_t)(in_list ? c->n_items_null : c->n_null);
	if (!sample_column_has_names(c->type))
		return;
	ret->dictionary = xcalloc(1, sizeof(*ret->dictionary));
	*ret->dictionary = array_of(t, c->names.n, 3, NULL, c->names.offsets, c->names.bytes);
}

void arrow_export_column_schema(struct sample_table *t, const struct sample_column *c,
				struct arrow_schema *ret)
{
	if (!sample_column_is_list(c->type)) {
		items_schema(t, c, c->name, ret);
		return;
	}
	*ret = schema_of(t, "+L", c->name);
	add_schema_children(ret, 1);
	items_schema(t, c, "item", ret->children[0]);
}

void arrow_export_column(struct sample_table *t, const struct sample_column *c,
			 struct arrow_array *ret)
{
	if (!sample_column_is_list(c->type)) {
		items_array(t, c, false, ret);
		return;
	}
	*ret = array_of(t, t->n_rows, 2, NULL, c->offsets, NULL);
	arrow_add_children(ret, 1);
	items_array(t, c, true, ret->children[0]);
}

void arrow_export_table_schema(struct sample_table *t, struct arrow_schema *ret)
{
	*ret = schema_of(t, "+s", "");
	ret->flags = 0;
	add_schema_children(ret, t->n_columns);
	for (size_t i = 0; i < t->n_columns; i++)
		arrow_export_column_schema(t, &t->columns[i], ret->children[i]);
}

void arrow_export_table(struct sample_table *t, struct arrow_array *ret)
{
	*ret = array_of(t, t->n_rows, 1, NULL, NULL, NULL);
	arrow_add_children(ret, t->n_columns);
	for (size_t i = 0; i < t->n_columns; i++)
		arrow_export_column(t, &t->columns[i], ret->children[i]);
}

struct table_stream {
	struct sample_table *table;
	bool given;
};

static int stream_schema(struct arrow_stream *s, struct arrow_schema *ret)
{
	arrow_export_table_schema(((struct table_stream *)s->private_data)->table, ret);
	return 0;
}

/* Returns the next array. At the end of a stream it is an array that is released already. */
static int stream_next(struct arrow_stream *s, struct arrow_array *ret)
{
	struct table_stream *ts = s->private_data;

	if (ts->given)
		*ret = (struct arrow_array){ 0 };
	else
		arrow_export_table(ts->table, ret);
	ts->given = true;
	return 0;
}

static const char *stream_error(struct arrow_stream *s)
{
	(void)s;
	return NULL;
}

static void stream_release(struct arrow_stream *s)
{
	struct table_stream *ts = s->private_data;

	sample_table_unref(ts->table);
	free(ts);
	s->release = NULL;
}

void arrow_export_stream(struct sample_table *t, struct arrow_stream *ret)
{
	struct table_stream *ts = xcalloc(1, sizeof(*ts));

	ts->table = sample_table_ref(t);
	*ret = (struct arrow_stream){ .get_schema = stream_schema,
				      .get_next = stream_next,
				      .get_last_error = stream_error,
				      .release = stream_release,
				      .private_data = ts };
}
