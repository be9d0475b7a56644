/* SPDX-License-Identifier: MIT */
#include "profile/recorded.h"

#include <stdlib.h>

#include "foreign/any-session.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "session/sample-filter.h"

void recorded_request_done(struct recorded_request *rq)
{
	filter_request_done(&rq->filter);
}

int recorded_open(const struct recorded_request *rq, struct recorded *ret, struct diag *diag)
{
	const struct itrace traces = itrace_wanted(&rq->filter.itrace, false);
	const struct session_options options = { .path = rq->path,
						 .force = rq->force,
						 .symbolizer = rq->symbolizer,
						 .traces = rq->traces ? &traces : NULL,
						 .progress = rq->progress };
	int r;

	*ret = (struct recorded){ 0 };
	r = any_session_open(&options, &ret->session, diag);
	if (r >= 0)
		r = reading_spans(&rq->filter.time, ret->session, &ret->spans, diag);
	if (r < 0)
		return r;
	ret->filter_request = filter_request_of_samples(&rq->filter, ret->spans);
	return sample_filter_new(&ret->filter_request, &ret->filter, diag);
}

void recorded_done(struct recorded *r)
{
	sample_filter_free(r->filter);
	free(r->spans);
	session_free(r->session);
}

int recorded_feed(struct recorded *r, const struct consumer *c, struct notes *notes,
		  struct diag *diag)
{
	struct consumer fed = *c;
	int status;

	if (!fed.filter && r->filter && sample_filter_has_moments(r->filter))
		fed.filter = r->filter;
	status = session_feed(r->session, NULL, &fed, diag);
	if (status >= 0)
		status = reading_check_samples(r->session, diag);
	reading_note_damage(r->session, notes);
	reading_note_losses(r->session, notes);
	return status;
}
