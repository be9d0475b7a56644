/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which lines to show: FUNC[@FILE][:FROM[+COUNT|-TO]] or FILE[:FROM[+COUNT|-TO]] (`perf probe -L`).
 */
#include <stdint.h>

#include "base/cleanup.h"

struct diag;

struct line_range {
	char *function; /* NULL: lines of a file */
	char *file;     /* or NULL */
	uint32_t from;  /* of the function from 0, of the file from 1 */
	uint32_t to;    /* UINT32_MAX: to the end */
};

/* -EINVAL: @diag points at what is wrong. */
int line_range_parse(const char *text, struct line_range *ret, struct diag *diag);
void line_range_done(struct line_range *r);
