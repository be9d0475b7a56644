/* SPDX-License-Identifier: MIT */
/* P: writes the contents of the panel to a file. */
#include <string.h>

#include "base/memory.h"
#include "base/output-file.h"
#include "symbol/symbolizer.h"
#include "tui/annotate-state.h"

#define NAME_MAX_LENGTH 200

static int tui_annotate_print_write_file(const char *path, const struct text *t, struct diag *diag)
{
	struct output_file file = OUTPUT_FILE_NONE;
	int r = output_file_begin(&file, path, 0, 0644, diag);

	if (r >= 0) {
		r = output_file_write(&file, t->chars, t->length);
		if (r >= 0)
			r = output_file_commit(&file, false);
		if (r < 0)
			diag_set(diag, r, "%s cannot be written: %s", path, strerror(-r));
	}
	output_file_done(&file);
	return r;
}

/*
 * Returns a file name. Names of C++ functions may contain slashes ("operator/"), and may be longer
 * than a file name.
 */
static char *tui_annotate_print_file_name(const char *symbol)
{
	char *path = xasprintf("%.*s.annotation", NAME_MAX_LENGTH, symbol);

	for (char *c = path; *c; c++)
		if (*c == '/')
			*c = '_';
	return path;
}

void annotate_print(struct annotate_panel *a)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *path = NULL;
	struct text out = TEXT_EMPTY;

	if (!annotate_has_lines(a))
		return;
	path = tui_annotate_print_file_name(a->code->sym->name);
	annotate_stdio2_add(&out, &a->view, &a->code->listing);
	if (tui_annotate_print_write_file(path, &out, &diag) < 0)
		panels_answer(a->panel.panels, "%s", diag.message);
	else
		panels_answer(a->panel.panels, "%s was written: as perf annotate --stdio2", path);
	text_done(&out);
}
