/* SPDX-License-Identifier: MIT */
#include "python/sample-columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/workers.h"
#include "foreign/any-session.h"
#include "profile/sample-table.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"

#define WORKERS_MAX 16

struct reading_columns {
	const struct sample_columns_request *rq;
	struct symbolizer *symbolizer;
	struct session *session;
	struct time_span *spans;
	struct sample_filter_request filter_request;
	struct sample_filter *filter;
	struct workers *workers;
	struct sample_table_maker *maker;
	struct diag *diag;
};

static bool event_is_called(const struct session_event *e, const char *pattern)
{
	return !strcmp(e->name, pattern) || glob_matches(pattern, e->name);
}

static bool python_sample_columns_is_wanted(void *arg, const struct session_event *e)
{
	const struct sample_columns_request *rq = ((struct reading_columns *)arg)->rq;

	for (size_t i = 0; i < rq->n_events; i++)
		if (event_is_called(e, rq->events[i]))
			return true;
	return !rq->n_events;
}

/* Checks that each given name is that of an event. */
static int python_sample_columns_check_events(struct reading_columns *r)
{
	const struct sample_columns_request *rq = r->rq;
	size_t n = session_event_count(r->session);

	for (size_t i = 0; i < rq->n_events; i++) {
		size_t found = 0;

		for (size_t e = 0; e < n; e++)
			found += event_is_called(session_event(r->session, e), rq->events[i]);
		if (found || session_is_stream(r->session))
			continue;
		diag_set(r->diag, -EINVAL, "'%s' has no event '%s'", session_path(r->session),
			 rq->events[i]);
		diag_hint(r->diag, "'perf evlist -i %s' lists those it has.",
			  session_path(r->session));
		return -EINVAL;
	}
	return 0;
}

static int python_sample_columns_begin(void *arg, struct consumer *c)
{
	struct reading_columns *r = arg;
	const struct sample_table_options options = {
		.session = r->session,
		.fields = r->rq->fields,
		.n_fields = r->rq->n_fields,
		.filter = r->filter,
		.max_stack = r->rq->max_stack,
		.n_workers = workers_count(r->workers),
	};
	int status = python_sample_columns_check_events(r);

	(void)c;
	return status < 0 ? status : sample_table_maker_new(&options, &r->maker, r->diag);
}

static int python_sample_columns_on_samples(void *arg, const struct sample_batch *b)
{
	sample_table_take(((struct reading_columns *)arg)->maker, b);
	return 0;
}

static int python_sample_columns_open_all(struct reading_columns *r)
{
	const struct sample_columns_request *rq = r->rq;
	const struct reading_symbols how = {
		.request = &rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.any_owner = rq->force,
	};
	int status = reading_check_files(&how, r->diag);

	if (status < 0)
		return status;
	r->symbolizer = reading_symbolizer(&how);
	status = any_session_open(&(struct session_options){ .path = rq->path,
							     .force = rq->force,
							     .symbolizer = r->symbolizer,
							     .stop = rq->stop },
				  &r->session, r->diag);
	if (status >= 0)
		status = reading_spans(&rq->filter.time, r->session, &r->spans, r->diag);
	if (status < 0)
		return status;
	r->filter_request = filter_request_of_samples(&rq->filter, r->spans);
	return sample_filter_new(&r->filter_request, &r->filter, r->diag);
}

static int python_sample_columns_read_all(struct reading_columns *r, struct notes *notes)
{
	const struct consumer consumer = {
		.order = CONSUMER_ANY_ORDER,
		.filter = sample_filter_has_moments(r->filter) ? r->filter : NULL,
		.wants = python_sample_columns_is_wanted,
		.begin = python_sample_columns_begin,
		.samples = python_sample_columns_on_samples,
		.arg = r,
	};
	int status;

	r->workers = workers_new(0, WORKERS_MAX);
	status = session_feed(r->session, r->workers, &consumer, r->diag);
	if (status >= 0)
		status = reading_check_samples(r->session, r->diag);
	if (status < 0)
		return status;
	reading_note_damage(r->session, notes);
	reading_note_losses(r->session, notes);
	reading_note_stacks(r->session, notes);
	return 0;
}

static void release_all(struct reading_columns *r)
{
	sample_table_maker_free(r->maker);
	workers_free(r->workers);
	sample_filter_free(r->filter);
	free(r->spans);
	session_free(r->session);
	symbolizer_free(r->symbolizer);
}

int sample_columns_read(const struct sample_columns_request *rq, struct sample_table **ret,
			struct notes *notes, struct diag *diag)
{
	struct reading_columns r = { .rq = rq, .diag = diag };
	int status = python_sample_columns_open_all(&r);

	if (status >= 0)
		status = python_sample_columns_read_all(&r, notes);
	if (status >= 0)
		*ret = sample_table_settle(r.maker, r.workers);
	release_all(&r);
	return status < 0 ? status : 0;
}
