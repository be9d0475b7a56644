/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The HTML page of a recording, made on a thread of its own for somebody who goes on with something
 * else meanwhile.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct browse_request;
struct diag;
struct page;
struct page_making;

/*
 * Begins to read the recording of @rq again, which is copied: its filters hold, its sort keys mean
 * nothing.
 */
struct page_making *page_making_start(const struct browse_request *rq);

/* Ends it, whether it is complete or not. */
void page_making_free(struct page_making *m);
DEFINE_FREEP(page_making)

/* Readable when there is news; page_making_progress() makes it unreadable. */
int page_making_fd(const struct page_making *m);

/* How far it is. The title is static. */
void page_making_progress(struct page_making *m, const char **ret_title, uint64_t *ret_done,
			  uint64_t *ret_total);

/*
 * 0: it is not complete yet. 1: it is *@ret_page, which dies with @m. A negative errno with @diag:
 * it cannot be made; -ENODATA: no samples are left for it.
 */
int page_making_result(struct page_making *m, const struct page **ret_page, struct diag *diag);
