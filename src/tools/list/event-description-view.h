/* SPDX-License-Identifier: MIT */
#pragma once
/* Makes a description of one event or metric (event/catalog.h) as lines for users. */
struct catalog_entry;
struct text;

/*
 * Appends lines of at most @width columns, where words permit it. Characters on which a terminal
 * would act are not escaped; that is up to the caller, because it depends on where the lines go.
 */
void event_describe(const struct catalog_entry *e, unsigned width, struct text *t);
