/* SPDX-License-Identifier: MIT */
#include "profile/page/make.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "datafile/reader.h"
#include "profile/cell-log.h"
#include "profile/page/code.h"
#include "profile/page/facts.h"
#include "profile/page/fill.h"
#include "profile/page/fit.h"
#include "profile/page/from-flame.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"
#include "profile/profile.h"
#include "session/session.h"

/* The least size of a sample in a recording, used if the recording's size is not known. */
#define SAMPLE_BYTES 64

/* Listings are packed: the text of code shrinks to a fifth, and base64 adds a third to that. */
#define PACKED_CODE_PARTS 4
#define ROW_BYTES         24 /* beside its text: keys, the address */

static uint64_t recorded_size(const struct profile *p)
{
	const struct datafile *df = session_datafile(p->session);
	uint64_t size = df ? datafile_facts(df)->size : 0;

	return size ? size : collector_log(p->collector)->n * SAMPLE_BYTES;
}

static size_t size_of_code(const struct page *page)
{
	size_t n = 0;

	for (size_t i = 0; i < page->functions.n; i++)
		for (size_t k = 0; k < page->functions.items[i].n; k++)
			n += strlen(page->functions.items[i].rows[k].text) + ROW_BYTES;
	return n / PACKED_CODE_PARTS;
}

static uint32_t *page_make_add_code(struct profile *p, struct page_tree *t, struct page *page)
{
	return page_add_code(page, t,
			     &(struct page_code_source){
				     .log = collector_log(p->collector),
				     .places = p->places,
				     .workers = p->workers,
				     .with_source = true,
			     });
}

static void page_make_fill(struct profile *p, const struct page_request *rq, struct page *page)
{
	_cleanup_(freep) uint32_t *place_of = NULL;
	struct page_tree tree;

	page_tree_init(&tree, page);
	if (rq->views & PAGE_VIEW_CODE)
		place_of = page_make_add_code(p, &tree, page);
	page_fill(page, &tree,
		  &(struct page_source){
			  .session = p->session,
			  .collector = p->collector,
			  .log = collector_log(p->collector),
			  .frames = p->env.frames,
			  .filter = p->filter,
			  .part = rq->part,
			  .place_of = place_of,
		  });
	page_tree_done(&tree);
}

/* Returns the wanted views without those that would be empty. */
static unsigned possible_views(const struct page *page, unsigned wanted)
{
	if (!page->has_times)
		wanted &= ~(unsigned)PAGE_VIEW_TIME;
	if (!page->functions.n)
		wanted &= ~(unsigned)PAGE_VIEW_CODE;
	return wanted;
}

void page_make(struct profile *p, const struct page_request *rq, struct page *ret)
{
	size_t limit, code;

	page_init(ret);
	page_make_fill(p, rq, ret);
	ret->views = possible_views(ret, rq->views);
	page_add_facts(ret, p, rq);
	limit = page_size_limit(recorded_size(p));
	code = size_of_code(ret);
	page_fit(ret, code < limit / 2 ? limit - code : limit / 2);
}

/* Joins the settings of the caller and those of the boxes, in the form of a link. */
static const char *join_starts(struct page *page, const char *a, const char *b)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!a || !b)
		return a ? a : b ? page_text(page, b) : NULL;
	text_addf(&t, "%s&%s", a, b);
	return page_text(page, t.chars);
}

void page_make_flame(const struct flame *f, const struct page_flame *how, struct page *ret)
{
	page_init(ret);
	page_add_flame(ret, &(struct page_boxes){ .weights = f,
						  .samples = how->samples,
						  .event = how->event ? how->event : "",
						  .unit = how->unit ? how->unit : "" });
	ret->start = join_starts(ret, ret->start, how->start);
	ret->views = PAGE_VIEW_FLAME | PAGE_VIEW_TABLE;
	if (how->profile) {
		ret->views |= PAGE_VIEW_FACTS;
		page_add_facts(ret, how->profile,
			       &(struct page_request){ how->title, how->subtitle, 0, NULL });
	} else {
		ret->title = page_text(ret, how->title ? how->title : "Flame graph");
		ret->subtitle = page_text(ret, how->subtitle ? how->subtitle : "");
	}
	page_fit(ret, page_size_limit(0));
}
