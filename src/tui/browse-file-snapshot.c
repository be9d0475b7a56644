/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tui/browse-file.h"

void file_snapshot_free(struct file_snapshot *s)
{
	if (!s)
		return;
	report_tables_done(&s->tables);
	profile_done(&s->profile);
	browse_request_done(&s->request);
	free(s);
}

static struct profile_request browse_file_snapshot_part_of(const struct file_snapshot_request *rq,
							   const struct browse_request *question)
{
	struct profile_request p = question->profile;

	p.shared = rq->names;
	p.first_bytes = rq->first_bytes;
	p.progress = rq->progress;
	p.stop = rq->stop;
	p.with_strip = true;
	return p;
}

/*
 * True if relative times can be computed. They need the length of the whole recording, which parts
 * of the file do not show.
 */
static bool knows_times(const struct profile *p)
{
	return !p->rq.filter.time.relative || session_features(p->session)->sample_time.last;
}

static int browse_file_snapshot_read_part(struct file_snapshot *s,
					  const struct file_snapshot_request *rq, struct diag *diag)
{
	struct profile_request p = browse_file_snapshot_part_of(rq, &s->request);
	int r = profile_open(&s->profile, &p, diag);

	if (r >= 0 && p.first_bytes && !knows_times(&s->profile)) {
		profile_done(&s->profile);
		p.first_bytes = 0;
		r = profile_open(&s->profile, &p, diag);
	}
	return r < 0 ? r : profile_collect(&s->profile, diag);
}

static void browse_file_snapshot_show(struct file_snapshot *s)
{
	const struct datafile *df = session_datafile(s->profile.session);
	uint64_t total = datafile_total_bytes(df), limit = s->profile.rq.first_bytes;
	bool is_complete = !datafile_is_limited(df);

	s->shown = (struct browse_snapshot){
		.request = &s->request,
		.profile = &s->profile,
		.tables = &s->tables,
		.strip = collector_strip(s->profile.collector),
		.done = is_complete || limit > total ? total : limit,
		.total = total,
		.is_complete = is_complete,
	};
}

int file_snapshot_make(const struct file_snapshot_request *rq, struct file_snapshot **ret,
		       struct diag *diag)
{
	_cleanup_(file_snapshot_freep) struct file_snapshot *s = xcalloc(1, sizeof(*s));
	int r;

	s->refs = 1;
	browse_request_copy(&s->request, rq->question);
	r = browse_file_snapshot_read_part(s, rq, diag);
	if (r < 0)
		return r;
	report_tables_init(&s->tables, &s->profile, &s->request.tables);
	if (atomic_load(rq->stop))
		return -ECANCELED;
	browse_file_snapshot_show(s);
	*ret = TAKE(s);
	return 0;
}

int file_question_check(const struct browse_request *question, struct diag *diag)
{
	struct profile_request rq = question->profile;
	struct profile p;
	int r;

	rq.first_bytes = 1;
	r = profile_open(&p, &rq, diag);
	if (r >= 0 && !session_is_stream(p.session))
		r = profile_begin(&p, diag);
	profile_done(&p);
	return r;
}

static bool browse_file_snapshot_is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool are_for(const struct file_names *n, const struct browse_request *question)
{
	const struct profile_request *a = &n->of.profile, *b = &question->profile;

	return browse_file_snapshot_is_same(a->path, b->path) &&
	       browse_file_snapshot_is_same(a->symbols.vmlinux, b->symbols.vmlinux) &&
	       browse_file_snapshot_is_same(a->symbols.kallsyms, b->symbols.kallsyms) &&
	       browse_file_snapshot_is_same(a->symbols.symfs, b->symbols.symfs) &&
	       browse_file_snapshot_is_same(a->buildid_dir, b->buildid_dir) &&
	       a->symbols.demangle == b->symbols.demangle &&
	       a->symbols.demangle_kernel == b->symbols.demangle_kernel &&
	       a->ignore_vmlinux == b->ignore_vmlinux && a->force == b->force &&
	       !a->verbose == !b->verbose;
}

struct symbolizer *file_names_for(struct file_names **list, const struct browse_request *question)
{
	struct file_names *n = *list;

	while (n && !are_for(n, question))
		n = n->next;
	if (n)
		return n->symbolizer;
	n = xcalloc(1, sizeof(*n));
	browse_request_copy(&n->of, question);
	n->symbolizer = reading_symbolizer(&(struct reading_symbols){
		.request = &n->of.profile.symbols,
		.buildid_dir = n->of.profile.buildid_dir,
		.ignore_vmlinux = n->of.profile.ignore_vmlinux,
		.any_owner = n->of.profile.force,
		.with_parameters = n->of.profile.verbose,
	});
	n->next = *list;
	*list = n;
	return n->symbolizer;
}

void file_names_free(struct file_names *list)
{
	while (list) {
		struct file_names *next = list->next;

		symbolizer_free(list->symbolizer);
		browse_request_done(&list->of);
		free(list);
		list = next;
	}
}
