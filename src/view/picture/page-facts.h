/* SPDX-License-Identifier: MIT */
#pragma once
/* Formats the facts and the lists of a page as JSON: docs/format/page.md. */
struct page;
struct text;

/* Appends the facts. @tool is the name and version of this program. */
void page_facts_add(struct text *out, const struct page *p, const char *tool);

/* Appends the lists to which the numbers in columns refer. */
void page_lists_add(struct text *out, const struct page *p);
