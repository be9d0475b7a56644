/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>
#include <poll.h>

#include "tui/browse.h"
#include "base/background.h"
#include "profile/report-group.h"
#include "profile/time-strip.h"

/* Several times as many as a first snapshot has. */
#define MANY 200000

struct fixture {
	struct recording rec;
	char path[32];
	struct browse_request rq;
	struct browse *browse;
	const struct browse_snapshot *s;
	struct diag diag;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	f.rq.profile.plan.sort = "comm";
	f.rq.profile.max_stack = PROFILE_MAX_STACK;
	f.rq.profile.path = f.path;
	comm(&f.rec, 7, 7, "work", 1);
	comm(&f.rec, 8, 8, "idle", 1);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	if (f->s)
		browse_release(f->browse, f->s);
	browse_free(f->browse);
	diag_done(&f->diag);
	filter_request_done(&f->rq.profile.filter);
	recording_done(&f->rec);
	return 0;
}

/* Adds samples, every third of which is process 8's. */
static void fill(struct fixture *f, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sampled(&f->rec, 1, i % 3 == 2 ? 8 : 7, 1000 + i);
	stored(&f->rec, f->path);
}

static int opens(struct fixture *f)
{
	return browse_open(&f->rq, &f->browse, &f->diag);
}

static void wait_for_news(struct fixture *f)
{
	struct pollfd p = { .fd = f->browse->work->fd, .events = POLLIN };

	assert_int_equal(poll(&p, 1, 30000), 1);
}

static void take_newer(struct fixture *f)
{
	const struct browse_snapshot *s = NULL;

	while (!(s = browse_take(f->browse, f->s)))
		wait_for_news(f);
	if (f->s) {
		assert_true(s->serial > f->s->serial);
		browse_release(f->browse, f->s);
	}
	f->s = s;
}

static void take_complete(struct fixture *f)
{
	do
		take_newer(f);
	while (!f->s->is_complete);
}

static uint64_t samples(const struct browse_snapshot *s)
{
	return s->tables->n ? s->tables->items[0].whole.samples : 0;
}

static void a_small_recording_is_complete_at_once(void **state)
{
	struct fixture *f = *state;
	uint64_t done, total;

	fill(f, 30);
	assert_int_equal(opens(f), 0);
	take_newer(f);
	assert_true(f->s->is_complete);
	assert_int_equal(samples(f->s), 30);
	assert_int_equal(f->s->tables->items[0].group->n, 2);
	assert_int_equal(f->s->done, f->s->total);
	assert_non_null(f->s->strip);
	assert_int_equal(time_strip_weight(f->s->strip, 0, UINT64_MAX), 30);
	assert_null(browse_take(f->browse, f->s));
	browse_progress(f->browse, &done, &total);
	assert_int_equal(done, total);
	assert_int_equal(browse_failure(f->browse, &f->diag), 0);
}

static void the_beginning_of_a_large_one_comes_first(void **state)
{
	struct fixture *f = *state;
	uint64_t first;
	size_t damage;

	fill(f, MANY);
	assert_int_equal(opens(f), 0);
	take_newer(f);
	damage = session_damage_count(f->s->profile->session);
	/* On a busy machine later snapshots may be there already. */
	first = samples(f->s);
	assert_true(first > 0);
	if (!f->s->is_complete) {
		assert_true(first < MANY);
		assert_true(f->s->done < f->s->total);
		take_complete(f);
	}
	assert_int_equal(samples(f->s), MANY);
	/* The only remark on either is that the recording was never finished. */
	assert_int_equal(session_damage_count(f->s->profile->session), damage);
}

