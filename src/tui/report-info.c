/* SPDX-License-Identifier: MIT */
/* Shows the recording's header and the data about an object, and prints rows to a file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/build-id.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "session/session.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tui/browse.h"
#include "tui/coloured-text.h"
#include "tui/menu.h"
#include "tui/report-parts.h"
#include "view/header/header.h"

/* The maximum number of files: perf.hist.0, perf.hist.1, ... */
#define HISTS_MAX 10000

enum panel_next report_show_header(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(freep) char *text = NULL;
	size_t size;
	FILE *out;

	if (!p->snapshot)
		return PANEL_STAY;
	out = open_memstream(&text, &size);
	if (!out)
		return PANEL_STAY;
	header_print(session_datafile(p->snapshot->profile->session), true, out);
	if (session_is_stream(p->snapshot->profile->session))
		header_print_features(session_features(p->snapshot->profile->session), true, out);
	fclose(out);
	text_panel_push(panel->panels, "Header information", text);
	return PANEL_STAY;
}

struct symbols {
	const struct symbol **items;
	size_t n, room;
};

static int tui_report_info_by_start(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a;
	const struct symbol *y = *(const struct symbol *const *)b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void find_symbols(const struct frames *frames, const struct image *im, struct symbols *ret)
{
	for (uint32_t i = 0; i < frames_count(frames); i++) {
		const struct frame *f = frames_get(frames, i);

		if (f->image == im && f->sym && !f->sym->is_inlined)
			*ARRAY_ADD(ret) = f->sym;
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), tui_report_info_by_start);
}

static void tui_report_info_add_build_id(const struct image *im, struct text *out)
{
	const struct build_id *id = image_build_id(im);

	text_add(out, "build-id: ");
	for (size_t i = 0; i < id->size; i++)
		text_addf(out, "%02x", id->bytes[i]);
	text_add(out, id->size ? "\n" : "unknown\n");
}

static void tui_report_info_add_map(const struct report_panel *p, const struct image *im,
				    struct text *out)
{
	struct symbols symbols = { 0 };

	text_addf(out, "object:   %s\n", image_long_name(im));
	tui_report_info_add_build_id(im, out);
	find_symbols(p->snapshot->profile->env.frames, im, &symbols);
	text_add(out, "\nfunctions that samples or their stacks have met:\n\n");
	for (size_t i = 0; i < symbols.n; i++) {
		const struct symbol *s = symbols.items[i];

		if (!i || symbols.items[i - 1]->start != s->start)
			text_addf(out, "%16" PRIx64 " %16" PRIx64 " %c %s\n", s->start, s->end,
				  s->binding ? s->binding : ' ', s->name);
	}
	free(symbols.items);
}

enum panel_next report_show_map(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	report_subject_find(p, &s);
	if (!s.frame || !s.frame->image) {
		panels_answer(panel->panels, "The row belongs to no object");
		return PANEL_STAY;
	}
	tui_report_info_add_map(p, s.frame->image, &t);
	text_panel_push(panel->panels, image_long_name(s.frame->image), t.chars);
	return PANEL_STAY;
}

/* Opens a file that does not exist yet. */
static int open_new(char *path, size_t size, struct diag *diag)
{
	int fd = -EEXIST;

	for (unsigned i = 0; i < HISTS_MAX && fd == -EEXIST; i++) {
		snprintf(path, size, "perf.hist.%u", i);
		fd = output_file_open(path, OUTPUT_NEW, 0600, diag);
	}
	return fd;
}

static bool write_lines(struct report_panel *p, FILE *out)
{
	_cleanup_(text_done) struct text text = TEXT_EMPTY;
	_cleanup_(text_done) struct text plain = TEXT_EMPTY;

	for (size_t i = 0; i < report_page_lines(p->page); i++) {
		struct report_spot at = report_page_at(p->page, i);

		text_clear(&text);
		text_clear(&plain);
		if (!at.sub)
			report_page_see(p->page, at.item);
		report_page_text(p->page, &at, 0, &text);
		coloured_strip(&text, &plain);
		fprintf(out, "%s\n", plain.chars);
	}
	return !ferror(out);
}

enum panel_next report_print_rows(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(diag_done) struct diag diag = { 0 };
	char path[32] = "";
	FILE *out;
	bool is_whole;
	int fd;

	if (!p->page)
		return PANEL_STAY;
	fd = open_new(path, sizeof(path), &diag);
	out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!out) {
		panels_answer(panel->panels, "%s",
			      diag.message ? diag.message : "perf.hist.N cannot be written");
		if (fd >= 0)
			close(fd);
		return PANEL_STAY;
	}
	is_whole = write_lines(p, out);
	if (fclose(out) == 0 && is_whole)
		panels_answer(panel->panels, "%s written!", path);
	else
		panels_answer(panel->panels, "%s is not complete: writing failed", path);
	return PANEL_STAY;
}
