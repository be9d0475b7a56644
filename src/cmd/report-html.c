/* SPDX-License-Identifier: MIT */
/*
 * perf report --html: everything on one page.
 */
#include <config.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cmd/picture-file.h"
#include "cmd/report-job.h"
#include "cmd/report-opts.h"
#include "job/page.h"
#include "profile/page/page.h"
#include "view/picture/page.h"

#define USUAL_NAME "perf.html"

int report_show_page(struct report_job *j)
{
	const struct page_request rq = {
		.views = PAGE_VIEW_FLAME | PAGE_VIEW_TIME | PAGE_VIEW_THREADS | PAGE_VIEW_TABLE |
			 PAGE_VIEW_CODE | PAGE_VIEW_FACTS,
		.part = j->opts->symbol_filter,
	};
	_cleanup_(picture_file_done) struct picture_file f;
	_cleanup_(page_done) struct page page = { 0 };
	const char *path = *j->opts->html ? j->opts->html : NULL;
	int r = picture_file_open(&f, j->inv, path, USUAL_NAME, j->diag);

	if (r < 0)
		return r;
	page_make(&j->profile, &rq, &page);
	if (!page.cells.n) {
		report_warn_empty(j);
		return 0;
	}
	r = page_print(f.out, &page, "perf " PERF_VERSION);
	if (r < 0)
		return diag_set(j->diag, r, "cannot write the page");
	return picture_file_commit(&f, j->inv, j->opts->verbosity.quiet, j->diag);
}
