/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the HTML page of a recording on a thread of its own, while the user continues with other
 * things.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct browse_request;
struct diag;
struct page;
struct page_making;

/*
 * Begins to read the recording of @rq again. @rq is copied; its filters are applied, its sort keys
 * are ignored.
 */
struct page_making *page_making_start(const struct browse_request *rq);

/* Ends it, even if it is not complete. */
void page_making_free(struct page_making *m);
DEFINE_FREEP(page_making)

/* Readable when there is news; page_making_progress() makes it unreadable. */
int page_making_fd(const struct page_making *m);

/* Reports the progress. The title is static. */
void page_making_progress(struct page_making *m, const char **ret_title, uint64_t *ret_done,
			  uint64_t *ret_total);

/*
 * Returns 0 if it is not complete yet, or 1 with the page in *@ret_page, which is valid until @m is
 * freed. Returns a negative errno with @diag if it cannot be made; -ENODATA: no samples are left
 * for it.
 */
int page_making_result(struct page_making *m, const struct page **ret_page, struct diag *diag);
