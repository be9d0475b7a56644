/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The name of work of the kernel in tables: "eth0:25", "(s)TIMER:1", "(w)vmstat_update".
 */
struct kwork_item;
struct text;

/* Appends the name of @item, cut and filled up with blanks to the width of its column. */
void kwork_name_add(struct text *t, const struct kwork_item *item);
