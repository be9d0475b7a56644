/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes a page as small as its file may be.
 *
 * Bins of time become wider, and callers of little weight are left out, in turns, until the page
 * fits; details that are not visible in a picture go first. page.dropped describes what was done.
 * The numbers of samples, and the own weight of each function, stay as they are.
 */
#include <stddef.h>
#include <stdint.h>

struct page;

/*
 * Returns the size that the data of a recording of @recorded bytes may have in a page: 1.5 MB, or
 * about 1.5 % of it.
 */
size_t page_size_limit(uint64_t recorded);

/*
 * Fits @p, with merged cells, into a file of about @limit bytes, not counting listings, and packs
 * its numbers. SIZE_MAX: nothing is reduced.
 */
void page_fit(struct page *p, size_t limit);
