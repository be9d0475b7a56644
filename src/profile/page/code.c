/* SPDX-License-Identifier: MIT */
#include "profile/page/code.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/workers.h"
#include "profile/annotation.h"
#include "profile/cell-log.h"
#include "profile/flame-frame.h"
#include "profile/frames.h"
#include "profile/listing.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"
#include "profile/source-text.h"
#include "symbol/text-files.h"

#define FUNCTIONS_MAX 64
/* Shares are whole numbers, so that the order in which they are added makes no difference. */
#define SHARE_ONE 1e12
#define SHARE_MIN (SHARE_ONE * 3 / 1000)
/* The limit for all functions together. The coldest ones get no listing. */
#define ROWS_MAX 30000
/* A larger function is generated code, or no function. */
#define BYTES_MAX 65536

/* A place with samples and its share of all samples, to be added to the share of its function. */
struct page_code_point {
	const struct frame *frame;
	uint32_t id;
	uint64_t share;
};

struct hot {
	const struct frame *frame; /* one of its places */
	const struct page_code_point *points;
	size_t n;
	uint64_t share;
	struct listing listing;
	struct diag why; /* has a message if the function has no listing */
};

struct hots {
	struct hot *items;
	size_t n, room;
};

/* Returns the totals of events. Each event counts as a whole. */
static uint64_t *event_totals(const struct cell_log *log)
{
	size_t n = 1;
	uint64_t *totals;

	for (uint32_t i = 0; i < log->contexts.n; i++) {
		uint64_t event = contexts_get(&log->contexts, i)[CELL_EVENT];

		n = event >= n ? event + 1 : n;
	}
	totals = xcalloc(n, sizeof(*totals));
	for (size_t i = 0; i < log->n; i++) {
		const struct logged_cell *c = cell_log_get(log, i);

		totals[contexts_get(&log->contexts, c->context)[CELL_EVENT]] += c->period;
	}
	return totals;
}

static int by_function(const void *a, const void *b)
{
	return frame_compare_places(((const struct page_code_point *)a)->frame,
				    ((const struct page_code_point *)b)->frame);
}

/* Returns the places that are in functions, those of a function together. */
static struct page_code_point *page_code_find_points(const struct page_code_source *s,
						     size_t *ret_n)
{
	uint32_t n_places = frames_count(s->places);
	_cleanup_(freep) uint64_t *totals = event_totals(s->log);
	struct page_code_point *points = xcalloc((size_t)n_places + 1, sizeof(*points));
	size_t n = 0;

	for (size_t i = 0; i < s->log->n; i++) {
		const struct logged_cell *c = cell_log_get(s->log, i);
		double total =
			(double)totals[contexts_get(&s->log->contexts, c->context)[CELL_EVENT]];

		points[c->place].share +=
			total > 0 ? (uint64_t)((double)c->period / total * SHARE_ONE) : 0;
	}
	for (uint32_t i = 0; i < n_places; i++) {
		const struct frame *f = frames_get(s->places, i);

		if (points[i].share > 0 && f->sym && f->image)
			points[n++] = (struct page_code_point){ f, i, points[i].share };
	}
	if (n)
		qsort(points, n, sizeof(*points), by_function);
	*ret_n = n;
	return points;
}

/* Compares by share, the hottest first, then by name. */
static int page_code_by_share(const void *a, const void *b)
{
	const struct hot *x = a, *y = b;
	int order;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	order = strcmp(x->frame->sym->name, y->frame->sym->name);
	return order ? order : strcmp(flame_frame_object(x->frame), flame_frame_object(y->frame));
}

static void find_hot(struct hots *h, const struct page_code_point *points, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		struct hot hot = { .frame = points[i].frame, .points = &points[i] };

		for (end = i; end < n && points[end].frame->sym == hot.frame->sym &&
			      points[end].frame->image == hot.frame->image;
		     end++)
			hot.share += points[end].share;
		hot.n = end - i;
		if ((double)hot.share >= SHARE_MIN &&
		    hot.frame->sym->end - hot.frame->sym->start <= BYTES_MAX)
			*ARRAY_ADD(h) = hot;
	}
	if (h->n)
		qsort(h->items, h->n, sizeof(h->items[0]), page_code_by_share);
	if (h->n > FUNCTIONS_MAX)
		h->n = FUNCTIONS_MAX;
}

