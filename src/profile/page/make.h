/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The HTML page of a recording: from a profile that was collected with a log to the model that
 * view/picture/page.h writes.
 */
#include <stdbool.h>

#include "profile/page/page.h"

struct flame;
struct page;
struct profile;

/*
 * Makes the page of @p, which profile_collect() has read with profile_request.with_log. The page
 * borrows nothing, and is released with page_done().
 */
void page_make(struct profile *p, const struct page_request *rq, struct page *ret);

/* What the page of a flame graph says beside its boxes. Texts may be NULL. */
struct page_flame {
	const char *title, *subtitle;
	const char *event, *unit;      /* what the boxes weigh */
	const struct flame *samples;   /* the same boxes by samples; NULL: not known */
	const char *start;             /* what is shown at first: page.start */
	const struct profile *profile; /* that the boxes are of; NULL: not of one recording */
};

/* Makes the page of @f, with its boxes and a table of functions. */
void page_make_flame(const struct flame *f, const struct page_flame *how, struct page *ret);
