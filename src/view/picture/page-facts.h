/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The facts and the lists of a page as JSON: docs/format/page.md.
 */
struct page;
struct text;

/* Appends them. @tool: the name and version of this program. */
void page_facts_add(struct text *out, const struct page *p, const char *tool);

/* Appends the lists that columns are places in. */
void page_lists_add(struct text *out, const struct page *p);
