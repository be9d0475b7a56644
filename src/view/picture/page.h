/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes an HTML page: one file that loads nothing (docs/format/page.md).
 *
 * The skeleton, the style sheet and the script are files that the program carries in itself
 * (view/picture/page.html, .css, .js). Whatever was recorded is data: in JSON, in base64, or
 * escaped as text.
 */
#include <stdio.h>

struct page;

/*
 * Writes @p, which page_fit() has packed. @tool: the name and version of this program. A negative
 * errno if the output fails.
 */
int page_print(FILE *out, const struct page *p, const char *tool);

/*
 * The listings of a page as JSON: docs/format/page.md.
 */

struct text;

/* Appends them. */
void page_code_add(struct text *out, const struct page *p);
