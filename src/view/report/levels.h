/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a hierarchy as text: figures in front, keys indented by their level. Private to
 * view/report/.
 */
#include <stdio.h>

struct report_block;
struct report_view;

/* Heads and rows of the group of @b. A negative errno if @out fails. */
int report_levels_print(FILE *out, const struct report_view *v, const struct report_block *b);
