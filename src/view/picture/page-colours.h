/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The colours of a page as JSON, so that its script and the SVGs have the same:
 * docs/format/page.md.
 */
struct json;

/* Adds the member "colours" to the object that @j is in. */
void page_colours_add(struct json *j);
