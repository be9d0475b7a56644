/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The name of work of the kernel in tables: "eth0:25", "(s)TIMER:1", "(w)vmstat_update".
 */
#include <stddef.h>

struct kwork_item;
struct text;

/* Of its column in the tables of Linux's perf. */
#define KWORK_NAME_WIDTH 30

/* Appends the name of @item, cut and filled up with blanks to @width, at most KWORK_NAME_WIDTH. */
void kwork_name_add(struct text *t, const struct kwork_item *item, size_t width);