struct listing_job {
	struct hots *hots;
	struct listing_tools *tools; /* one for each worker */
};

/* Makes a listing, without weights, which come from the cells. */
static void page_code_make_listing(void *arg, size_t piece, unsigned worker)
{
	static const struct annotated_functions no_events;
	struct listing_job *j = arg;
	struct hot *h = &j->hots->items[piece];
	const struct annotated_function f = { .image = h->frame->image, .sym = h->frame->sym };

	listing_make(&j->tools[worker], &no_events, &f, &h->listing, &h->why);
}

static void make_listings(struct hots *h, const struct page_code_source *s, struct code_store *code,
			  struct text_files *sources)
{
	unsigned n = workers_count(s->workers);
	_cleanup_(freep) struct listing_tools *tools = xcalloc(n, sizeof(*tools));
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	for (unsigned i = 0; i < n; i++)
		tools[i] =
			(struct listing_tools){ .code = code, .sources = sources, .lock = &lock };
	workers_run(s->workers, h->n, page_code_make_listing, &(struct listing_job){ h, tools });
	for (unsigned i = 0; i < n; i++)
		listing_tools_done(&tools[i]);
	pthread_mutex_destroy(&lock);
}

static void add_untabbed(struct text *t, const char *from)
{
	for (; *from; from++)
		text_add_char(t, *from == '\t' ? ' ' : *from);
}

/* Fills in "mov %eax,%ebx", "call 401136 <main+0x10>", "adrp x3, 20000 <g>". */
static void fill_instruction(struct page *p, const struct listing_line *line, struct page_row *row)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	add_untabbed(&t, line->text);
	if (line->flow.has_target) {
		add_untabbed(&t, line->lead);
		text_addf(&t, "%" PRIx64, line->flow.target);
	}
	if (line->target && !line->jumps_within)
		text_addf(&t, " <%s>", line->target);
	add_untabbed(&t, line->comment);
	row->text = arena_strndup(&p->arena, t.chars, t.length);
	row->addr = line->addr;
}

static void fill_source(struct page *p, const struct listing_line *line, struct page_row *row)
{
	row->is_source = true;
	row->text = arena_strndup(&p->arena, line->text, line->length);
	row->line = line->number;
	row->file = line->at.file ? page_text(p, source_file_text(&line->at, false)) : "";
}

/* Fills in a line of a function that has no code. The places of samples count it. */
static void fill_line(struct page *p, const struct listing_line *line, struct page_row *row)
{
	row->is_line = true;
	row->line = line->number;
	row->text = arena_strndup(&p->arena, line->text, line->length);
}

/* The rows of instructions, whose addresses ascend. */
struct code_rows {
	const struct page_function *function;
	uint32_t *items;
	size_t n;
};

/* Returns the row of the instruction at @addr; PAGE_NONE: none begins there. */
static uint32_t row_at(const struct code_rows *c, uint64_t addr)
{
	const struct page_row *rows = c->function->rows;
	size_t i = BISECT(k, c->n, rows[c->items[k]].addr < addr);

	return i < c->n && rows[c->items[i]].addr == addr ? c->items[i] : PAGE_NONE;
}

static void page_code_add_rows(struct page *p, const struct listing *l, struct page_function *f)
{
	f->rows = xcalloc(l->n + 1, sizeof(*f->rows));
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];
		struct page_row *row = &f->rows[f->n];

		row->to = PAGE_NONE;
		if (line->kind == LISTING_CODE)
			fill_instruction(p, line, row);
		else if (line->kind == LISTING_LINE)
			fill_line(p, line, row);
		else if (line->kind == LISTING_SOURCE || line->kind == LISTING_PLACE)
			fill_source(p, line, row);
		else
			continue;
		f->n++;
	}
}

