/* SPDX-License-Identifier: MIT */
#include "profile/frame-order.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "datafile/features.h"
#include "datafile/reader.h"
#include "profile/frames.h"
#include "profile/source-text.h"
#include "session/session.h"
#include "symbol/source.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

/* The values by which frames are told apart. */
struct ranked_place {
	uint64_t image; /* the image's number, from 1 on; 0: none */
	uint64_t addr;  /* the address in the image */
	uint64_t ip;    /* at run time; 0 for functions */
	const struct symbol *sym;
	const char *line; /* "main.c:12", if frames go by line; or NULL */
	const char *file; /* the path of that file */
	uint8_t depth;    /* for an address, among the functions inlined there */
	uint32_t frame;   /* one of the frames with these values */
};

struct images {
	struct u64_map numbers; /* numbers by the address of an image (the pointer's value) */
	struct intern names;    /* the names in the recording's header */
	struct u64_map listed;  /* by such a name, its build_id_entry */
	const struct build_id_entry *list;
	size_t n;
};

static const struct build_id_entry *frame_order_entry_of(const struct images *m, const char *name)
{
	const char *known = intern_find(&m->names, name);

	return known ? u64_map_find(&m->listed, (uintptr_t)known) : NULL;
}

static uint64_t frame_order_number_of(struct images *m, const struct image *im)
{
	const struct build_id_entry *e = frame_order_entry_of(m, image_name(im));

	if (!e)
		e = frame_order_entry_of(m, image_long_name(im));
	return e ? (uint64_t)(e - m->list) + 1 : ++m->n;
}

static uint64_t frame_order_image_number(struct images *m, const struct image *im)
{
	uint64_t key = (uint64_t)(uintptr_t)im;
	uint64_t number = (uintptr_t)u64_map_find(&m->numbers, key);

	if (!number) {
		number = m->list ? frame_order_number_of(m, im) : ++m->n;
		u64_map_put(&m->numbers, key, (void *)(uintptr_t)number);
	}
	return number;
}

static void frame_order_take_image(void *arg, struct image *im)
{
	frame_order_image_number(arg, im);
}

/* Numbers the images. As in Linux's perf, those in the header come before those that are mapped. */
static void images_init(struct images *m, const struct session *s)
{
	const struct features *f = session_features(s);

	m->list = f->build_ids.items;
	m->n = f->build_ids.n;
	for (size_t i = 0; i < m->n; i++)
		u64_map_put(&m->listed,
			    (uintptr_t)intern_text(&m->names, f->build_ids.items[i].filename),
			    &f->build_ids.items[i]);
	machine_images(s, frame_order_take_image, m);
}

static void images_done(struct images *m)
{
	u64_map_done(&m->numbers);
	u64_map_done(&m->listed);
	intern_done(&m->names);
}

static struct ranked_place frame_order_place_of(struct images *m, const struct frame *f,
						bool by_address)
{
	struct ranked_place p = { .image = f->image ? frame_order_image_number(m, f->image) : 0 };

	if (f->sym && !by_address) {
		p.sym = f->sym;
		p.addr = f->sym->is_inlined ? 0 : f->sym->start;
	} else {
		p.addr = f->addr;
		p.ip = f->sym ? f->ip : frame_address(f);
		p.depth = f->depth;
	}
	return p;
}

/*
 * Finds the line of a frame. A source line is the same in every image, and is ordered by the text
 * that users see.
 */
static void frame_order_find_line(struct frame_order *o, const struct frame *f,
				  struct ranked_place *p)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct source_line line;

	if (!frame_source_line(f, &line))
		return;
	source_line_text(&line, false, &t);
	p->line = arena_strndup(&o->lines, t.chars, t.length);
	p->file = line.file;
}

static int profile_frame_order_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int frame_order_compare_lines(const struct ranked_place *a, const struct ranked_place *b)
{
	int c;

	if (!a->line || !b->line)
		return !a->line - !b->line;
	c = strcmp(a->line, b->line);
	return c ? c : strcmp(a->file, b->file);
}