static void an_old_snapshot_stays_until_it_is_released(void **state)
{
	struct fixture *f = *state;
	const struct browse_snapshot *old;
	uint64_t n;

	fill(f, MANY);
	assert_int_equal(opens(f), 0);
	take_newer(f);
	old = f->s;
	n = samples(old);
	f->s = NULL;
	do {
		if (f->s)
			browse_release(f->browse, f->s);
		f->s = NULL;
		wait_for_news(f);
		f->s = browse_take(f->browse, NULL);
	} while (!f->s || !f->s->is_complete);
	assert_int_equal(samples(old), n);
	assert_string_equal(old->request->profile.plan.sort, "comm");
	browse_release(f->browse, old);
}

static void another_question_is_answered(void **state)
{
	struct fixture *f = *state;
	char sort[] = "pid,cpu";
	struct browse_request rq;
	uint64_t serial;

	fill(f, MANY);
	assert_int_equal(opens(f), 0);
	take_newer(f);
	serial = f->s->serial;
	rq = f->rq;
	rq.profile.plan.sort = sort;
	rq.profile.filter.comms = "idle";
	browse_ask(f->browse, &rq);
	memset(sort, 0, sizeof(sort));
	do
		take_newer(f);
	while (strcmp(f->s->request->profile.plan.sort, "pid,cpu") != 0 || !f->s->is_complete);
	assert_true(f->s->serial > serial);
	assert_int_equal(f->s->tables->items[0].group->n, 1);
	assert_int_equal(samples(f->s), MANY / 3);
}

static void a_mistake_leaves_what_is_there(void **state)
{
	struct fixture *f = *state;
	struct browse_request rq;
	int r;

	fill(f, 30);
	assert_int_equal(opens(f), 0);
	take_complete(f);
	rq = f->rq;
	rq.profile.plan.sort = "colour";
	browse_ask(f->browse, &rq);
	while (!(r = browse_failure(f->browse, &f->diag))) {
		wait_for_news(f);
		assert_null(browse_take(f->browse, f->s));
	}
	assert_int_equal(r, -EINVAL);
	assert_non_null(f->diag.message);
	assert_int_equal(browse_failure(f->browse, &f->diag), 0);
	browse_ask(f->browse, &f->rq);
	take_newer(f);
	assert_int_equal(samples(f->s), 30);
}

static void mistakes_of_the_first_question_come_at_once(void **state)
{
	struct fixture *f = *state;

	fill(f, 3);
	f->rq.profile.plan.sort = "colour";
	assert_int_equal(opens(f), -EINVAL);
	f->rq.profile.path = "/nowhere/perf.data";
	assert_int_equal(opens(f), -ENOENT);
}

static void pipes_are_not_for_browsing(void **state)
{
	struct fixture *f = *state;

	f->rq.profile.path = "-";
	assert_false(browse_is_possible("-"));
	assert_int_equal(opens(f), -ESPIPE);
}

static void the_strip_is_of_all_times(void **state)
{
	struct fixture *f = *state;
	size_t offset;

	fill(f, 3000);
	assert_int_equal(
		time_window_parse("0.000001,0.000001500", &f->rq.profile.filter.time, &offset), 0);
	f->rq.profile.filter.comms = "idle";
	assert_int_equal(opens(f), 0);
	take_complete(f);
	assert_int_equal(samples(f->s), 167);
	assert_int_equal(time_strip_weight(f->s->strip, 0, UINT64_MAX), 1000);
}

static void it_can_be_freed_while_it_reads(void **state)
{
	struct fixture *f = *state;

	fill(f, MANY);
	assert_int_equal(opens(f), 0);
	browse_ask(f->browse, &f->rq);
	browse_ask(f->browse, &f->rq);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_small_recording_is_complete_at_once),
		TEST(the_beginning_of_a_large_one_comes_first),
		TEST(an_old_snapshot_stays_until_it_is_released),
		TEST(another_question_is_answered),
		TEST(a_mistake_leaves_what_is_there),
		TEST(mistakes_of_the_first_question_come_at_once),
		TEST(pipes_are_not_for_browsing),
		TEST(the_strip_is_of_all_times),
		TEST(it_can_be_freed_while_it_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