static void add_jumps(const struct listing *l, struct page_function *f)
{
	_cleanup_(freep) uint32_t *items = xcalloc(f->n + 1, sizeof(*items));
	struct code_rows code = { f, items, 0 };

	for (uint32_t i = 0; i < f->n; i++)
		if (!f->rows[i].is_source)
			items[code.n++] = i;
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];
		uint32_t from = line->jumps_within ? row_at(&code, line->addr) : PAGE_NONE;

		if (from != PAGE_NONE)
			f->rows[from].to = row_at(&code, line->flow.target);
	}
}

/* Does what number_places() does, for a function that has only lines of source. */
static void number_lines(const struct hot *h, const struct page_function *f, uint32_t *n,
			 uint32_t *place_of)
{
	uint32_t first = *n;

	for (size_t i = 0; i < h->n; i++) {
		struct source_line at;
		uint32_t number = first;

		if (!frame_source_line(h->points[i].frame, &at))
			continue;
		for (size_t k = 0; k < f->n; k++) {
			number += f->rows[k].is_line;
			if (f->rows[k].is_line && f->rows[k].line == at.line) {
				place_of[h->points[i].id] = number;
				break;
			}
		}
	}
	for (size_t k = 0; k < f->n; k++)
		*n += f->rows[k].is_line;
}

/* Numbers the instructions of @f, the last function, from *@n on, for the places of @h. */
static void number_places(const struct hot *h, const struct page_function *f, uint32_t *n,
			  uint32_t *place_of)
{
	const struct listing *l = &h->listing;
	uint32_t last = 0;
	size_t at = 0;

	for (size_t i = 0; i < h->n; i++) {
		uint64_t addr = h->points[i].frame->addr - h->frame->sym->start + l->start;

		/*
		 * Both ascend. The instruction is the last one that begins at or before the
		 * address.
		 */
		for (; at < f->n && (f->rows[at].is_source || f->rows[at].addr <= addr); at++)
			if (!f->rows[at].is_source)
				last = ++*n;
		place_of[h->points[i].id] = last;
	}
	for (; at < f->n; at++)
		*n += !f->rows[at].is_source;
}

static void page_code_add_functions(struct page *p, struct page_tree *t, struct hots *hots,
				    uint32_t *place_of)
{
	uint32_t n_instructions = 0;
	size_t n_rows = 0;

	for (size_t i = 0; i < hots->n; i++) {
		const struct hot *h = &hots->items[i];
		struct page_function *f;

		if (n_rows + h->listing.n > ROWS_MAX)
			continue;
		n_rows += h->listing.n;
		f = ARRAY_ADD(&p->functions);
		f->name = page_tree_name(t, h->frame->sym->name);
		f->object = page_tree_object(t, flame_frame_object(h->frame));
		f->why = h->why.message ? page_text(p, h->why.message) : NULL;
		page_code_add_rows(p, &h->listing, f);
		add_jumps(&h->listing, f);
		if (h->listing.is_source)
			number_lines(h, f, &n_instructions, place_of);
		else
			number_places(h, f, &n_instructions, place_of);
	}
}

uint32_t *page_add_code(struct page *p, struct page_tree *t, const struct page_code_source *s)
{
	uint32_t *place_of = xcalloc((size_t)frames_count(s->places) + 1, sizeof(*place_of));
	struct text_files *sources = NULL;
	struct code_store *code = code_store_new();
	struct hots hots = { 0 };
	struct page_code_point *points;
	size_t n;

	if (s->with_source)
		sources = text_files_new(&(struct text_files_options){ .prefix = s->prefix,
								       .strip = s->prefix_strip });
	points = page_code_find_points(s, &n);
	find_hot(&hots, points, n);
	make_listings(&hots, s, code, sources);
	page_code_add_functions(p, t, &hots, place_of);
	for (size_t i = 0; i < hots.n; i++) {
		listing_done(&hots.items[i].listing);
		diag_done(&hots.items[i].why);
	}
	free(hots.items);
	free(points);
	text_files_free(sources);
	code_store_free(code);
	return place_of;
}
