/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/profile-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/ftrace/profile-model.h"

#define NS_PER_US 1000.0

void function_rows_print(FILE *out, const struct function_rows *rows)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (rows->n)
		fprintf(out, "# %10s %10s %10s %10s   %s\n", "Total (us)", "Avg (us)", "Max (us)",
			"Count", "Function");
	for (size_t i = 0; i < rows->n; i++) {
		const struct function_row *r = &rows->items[i];
		double total = (double)r->total_ns / NS_PER_US;

		text_clear(&name);
		escape_terminal(&name, r->name, strlen(r->name));
		fprintf(out, "%12.3f %10.3f %10.3f %10" PRIu64 "   %s\n", total,
			total / (double)r->calls, (double)r->max_ns / NS_PER_US, r->calls,
			name.chars);
	}
}
