/* SPDX-License-Identifier: MIT */
#include "tools/data/export.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "session/session.h"
#include "tools/data/timeline.h"

int exporting_open(struct exporting *x, const struct export_request *rq, struct diag *diag)
{
	*x = (struct exporting){
		.rq = *rq, .sort = export_labels_sort(rq->settings.labels | rq->format->labels)
	};
	const struct profile_request profile = {
		.path = rq->path,
		.force = rq->force,
		.symbols = rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.progress = rq->progress,
		.filter = { .time = rq->time },
		.plan = { .sort = x->sort },
		.with_stacks = true,
		.max_stack = rq->max_stack,
		.by_address = !rq->format->by_function,
	};

	if (rq->format->check) {
		int r = rq->format->check(diag);

		if (r < 0)
			return r;
	}
	return profile_open(&x->profile, &profile, diag);
}

void exporting_done(struct exporting *x)
{
	profile_done(&x->profile);
	free(x->sort);
}

static int write_weights(struct exporting *x, const struct export_source *src, struct diag *diag)
{
	struct profile *p = &x->profile;
	int r = profile_collect(p, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < session_event_count(p->session); i++)
		x->counts.samples += collector_tally(p->collector, i)->total.samples;
	return x->rq.format->write(src, diag);
}

int exporting_write(struct exporting *x, FILE *out, const char *path, struct diag *diag)
{
	const struct export_source src = {
		.profile = &x->profile, .settings = &x->rq.settings, .out = out, .path = path
	};
	const struct export_format *f = x->rq.format;
	int r;

	if (f->convert)
		r = f->convert(&src, &x->counts, diag);
	else if (f->timeline)
		r = timeline_write(f->timeline, &src, &x->counts.samples, diag);
	else
		r = write_weights(x, &src, diag);

	if (r >= 0 && (ferror(out) || fflush(out) == EOF))
		r = -EIO;
	return r;
}
