/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The listings of a page as JSON: docs/format/page.md.
 */
struct page;
struct text;

/* Appends them. */
void page_code_add(struct text *out, const struct page *p);
