/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes an HTML page: one file that loads nothing (docs/format/page.md).
 *
 * The skeleton, the style sheet and the script are files embedded in the program
 * (view/picture/page.html, .css, .js). Recorded text is data: in JSON, in base64, or escaped.
 */
#include <stdio.h>

struct page;

/*
 * Writes @p, which page_fit() has packed. @tool is the name and version of this program. Returns a
 * negative errno if the output fails.
 */
int page_print(FILE *out, const struct page *p, const char *tool);

/* Formats the listings of a page as JSON: docs/format/page.md. */

struct text;

/* Appends the listings of @p. */
void page_code_add(struct text *out, const struct page *p);
