/* SPDX-License-Identifier: MIT */
#include "view/picture/flame-data.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "view/json.h"
#include "view/picture/flame-layout.h"

/* Returns one number of a box. */
typedef uint64_t number_fn(const struct flame_box *box, enum flame_side side);

static uint64_t picture_flame_data_depth_of(const struct flame_box *box, enum flame_side side)
{
	(void)side;
	return box->depth;
}

static uint64_t picture_flame_data_kind_of(const struct flame_box *box, enum flame_side side)
{
	(void)side;
	return box->kind;
}

static uint64_t change_of(const struct flame_box *box, enum flame_side side)
{
	(void)side;
	return box->change;
}

static uint64_t picture_flame_data_total_of(const struct flame_box *box, enum flame_side side)
{
	return box->value[side].total;
}

static uint64_t self_of(const struct flame_box *box, enum flame_side side)
{
	return box->value[side].self;
}

static void picture_flame_data_add_column(struct json *j, const char *name,
					  const struct flame_layout *l, number_fn *number,
					  enum flame_side side)
{
	json_key(j, name);
	json_array(j);
	for (size_t i = 0; i < l->f->n; i++)
		if (l->is_drawn[i])
			json_unsigned(j, number(&l->f->boxes[i], side));
	json_end(j, ']');
}

/*
 * Adds the gaps. The next sibling is expected at the end of a box; a gap means that boxes were left
 * out.
 */
static void add_gaps(struct json *j, const struct flame_layout *l, enum flame_side side)
{
	_cleanup_(freep) uint64_t *next = xcalloc(l->f->n, sizeof(*next));

	json_key(j, "gap");
	json_array(j);
	for (size_t i = 0; i < l->f->n; i++) {
		const struct flame_box *box = &l->f->boxes[i];
		uint64_t start = l->start[side][i];

		if (!l->is_drawn[i])
			continue;
		json_unsigned(j, i ? start - next[box->parent] : 0);
		next[i] = start;
		if (i)
			next[box->parent] = start + box->value[side].total;
	}
	json_end(j, ']');
}

static void picture_flame_data_add_side(struct json *j, const char *name,
					const struct flame_layout *l, enum flame_side side)
{
	json_key(j, name);
	json_object(j);
	add_gaps(j, l, side);
	picture_flame_data_add_column(j, "total", l, picture_flame_data_total_of, side);
	picture_flame_data_add_column(j, "self", l, self_of, side);
	json_end(j, '}');
}

static int picture_flame_data_by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t) * (const char *const *)a,
		  y = (uintptr_t) * (const char *const *)b;

	return (x > y) - (x < y);
}

static int picture_flame_data_by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Finds the objects of all drawn boxes, each once, by name. */
static size_t find_objects(const struct flame_layout *l, const char **objects)
{
	size_t n = 0, m = 0;

	for (size_t i = 0; i < l->f->n; i++)
		if (l->is_drawn[i])
			objects[n++] = l->f->boxes[i].object;
	/* Equal texts are one copy, so they can be compared by address. */
	qsort(objects, n, sizeof(*objects), picture_flame_data_by_address);
	for (size_t i = 0; i < n; i++)
		if (!i || objects[i] != objects[i - 1])
			objects[m++] = objects[i];
	qsort(objects, m, sizeof(*objects), picture_flame_data_by_text);
	return m;
}

static void add_objects(struct json *j, const struct flame_layout *l)
{
	_cleanup_(freep) const char **objects = xcalloc(l->n, sizeof(*objects));
	size_t n = find_objects(l, objects);

	json_key(j, "objects");
	json_array(j);
	for (size_t i = 0; i < n; i++)
		json_string(j, objects[i]);
	json_end(j, ']');
	json_key(j, "object");
	json_array(j);
	for (size_t i = 0; i < l->f->n; i++) {
		const char **at;

		if (!l->is_drawn[i])
			continue;
		at = bsearch(&l->f->boxes[i].object, objects, n, sizeof(*objects),
			     picture_flame_data_by_text);
		json_unsigned(j, (uint64_t)(at - objects));
	}
	json_end(j, ']');
}

static void picture_flame_data_add_words(struct json *j, const struct flame_layout *l,
					 const struct flame_picture *picture)
{
	json_member_unsigned(j, "version", 1);
	json_member(j, "title", picture->title);
	json_member(j, "subtitle", picture->subtitle);
	json_member(j, "count", picture->count_name);
	json_member_bool(j, "icicle", picture->is_icicle);
	json_member_bool(j, "comparison", l->f->is_comparison);
	if (l->f->is_comparison) {
		json_member(j, "beforeName", picture->before);
		json_member(j, "afterName", picture->after);
	}
	json_key(j, "kinds");
	json_array(j);
	for (unsigned i = 0; i < flame_layout_kinds(l); i++)
		json_string(j, flame_kind_word(i));
	json_end(j, ']');
}

void flame_data_add(struct text *t, const struct flame_layout *l,
		    const struct flame_picture *picture)
{
	struct json j;

	json_init_text(&j, t);
	j.on_line = true;
	j.is_tight = true;
	j.colon = ":";
	json_object(&j);
	picture_flame_data_add_words(&j, l, picture);
	add_objects(&j, l);
	picture_flame_data_add_column(&j, "depth", l, picture_flame_data_depth_of, FLAME_AFTER);
	picture_flame_data_add_column(&j, "kind", l, picture_flame_data_kind_of, FLAME_AFTER);
	picture_flame_data_add_side(&j, "after", l, FLAME_AFTER);
	if (l->f->is_comparison) {
		picture_flame_data_add_side(&j, "before", l, FLAME_BEFORE);
		picture_flame_data_add_column(&j, "change", l, change_of, FLAME_AFTER);
	}
	json_end(&j, '}');
}
