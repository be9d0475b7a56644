/* SPDX-License-Identifier: MIT */
#include "profile/flamegraph-waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "profile/flamegraph.h"
#include "profile/off-cpu-flame.h"
#include "profile/off-cpu.h"
#include "profile/wall-clock.h"
#include "session/consumer.h"

struct flamegraph_waits_reading {
	struct flamegraph *g;
	const struct flamegraph_request *rq;
	struct off_cpu *off;
	struct diag *diag;
};

static const char *flamegraph_waits_option_of(const struct flamegraph_request *rq)
{
	return rq->choice.wall ? "--wall" : "--off-cpu";
}

/* True if the number of waits is drawn, and not their duration. */
static bool counts_waits(const struct flamegraph_request *rq)
{
	return rq->choice.weight && !strcmp(rq->choice.weight, "samples");
}

static int flamegraph_waits_check(const struct flamegraph_request *rq, struct diag *diag)
{
	const struct flame_choice *c = &rq->choice;

	if (c->off_cpu && c->wall)
		return diag_set(diag, -EINVAL,
				"--off-cpu is a part of --wall: only one of them can be drawn");
	if (c->event)
		return diag_set(diag, -EINVAL,
				"%s chooses its events by itself: --event cannot be "
				"applied",
				flamegraph_waits_option_of(rq));
	if (c->weight && (rq->choice.wall || !counts_waits(rq)))
		return diag_set(diag, -EINVAL, "%s weighs times: --weight cannot be applied",
				flamegraph_waits_option_of(rq));
	if (rq->choice.wall && rq->profile.filter.cpus.n)
		return diag_set(diag, -EINVAL,
				"--wall shows all of a thread's time, on any CPU: --cpu cannot be "
				"applied");
	return 0;
}

/* Checks that everything that stacks stand on was recorded, for all events that report threads. */
static int check_roots(const struct flamegraph_waits_reading *rd)
{
	const struct session *s = rd->g->profile.session;
	int r = 0;

	for (size_t i = 0; r >= 0 && i < session_event_count(s); i++)
		if (off_cpu_places(rd->off, session_event(s, i)))
			r = flamegraph_check_roots(rd->rq, session_event(s, i), rd->diag);
	return r;
}

static int flamegraph_waits_on_begin(void *arg, struct consumer *c)
{
	struct flamegraph_waits_reading *rd = arg;
	struct profile *p = &rd->g->profile;
	int r = off_cpu_check(p->session, rd->rq->choice.wall, rd->diag);

	(void)c;
	if (r >= 0)
		r = profile_begin(p, rd->diag);
	if (r < 0)
		return r;
	rd->off = off_cpu_new(&(struct off_cpu_options){
		.session = p->session,
		.collector = p->collector,
		.filter = p->filter,
		.times = { .spans = p->spans,
			   .n_spans = p->filter_request.n_spans,
			   .min_ns = rd->rq->choice.min_wait_ns,
			   .max_ns = rd->rq->choice.max_wait_ns },
		.wall = rd->rq->choice.wall,
	});
	return check_roots(rd);
}

static int flamegraph_waits_on_samples(void *arg, const struct sample_batch *b)
{
	struct flamegraph_waits_reading *rd = arg;

	off_cpu_take(rd->off, b);
	return 0;
}

static int flamegraph_waits_on_records(void *arg, const struct record_batch *b)
{
	struct flamegraph_waits_reading *rd = arg;

	off_cpu_take_records(rd->off, b);
	return 0;
}

/* Reads the waits without a filter by time and CPU, because a wait may begin and end outside it. */
static int read_waits(struct flamegraph_waits_reading *rd)
{
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = off_cpu_record_types(),
		.begin = flamegraph_waits_on_begin,
		.samples = flamegraph_waits_on_samples,
		.records = flamegraph_waits_on_records,
		.arg = rd,
	};
	struct profile *p = &rd->g->profile;
	int r = session_feed(p->session, NULL, &consumer, rd->diag);

	if (r >= 0)
		r = off_cpu_finish(rd->off, rd->diag);
	if (r >= 0)
		profile_settle(p);
	return r;
}

static struct flame *flame_of(const struct flamegraph_waits_reading *rd, bool counts)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	const struct flame_stacks_options o = flamegraph_stacks(rd->g, rd->rq);

	off_cpu_add_boxes(rd->off, b, &o, counts);
	return flame_builder_finish(b, false);
}

static int flamegraph_waits_refuse_nothing(const struct wait_times *times, struct diag *diag)
{
	if (times->counts.unfit)
		return diag_set(diag, -ENODATA, "all waits are shorter or longer than asked for");
	if (times->threads.n)
		return diag_set(diag, -ENODATA, "no waits pass the filters");
	return diag_set(diag, -ENODATA, "the recording has no context switches");
}

