/* SPDX-License-Identifier: MIT */
#include "tools/lock/report-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"

#define NAME_WIDTH 20
#define NAME_CUT   16

/* Appends a right-aligned name. A name that does not fit ends in "...". */
static void lock_report_add_name(struct text *t, const char *name)
{
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	size_t n = strlen(name);

	escape_terminal(&shown, name, n < NAME_WIDTH ? n : NAME_CUT);
	if (n >= NAME_WIDTH)
		text_add(&shown, "...");
	text_addf(t, "%*s ", NAME_WIDTH, shown.chars);
}

void lock_report_print(FILE *out, const struct lock_report_view *v, const struct lock_row *rows,
		       size_t n, const struct lock_failures *failures)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct lock_shown shown = { 0 };
	uint64_t printed = 0;

	if (!v->quiet) {
		text_addf(&t, "%*s ", NAME_WIDTH, "Name");
		lock_columns_add_heads(&v->columns, &t);
		text_add(&t, "\n\n");
	}
	for (size_t i = 0; i < n && printed < v->entries; i++) {
		shown.rows++;
		shown.bad_rows += rows[i].is_broken;
		if (!rows[i].acquired)
			continue;
		lock_report_add_name(&t, rows[i].name);
		lock_columns_add_values(&v->columns, &rows[i], &t);
		text_add_char(&t, '\n');
		printed++;
	}
	if (!v->quiet && (v->trailer || lock_failures_any(failures)))
		lock_trailer_add(&shown, failures, &t);
	fwrite(t.chars, 1, t.length, out);
}

void lock_info_print_threads(FILE *out, const uint32_t *tids, size_t n,
			     const struct lock_names *names)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "%10s: comm\n", "Thread ID");
	for (size_t i = 0; i < n; i++) {
		const char *comm = names->comm(names->arg, tids[i]);

		text_addf(&t, "%10" PRId32 ": ", (int32_t)tids[i]);
		escape_terminal(&t, comm ? comm : "", comm ? strlen(comm) : 0);
		text_add_char(&t, '\n');
	}
	fwrite(t.chars, 1, t.length, out);
}

void lock_info_print_map(FILE *out, const struct lock_row *rows, size_t n)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, "Address of instance: name of class\n");
	for (size_t i = 0; i < n; i++) {
		text_addf(&t, rows[i].addr ? " 0x%" PRIx64 ": " : " %" PRIx64 ": ", rows[i].addr);
		escape_terminal(&t, rows[i].name, strlen(rows[i].name));
		text_add_char(&t, '\n');
	}
	fwrite(t.chars, 1, t.length, out);
}
