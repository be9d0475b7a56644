/* SPDX-License-Identifier: MIT */
#pragma once
/* The numbers of a page as columns of LEB128, one after the other: docs/format/page.md. */
#include <stddef.h>

#include "base/bytes.h"

struct page;

struct page_column {
	const char *name;
	size_t n, bytes;
};

#define PAGE_COLUMNS_MAX 20

struct page_columns {
	struct page_column items[PAGE_COLUMNS_MAX];
	size_t n;
	struct bytes data;
};

/* Makes the columns of a page with merged cells. @ret is empty before. */
void page_columns_make(const struct page *p, struct page_columns *ret);
void page_columns_done(struct page_columns *c);
