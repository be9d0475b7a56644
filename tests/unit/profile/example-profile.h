/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples with stacks made by hand, and their collection.
 *
 * Two processes, 10 ("one") and 20 ("two"); two images, mapped in both at 0x1000 ("/bin/app") and
 * 0x5000 ("/lib/lib"). Nothing has names: places are distinguished by address.
 */
#include "session/recording.h"

#include "base/cleanup.h"
#include "profile/collector.h"
#include "profile/report.h"
#include "profile/shared-values.h"
#include "session/sample-filter.h"
#include "symbol/symbolizer.h"

struct example_profile {
	struct recording recording;
	struct session *session;
	struct key_env env;
	struct collector *collector;
};

__attribute__((unused)) static void example_profile_init(struct example_profile *p)
{
	*p = (struct example_profile){
		.recording = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					  PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
					  PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
	};
	for (uint32_t pid = 10; pid <= 20; pid += 10) {
		comm(&p->recording, pid, pid, pid == 10 ? "one" : "two", 1);
		mmaps(&p->recording, pid, 0x1000, 0x1000, "/bin/app", 1);
		mmaps(&p->recording, pid, 0x5000, 0x1000, "/lib/lib", 1);
	}
}

__attribute__((unused)) static void example_profile_done(struct example_profile *p)
{
	collector_free(p->collector);
	frames_free(p->env.frames);
	shared_values_free(p->env.values);
	session_free(p->session);
	symbolizer_free(p->recording.symbolizer);
	recording_done(&p->recording);
}

/* Adds a sample of event @id by @pid, with a stack of @n user addresses, the innermost first. */
__attribute__((unused)) static void example_stack(struct example_profile *p, uint64_t id,
						  uint32_t pid, uint64_t time, uint64_t period,
						  const uint64_t *ips, size_t n)
{
	uint64_t chain[16] = { PERF_CONTEXT_USER };
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.id = id,
		.ip = ips[0],
		.pid = pid,
		.tid = pid,
		.time = time,
		.cpu = pid / 10,
		.period = period,
		.chain = { .bytes = (const uint8_t *)chain, .n = n + 1 },
	};

	assert_true(n < 16);
	memcpy(chain + 1, ips, n * sizeof(*ips));
	assert_int_equal(sample_encode(&s, &p->recording.attr, &p->recording.records), 0);
}

#define EXAMPLE_STACK(p, pid, time, period, ...)                                                   \
	example_stack(p, 1, pid, time, period, (const uint64_t[]){ __VA_ARGS__ },                  \
		      sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* Keys: the process of a sample, the address of a frame, the image of a frame. */
static inline uint64_t example_pid_of(const struct key *k, struct key_env *env,
				      const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->pid;
}

static inline uint64_t example_ip_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return frames_get(env->frames, frame)->ip;
}

static inline uint64_t example_image_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return (uintptr_t)frames_get(env->frames, frame)->image;
}

static const struct key_type example_key_types[] = {
	{ .name = "pid", .scope = KEY_SAMPLE, .of_sample = example_pid_of },
	{ .name = "ip", .scope = KEY_FRAME, .of_frame = example_ip_of },
	{ .name = "dso", .scope = KEY_FRAME, .of_frame = example_image_of },
};

__attribute__((unused)) static const struct key example_by_pid[] = {
	{ .type = &example_key_types[0] }, { .type = &example_key_types[1] }
};
__attribute__((
	unused)) static const struct key example_by_ip[] = { { .type = &example_key_types[1] } };
__attribute__((
	unused)) static const struct key example_by_image[] = { { .type = &example_key_types[2] } };

/* Gives half of the samples to each worker. */
static inline int example_take(void *arg, const struct sample_batch *b)
{
	struct example_profile *p = arg;

	for (size_t i = 0; i < b->n; i++)
		collector_take(p->collector, &(struct sample_batch){ .items = &b->items[i],
								     .n = 1,
								     .worker = (unsigned)i % 2 });
	return 0;
}

/*
 * Reads the samples, and returns event 1 of the result. The options' env and n_workers are filled
 * in.
 */
__attribute__((unused)) static const struct tally *example_collect(struct example_profile *p,
								   struct collector_options o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.filter = o.with_strip ? NULL : o.filter,
		.samples = example_take,
		.arg = p,
	};

	p->session = opened(&p->recording, false);
	assert_int_equal(session_scan(p->session, &diag), 0);
	p->env = (struct key_env){
		.session = p->session,
		.frames = frames_new(false),
		.values = shared_values_new(),
		.has_image_key = true,
	};
	o.env = &p->env;
	o.n_workers = 2;
	if (!o.max_stack)
		o.max_stack = 127;
	p->collector = collector_new(&o);
	assert_int_equal(session_feed(p->session, NULL, &consumer, &diag), 0);
	collector_settle(p->collector);
	return collector_tally(p->collector, 0);
}
