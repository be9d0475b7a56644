/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Globs with !, &, | and parentheses that choose names (`--filter 'foo* & !*bar'`).
 */
#include <stdbool.h>

#include "base/cleanup.h"

struct diag;
struct name_filter;

/* Parses @text. -EINVAL: @diag points at the mistake. */
int name_filter_parse(const char *text, struct name_filter **ret, struct diag *diag);
void name_filter_free(struct name_filter *f);
DEFINE_FREEP(name_filter)

bool name_filter_has(const struct name_filter *f, const char *name);