static int flamegraph_waits_draw(const struct flamegraph_waits_reading *rd)
{
	struct flamegraph *g = rd->g;
	bool counts = counts_waits(rd->rq);

	g->flame = flame_of(rd, counts);
	if (rd->rq->with_samples && !counts)
		g->samples = flame_of(rd, true);
	g->event = rd->rq->choice.wall ? "thread time" : "waiting";
	g->unit = counts ? "waits" : "ns";
	return g->flame->boxes[0].value[FLAME_AFTER].total
		       ? 0
		       : flamegraph_waits_refuse_nothing(off_cpu_times(rd->off), rd->diag);
}

static int refuse_limits(const struct flamegraph_request *rq, struct diag *diag)
{
	return rq->choice.min_wait_ns || rq->choice.max_wait_ns
		       ? diag_set(diag, -EINVAL,
				  "the recording has sums of waits: --min-wait and --max-wait "
				  "cannot be applied")
		       : 0;
}

/*
 * Makes the boxes from waits that `perf record --off-cpu` has measured: they are the periods of an
 * event.
 */
static int make_of_summed(struct flamegraph *g, const struct flamegraph_request *rq,
			  struct notes *notes, struct diag *diag)
{
	struct flamegraph_request summed = *rq;
	int r = refuse_limits(rq, diag);

	if (r < 0)
		return r;
	summed.choice.off_cpu = false;
	summed.choice.event = OFF_CPU_SUMMED_EVENT;
	summed.choice.weight = rq->choice.weight ? rq->choice.weight : "period";
	flamegraph_done(g);
	r = flamegraph_make(g, &summed, notes, diag);
	if (r >= 0 && !counts_waits(rq))
		g->unit = "ns";
	return r;
}

/* Does the same for the whole time: the time on the CPU is the weight of samples. */
static int draw_wall_of_summed(struct flamegraph *g, const struct flamegraph_request *rq,
			       struct diag *diag)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	const struct flame_stacks_options o = flamegraph_stacks(g, rq);
	const struct collector *c = g->profile.collector;
	struct wall_clock w;
	int r = wall_clock_find(g->profile.session, &w, diag);

	if (r >= 0)
		r = flamegraph_check_roots(rq, w.on, diag);
	if (r < 0)
		return r;
	const struct off_cpu_part parts[] = {
		{ .tally = collector_tally(c, w.on->index), .ns_per_sample = w.ns_per_sample },
		{ .tally = collector_tally(c, w.off->index), .waits = true },
	};

	off_cpu_add_parts(parts, ARRAY_SIZE(parts), b, &o);
	g->flame = flame_builder_finish(b, false);
	g->event = "thread time";
	g->unit = "ns";
	return g->flame->boxes[0].value[FLAME_AFTER].total
		       ? 0
		       : diag_set(diag, -ENODATA, "the filters leave no time");
}

static int make_wall_of_summed(struct flamegraph *g, const struct flamegraph_request *rq,
			       struct notes *notes, struct diag *diag)
{
	int r = refuse_limits(rq, diag);

	if (r >= 0)
		r = profile_collect(&g->profile, diag);
	g->profile.rq.plan.sort = NULL;
	if (r >= 0)
		r = draw_wall_of_summed(g, rq, diag);
	if (g->profile.filter)
		profile_note(&g->profile, notes);
	return r;
}

int flamegraph_make_waits(struct flamegraph *g, const struct flamegraph_request *rq,
			  struct notes *notes, struct diag *diag)
{
	_cleanup_(freep) char *sort = flame_roots_sort(flamegraph_roots(rq));
	const struct profile_request pr = flamegraph_profile(rq, sort);
	struct flamegraph_waits_reading rd = { .g = g, .rq = rq, .diag = diag };
	int r = flamegraph_waits_check(rq, diag);

	if (r >= 0)
		r = profile_open(&g->profile, &pr, diag);
	if (r >= 0 && off_cpu_has_summed_event(g->profile.session))
		return rq->choice.wall ? make_wall_of_summed(g, rq, notes, diag)
				       : make_of_summed(g, rq, notes, diag);
	if (r >= 0)
		r = read_waits(&rd);
	if (r >= 0)
		r = flamegraph_waits_draw(&rd);
	/* The text of the keys is freed on return and is not used any more. */
	g->profile.rq.plan.sort = NULL;
	if (r >= 0)
		off_cpu_note(rd.off, notes);
	if (g->profile.filter)
		profile_note(&g->profile, notes);
	off_cpu_free(rd.off);
	return r;
}
