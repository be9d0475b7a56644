/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the HTML page of a recording: turns a profile that was collected with a log into the model
 * that view/picture/page.h writes.
 */
#include <stdbool.h>

#include "profile/page/page.h"

struct flame;
struct page;
struct profile;

/*
 * Makes the page of @p, which profile_collect() has read with profile_request.with_log; its log
 * is used up. The page borrows nothing; release it with page_done().
 */
void page_make(struct profile *p, const struct page_request *rq, struct page *ret);

/* The texts and settings for the page of a flame graph, beside its boxes. Texts may be NULL. */
struct page_flame {
	const char *title, *subtitle;
	const char *event, *unit;      /* the event and unit of the boxes' weights */
	const struct flame *samples;   /* the same boxes by samples; NULL: not known */
	const char *start;             /* the initial view: page.start */
	const struct profile *profile; /* the profile of the boxes; NULL: not of one recording */
};

/* Makes the page of @f, with its boxes and a table of functions. */
void page_make_flame(const struct flame *f, const struct page_flame *how, struct page *ret);
