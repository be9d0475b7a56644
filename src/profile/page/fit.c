/* SPDX-License-Identifier: MIT */
#include "profile/page/fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "profile/page/cells.h"
#include "profile/page/columns.h"
#include "profile/page/fold.h"
#include "profile/page/order.h"
#include "profile/page/pack.h"
#include "profile/page/page.h"

/*
 * The limits for the data of a page: 100 MB recorded give less than 2 MB, and 1 GB less than 15 MB,
 * including the page's own script of 0.2 MB. Small recordings are not reduced.
 */
#define LIMIT_MIN   1500000
#define LIMIT_BASE  300000
#define LIMIT_PARTS 71

/* More bins than a large screen has columns of pixels are useful only after zooming. */
#define BINS_VISIBLE 4000
/* There are fewer bins than this only if nothing else helps. */
#define BINS_MIN 64

/* A browser shows the first picture of this many cells within a second. */
#define CELLS_MAX 600000

/* If there are fewer threads than this, they are not joined. */
#define TASKS_MIN 200

/* Shares of the whole. The first share that is left out is a fiftieth of a pixel. */
#define SHARE_FIRST 0.00001
#define SHARE_LAST  0.05

/*
 * The sizes of cells and nodes in the file, in bytes, and the part of texts that remains after
 * packing; measured.
 */
#define SIZE_OF_CELL 3.2
#define SIZE_OF_NODE 1.8
#define TEXT_PACKED  0.3

/* Base64 turns three bytes into four characters. */
#define IN_BASE64(n) (((n) + 2) / 3 * 4)

size_t page_size_limit(uint64_t recorded)
{
	uint64_t limit = LIMIT_BASE + recorded / LIMIT_PARTS;

	return limit > LIMIT_MIN ? (size_t)limit : LIMIT_MIN;
}

/* Returns the size of the lists of tasks and names. */
static double size_of_texts(const struct page *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->names.n; i++)
		n += strlen(p->names.items[i]) + 3;
	for (size_t i = 0; i < p->tasks.n; i++)
		n += strlen(p->tasks.items[i].comm) + 32;
	return (double)n * TEXT_PACKED;
}

static double guess_size(const struct page *p)
{
	return (double)p->cells.n * SIZE_OF_CELL + (double)p->nodes.n * SIZE_OF_NODE +
	       size_of_texts(p);
}

struct page_fitting {
	struct page *page;
	uint64_t bin_ns; /* the initial width of a bin */
	size_t cells_max;
	double share;      /* callers below this were left out; 0: none were */
	double task_share; /* tasks below this were joined; 0: none were */
};

static void fold_more(struct page_fitting *f)
{
	struct page *p = f->page;

	f->share = f->share > 0 ? f->share * 2 : SHARE_FIRST;
	page_fold(p, f->share);
	if (p->tasks.n > TASKS_MIN) {
		f->task_share = f->share;
		page_fold_tasks(p, f->share);
	}
}

/*
 * Reduces the page until it seems to be small enough. Returns false if nothing is left to reduce.
 */
static bool page_fit_reduce(struct page_fitting *f, double size)
{
	struct page *p = f->page;
	bool folds = false;

	while (guess_size(p) > size || p->cells.n > f->cells_max) {
		bool may_fold = f->share < SHARE_LAST;
		bool may_halve = p->n_bins > (may_fold ? BINS_MIN : 1);

		if (!may_halve && !may_fold)
			return false;
		folds = !folds;
		if (may_halve && (p->n_bins > BINS_VISIBLE || !folds || !may_fold))
			page_cells_halve_bins(p);
		else
			fold_more(f);
	}
	return true;
}

static void say_what_was_dropped(const struct page_fitting *f)
{
	struct page *p = f->page;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (p->bin_ns != f->bin_ns)
		text_addf(&t, "times are exact to %" PRIu64 " ms", p->bin_ns / 1000000);
	if (f->share > 0)
		text_addf(&t, "%scallers with less than %.2g %% of the samples are left out",
			  t.length ? ", " : "", f->share * 100);
	if (f->task_share > 0)
		text_addf(&t, ", threads with less than %.2g %% are one for each name",
			  f->task_share * 100);
	if (t.length)
		p->dropped = page_text(p, t.chars);
}

static void page_fit_pack(struct page *p)
{
	page_order_nodes(p);
	page_columns_done(&p->columns);
	p->packed.n = 0;
	page_columns_make(p, &p->columns);
	page_pack(p->columns.data.data, p->columns.data.n, &p->packed);
}

void page_fit(struct page *p, size_t limit)
{
	struct page_fitting f = { .page = p,
				  .bin_ns = p->bin_ns,
				  .cells_max = limit < SIZE_MAX ? CELLS_MAX : SIZE_MAX };
	double size = (double)limit, real;
	bool reduced;

	page_fold(p, 0);
	do {
		reduced = page_fit_reduce(&f, size);
		page_fit_pack(p);
		real = (double)IN_BASE64(p->packed.n) + size_of_texts(p);
		/* This corrects the size by the error of the estimate. */
		size = guess_size(p) * (double)limit / real * 0.98;
	} while (reduced && real > (double)limit);
	say_what_was_dropped(&f);
}
