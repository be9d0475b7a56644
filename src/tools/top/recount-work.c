/* SPDX-License-Identifier: MIT */
/*
 * Answers another question when there are no more samples: reads the available raw records again,
 * with a session of its own.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "measure/record-job.h"
#include "session/live.h"
#include "session/session.h"
#include "tools/top/internal-work.h"

struct recount {
	struct top *top;
	struct top_question *question;
	struct diag *diag;
	struct top_world *before;
};

static int recount_begin(void *arg, struct consumer *c)
{
	struct recount *r = arg;
	struct top *t = r->top;

	t->session = c->session;
	return top_world_new(t, r->question, NULL, &t->world, r->diag);
}

static int recount_take(void *arg, const struct sample_batch *b)
{
	return top_take(((struct recount *)arg)->top, b);
}

static int recount_feed(struct top *t, struct live_feed *f)
{
	struct iovec pieces[3];
	int r;

	top_buffer_pieces(&t->buffer, pieces);
	r = live_feed_tell(f, pieces[0].iov_base, pieces[0].iov_len);
	if (r >= 0) {
		live_feed_take(f, pieces + 1);
		r = live_feed_end_pass(f);
	}
	return r < 0 ? r : live_feed_finish(f);
}

int top_recount(struct top *t, struct top_question *q, struct diag *diag)
{
	const struct record_job *j = t->job;
	struct recount rc = { .top = t, .question = q, .diag = diag, .before = t->world };
	const struct consumer consumer = { .order = CONSUMER_IN_ORDER,
					   .begin = recount_begin,
					   .samples = recount_take,
					   .arg = &rc };
	struct session *before = t->session;
	struct session *s = session_live_new(&(struct session_live_options){
		.events = j->facts.opened,
		.n_events = j->facts.n,
		.features = &j->facts.early,
		.symbolizer = t->symbolizer,
		.keeps_all = true,
	});
	_cleanup_(live_feed_freep) struct live_feed *f = NULL;
	int r = live_feed_new(s, NULL, &consumer, &f);

	if (r < 0) {
		t->session = before;
		t->world = rc.before;
		session_free(s);
		return r;
	}
	t->figures = (struct top_figures){ 0 };
	r = recount_feed(t, f);
	*ARRAY_ADD(&t->recounted) = s;
	top_world_unref(t, rc.before);
	return r;
}
