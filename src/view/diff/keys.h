/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The keys of a comparison's rows as columns, laid out for all of its rows. Private to view/diff-*.
 */
#include <stdio.h>

#include "profile/report-group.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/table.h"

struct diff;

struct diff_keys {
	struct report_pen pen; /* where text is gathered */
	struct cells cells;
	/* private: */
	struct report_view view;
	struct report_group group;
	struct report_columns columns;
};

/* Lays out the keys of @view's plan for the rows of @d. It stays where it is: the pen refers to it.
 */
void diff_keys_init(struct diff_keys *k, FILE *out, const struct report_view *view,
		    const struct diff *d);
void diff_keys_done(struct diff_keys *k);
