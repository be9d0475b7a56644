/* SPDX-License-Identifier: MIT */
#include "options/picture-file.h"

#include <version.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/size-text.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "view/picture/page.h"

int picture_file_open(struct picture_file *f, const struct invocation *inv, const char *path,
		      const char *usual, struct diag *diag)
{
	int r;

	*f = (struct picture_file){ .file.file = OUTPUT_FILE_NONE, .usual = usual };
	if (!path)
		path = terminal_is(inv->settings->out) ? usual : "-";
	if (!strcmp(path, "-")) {
		f->out = inv->out;
		return 0;
	}
	f->is_file = true;
	r = output_stream_begin(&f->file, path, diag);
	f->out = f->file.out;
	return r;
}

/* The endings of picture files. */
static const char *const endings[] = { ".svg", ".html", ".png", ".jpg", ".jpeg", ".gif", ".pdf" };

static const char *ending_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (!strcasecmp(dot, endings[i]))
			return endings[i];
	return NULL;
}

/* Warns of a wrong ending. Browsers go by the name: an SVG that is called x.png is not shown. */
static void warn_of_name(const struct picture_file *f, const struct invocation *inv)
{
	const char *is = ending_of(f->usual), *called = ending_of(f->file.path);
	_cleanup_(diag_done) struct diag d = { 0 };

	if (!is || !called || !strcmp(is, called))
		return;
	diag_set(&d, 0, "'%s' is %s, whatever its name says", f->file.path,
		 strcmp(is, ".svg") ? "an HTML page" : "an SVG picture");
	diag_hint(&d, "Browsers go by the name: let it end in %s.", is);
	command_warn(inv, &d);
}

static void say_where(const struct picture_file *f, const struct invocation *inv, uint64_t size)
{
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	char room[SIZE_TEXT_MAX];

	escape_terminal(&shown, f->file.path, strlen(f->file.path));
	fprintf(command_err(inv), "%s: %s\n", shown.chars, size_text(size, room));
}

int picture_file_commit(struct picture_file *f, const struct invocation *inv, bool quiet,
			struct diag *diag)
{
	/* A device has no temporary file: it is written to directly. */
	const bool is_new = f->file.file.temporary;
	uint64_t size = 0;
	int r;

	if (!f->is_file)
		return 0;
	r = output_stream_commit(&f->file, &size, diag);
	if (r >= 0 && !quiet && is_new)
		say_where(f, inv, size);
	if (r >= 0 && !quiet)
		warn_of_name(f, inv);
	return r;
}

void picture_file_done(struct picture_file *f)
{
	output_stream_done(&f->file);
}

int picture_write_page(const struct page *page, const struct invocation *inv, const char *path,
		       const char *usual, bool quiet, struct diag *diag)
{
	_cleanup_(picture_file_done) struct picture_file f;
	int r = picture_file_open(&f, inv, path, usual, diag);

	if (r < 0)
		return r;
	r = page_print(f.out, page, "perf " PERF_VERSION);
	if (r < 0)
		return diag_set(diag, r, "cannot write the page: %s", strerror(-r));
	return picture_file_commit(&f, inv, quiet, diag);
}
