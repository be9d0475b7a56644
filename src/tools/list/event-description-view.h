/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * All that is known of one event or metric (event/catalog.h), as lines for people.
 */
struct catalog_entry;
struct text;

/*
 * Appends lines of at most @width columns, where words allow it. What a terminal would act upon is
 * not escaped: the caller does that, who knows where the lines go.
 */
void event_describe(const struct catalog_entry *e, unsigned width, struct text *t);
