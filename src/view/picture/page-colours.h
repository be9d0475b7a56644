/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the colours of a page as JSON, so that its script and the SVGs use the same:
 * docs/format/page.md.
 */
struct json;

/* Adds the member "colours" to the open object of @j. */
void page_colours_add(struct json *j);
