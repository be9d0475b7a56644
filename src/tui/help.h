/* SPDX-License-Identifier: MIT */
#pragma once
/* The window that lists the keys of a panel, made from its table. */
struct panel;

/* Shows the keys that have a meaning on @p now. */
void help_push(struct panel *p);
