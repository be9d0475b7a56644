/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map as the model of an HTML page (profile/page/page.h).
 */
#include <stdbool.h>

struct heat_map;
struct page;

/* Puts @m into @p, as its only view but the facts. */
void heat_page_fill(struct page *p, const struct heat_map *m, bool values_are_times);
