/* SPDX-License-Identifier: MIT */
/* perf report --html: writes everything on one page. */
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/heap.h"
#include "cli/command.h"
#include "options/picture-file.h"
#include "profile/page/make.h"
#include "profile/page/page.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"

#define USUAL_NAME "perf.html"

int report_show_page(struct report_job *j)
{
	const struct page_request rq = {
		.views = PAGE_VIEW_FLAME | PAGE_VIEW_TIME | PAGE_VIEW_THREADS | PAGE_VIEW_TABLE |
			 PAGE_VIEW_CODE | PAGE_VIEW_FACTS,
		.part = j->opts->tables.rows.symbol_part,
	};
	_cleanup_(page_done) struct page page = { 0 };
	const char *path = *j->opts->html ? j->opts->html : NULL;

	/* The disassembler's library has some 40 MB of pages of its own. */
	heap_release();
	page_make(&j->profile, &rq, &page);
	if (!page.cells.n) {
		report_warn_empty(j);
		return 0;
	}
	return picture_write_page(&page, j->inv, path, USUAL_NAME, j->opts->verbosity.quiet,
				  j->diag);
}