static int compare_symbols(const struct symbol *a, const struct symbol *b)
{
	if (a && b && a->is_inlined && b->is_inlined)
		return strcmp(a->name, b->name);
	return profile_frame_order_compare((uintptr_t)a, (uintptr_t)b);
}

/* Compares in a total order in which equal frames compare equal. */
static int frame_order_by_place(const void *a, const void *b)
{
	const struct ranked_place *pa = a, *pb = b;
	int c = frame_order_compare_lines(pa, pb);

	if (c || pa->line)
		return c;
	c = profile_frame_order_compare(pa->image, pb->image);
	if (!c)
		c = profile_frame_order_compare(pa->addr, pb->addr);
	if (!c)
		c = compare_symbols(pa->sym, pb->sym);
	if (!c)
		c = profile_frame_order_compare(pa->ip, pb->ip);
	return c ? c : profile_frame_order_compare(pa->depth, pb->depth);
}

/*
 * A place with the values that mostly decide, so that few comparisons look at the places
 * themselves.
 */
struct sorted_place {
	uint64_t image, addr; /* 0 if lines decide */
	const struct ranked_place *place;
};

static int by_sorted_place(const void *a, const void *b)
{
	const struct sorted_place *sa = a, *sb = b;
	int c = profile_frame_order_compare(sa->image, sb->image);

	if (!c)
		c = profile_frame_order_compare(sa->addr, sb->addr);
	return c ? c : frame_order_by_place(sa->place, sb->place);
}

/* Sorts @places. */
static struct ranked_place *sort_places(struct ranked_place *places, size_t n, bool by_line)
{
	_cleanup_(freep) struct sorted_place *order = xcalloc(n + 1, sizeof(*order));
	struct ranked_place *sorted = xcalloc(n + 1, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		order[i] = (struct sorted_place){ .image = by_line ? 0 : places[i].image,
						  .addr = by_line ? 0 : places[i].addr,
						  .place = &places[i] };
	qsort(order, n, sizeof(*order), by_sorted_place);
	for (size_t i = 0; i < n; i++)
		sorted[i] = *order[i].place;
	free(places);
	return sorted;
}

void frame_order_init(struct frame_order *o, const struct frames *frames, const struct session *s,
		      enum frame_order_by by)
{
	_cleanup_(images_done) struct images images = { 0 };
	size_t n = frames_count(frames);
	struct ranked_place *places = xcalloc(n + 1, sizeof(*places));
	uint32_t rank = 0;

	*o = (struct frame_order){ .ranks = xcalloc(n + 1, sizeof(*o->ranks)), .n = n };
	if (s)
		images_init(&images, s);
	for (uint32_t i = 0; i < n; i++) {
		const struct frame *f = frames_get(frames, i);

		places[i] = frame_order_place_of(&images, f, by == FRAMES_BY_ADDRESS);
		places[i].frame = i;
		if (by == FRAMES_BY_LINE)
			frame_order_find_line(o, f, &places[i]);
	}
	o->places = places = sort_places(places, n, by == FRAMES_BY_LINE);
	for (size_t i = 0; i < n; i++) {
		if (i && frame_order_by_place(&places[rank], &places[i]))
			rank++;
		o->ranks[places[i].frame] = rank;
		places[rank] = places[i];
	}
}

int frame_order_compare(const struct frame_order *o, uint32_t a, uint32_t b)
{
	const struct ranked_place *pa = &o->places[a], *pb = &o->places[b];
	int c;

	if (pa->image != pb->image || pa->sym || pb->sym || pa->line || pb->line)
		return frame_order_by_place(pa, pb);
	c = profile_frame_order_compare(pa->ip, pb->ip);
	return c ? c : profile_frame_order_compare(pa->depth, pb->depth);
}

void frame_order_done(struct frame_order *o)
{
	free(o->ranks);
	free(o->places);
	arena_done(&o->lines);
	*o = (struct frame_order){ 0 };
}
