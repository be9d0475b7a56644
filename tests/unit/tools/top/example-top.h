/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A live profile without a kernel: records made by hand go through a live session into the current
 * world of a `struct top` whose thread is the test's own.
 *
 * Processes are 7 ("work") and 8 ("idle"). There are two events; their ids are 1 and 2.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "measure/record-job.h"
#include "profile/report-group.h"
#include "session/live.h"
#include "session/session.h"
#include "tools/top/internal-work.h"
#include "wire/record.h"
#include "wire/sample.h"

/* The same as in session/recording.h, whose name capture/ uses for something else. */
struct example_records {
	struct attr attr;
	struct bytes records;
};

__attribute__((unused)) static void add(struct example_records *to, struct record r, uint64_t time)
{
	r.id.time = time;
	assert_int_equal(record_encode(&r, &to->attr, &to->records), 0);
}

__attribute__((unused)) static void comm(struct example_records *to, uint32_t pid, uint32_t tid,
					 const char *name, uint64_t time)
{
	add(to,
	    (struct record){ .header.type = PERF_RECORD_COMM,
			     .comm = { .pid = pid, .tid = tid, .comm = name } },
	    time);
}

__attribute__((unused)) static void forks(struct example_records *to, uint32_t ppid, uint32_t pid,
					  uint64_t time)
{
	add(to,
	    (struct record){ .header.type = PERF_RECORD_FORK,
			     .task = { .pid = pid, .ppid = ppid, .tid = pid, .ptid = ppid } },
	    time);
}

__attribute__((unused)) static void mmaps(struct example_records *to, uint32_t pid, uint64_t addr,
					  uint64_t len, const char *name, uint64_t time)
{
	add(to,
	    (struct record){ .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
			     .mmap = { .pid = pid,
				       .tid = pid,
				       .addr = addr,
				       .len = len,
				       .filename = name,
				       .prot = 5 } },
	    time);
}

__attribute__((unused)) static void sampled(struct example_records *to, uint64_t id, uint32_t tid,
					    uint64_t time)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER, .id = id, .pid = tid, .tid = tid, .time = time
	};

	assert_int_equal(sample_encode(&s, &to->attr, &to->records), 0);
}

struct example_top {
	struct example_records rec; /* the current contents of the rings */
	struct file_event events[2];
	uint64_t ids[2];
	struct record_job job;
	struct session *session;
	struct live_feed *feed;
	struct top_question *question;
	struct diag diag;
	struct top t;
};

static inline int example_top_begin(void *arg, struct consumer *c)
{
	struct example_top *e = arg;

	e->t.session = c->session;
	return top_world_new(&e->t, e->question, NULL, &e->t.world, &e->diag);
}

static inline int example_top_samples(void *arg, const struct sample_batch *b)
{
	struct example_top *e = arg;

	return top_take(&e->t, b);
}

/* Sets up the profile. @names is borrowed and gives names of functions, or is NULL. */
__attribute__((unused)) static void example_top_init_with(struct example_top *e, const char *sort,
							  struct symbolizer *names)
{
	const struct consumer consumer = { .order = CONSUMER_IN_ORDER,
					   .begin = example_top_begin,
					   .samples = example_top_samples,
					   .arg = e };
	struct browse_request rq = { .profile = { .plan.sort = sort,
						  .max_stack = PROFILE_MAX_STACK } };

	*e = (struct example_top){ .rec.attr = { .type = PERF_TYPE_SOFTWARE,
						 .size = 128,
						 .sample_type = PERF_SAMPLE_IDENTIFIER |
								PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								PERF_SAMPLE_TIME,
						 .sample_id_all = 1 } };
	for (size_t i = 0; i < 2; i++) {
		e->ids[i] = i + 1;
		e->events[i] =
			(struct file_event){ .attr = e->rec.attr, .ids = &e->ids[i], .n_ids = 1 };
	}
	e->job.facts.opened = e->events;
	e->job.facts.n = 2;
	e->t.job = &e->job;
	e->t.symbolizer = names;
	background_init(&e->t.work);
	pthread_mutex_init(&e->t.code_lock, NULL);
	e->question = top_question_new(&rq);
	e->session = session_live_new(&(struct session_live_options){
		.events = e->events, .n_events = 2, .symbolizer = names, .keeps_all = true });
	assert_int_equal(live_feed_new(e->session, NULL, &consumer, &e->feed), 0);
	comm(&e->rec, 7, 7, "work", 1);
	comm(&e->rec, 8, 8, "idle", 1);
}

__attribute__((unused)) static void example_top_init(struct example_top *e, const char *sort)
{
	example_top_init_with(e, sort, NULL);
}

__attribute__((unused)) static void example_top_done(struct example_top *e)
{
	top_world_unref(&e->t, e->t.world);
	assert_null(e->t.worlds);
	live_feed_free(e->feed);
	for (size_t i = 0; i < e->t.recounted.n; i++)
		session_free(e->t.recounted.items[i]);
	free(e->t.recounted.items);
	free(e->t.wanted.items);
	top_buffer_done(&e->t.buffer);
	session_free(e->session);
	top_question_unref(e->question);
	background_done(&e->t.work);
	diag_done(&e->diag);
	bytes_done(&e->rec.records);
}

/* Delivers everything that is in the rings. */
__attribute__((unused)) static void example_top_pass(struct example_top *e)
{
	const struct iovec pieces[2] = { { e->rec.records.data, e->rec.records.n } };

	live_feed_take(e->feed, pieces);
	top_buffer_add(&e->t.buffer, pieces);
	for (int i = 0; i < 2; i++)
		assert_int_equal(live_feed_end_pass(e->feed), 0);
	e->rec.records.n = 0;
}

/* Adds a sample of the first event, in the mode of @misc. */
__attribute__((unused)) static void example_top_sample(struct example_top *e, uint16_t misc,
						       uint32_t pid, uint64_t ip, uint64_t time)
{
	struct sample s = { .misc = misc, .id = 1, .ip = ip, .pid = pid, .tid = pid, .time = time };

	assert_int_equal(sample_encode(&s, &e->rec.attr, &e->rec.records), 0);
}

/* Adds @n samples of @pid, and delivers them. */
__attribute__((unused)) static void example_top_samples_of(struct example_top *e, uint32_t pid,
							   size_t n)
{
	static uint64_t time = 100;

	for (size_t i = 0; i < n; i++)
		sampled(&e->rec, 1, pid, ++time);
	example_top_pass(e);
}

/* Returns the number of samples of the first event in the current world. */
__attribute__((unused)) static uint64_t example_top_weight(const struct example_top *e)
{
	const struct tally *t = collector_tally(e->t.world->profile.collector, 0);

	return t ? t->total.samples : 0;
}

__attribute__((unused)) static uint64_t samples_of(const struct browse_snapshot *s)
{
	return s->tables->n ? s->tables->items[0].whole.samples : 0;
}
