/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The window that lists the keys of a panel, made of its table.
 */
struct panel;

/* Shows the keys that mean something on @p now. */
void help_push(struct panel *p);
