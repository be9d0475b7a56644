/* SPDX-License-Identifier: MIT */
/* Saves a live profile as a recording: the available raw records. */
#include <errno.h>

#include "base/cleanup.h"
#include "capture/record-file.h"
#include "datafile/features.h"
#include "measure/record-finish.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "tools/top/internal-work.h"
#include "wire/record.h"

/*
 * Records which files the samples belong to. Unlike perf record it does not copy them, except
 * interpreted functions, which are in no file.
 */
static int top_save_complete(void *arg, const char *path, struct features *f, struct diag *diag)
{
	const struct top *t = arg;
	const struct record_finish_options o = {
		.path = path,
		.no_cache = true,
		.kept = t->job->kept,
	};
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };

	(void)diag;
	record_interpreted_keep(t->job);
	/* The data is more important than the names in it, so errors are ignored. */
	(void)record_finish(&o, f, &found, &why);
	return 0;
}

static int top_save_write_pieces(const struct top_buffer *b, struct writer *w, struct diag *diag)
{
	struct iovec pieces[3];
	int r = 0;

	top_buffer_pieces(b, pieces);
	for (size_t i = 0; i < 3 && r >= 0; i++)
		if (pieces[i].iov_len)
			r = writer_write(w, 0, pieces[i].iov_base, pieces[i].iov_len);
	if (r >= 0)
		r = writer_flush(w);
	return r < 0 ? writer_explain(w, r, diag) : 0;
}

int top_write(struct top *t, const char *path, struct diag *diag)
{
	const struct record_facts *facts = &t->job->facts;
	const struct record_file file = {
		.path = path,
		.options = { .form = WRITER_FILE, .keep_old = true },
		.events = facts->opened,
		.n_events = facts->n,
		.early = &facts->early,
		.complete = top_save_complete,
		.arg = t,
		.kept = t->job->kept,
	};
	_cleanup_(writer_freep) struct writer *w = NULL;
	int r = record_file_begin(&file, true, &w, diag);

	if (r >= 0)
		r = top_save_write_pieces(&t->buffer, w, diag);
	return r < 0 ? r : record_file_end(&file, w, &t->job->opened, diag);
}
