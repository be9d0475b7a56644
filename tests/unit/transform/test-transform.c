/* SPDX-License-Identifier: MIT */
#include "collected.h"

#include <errno.h>

#include "base/cleanup.h"

static int pass_on(struct transform *t, const struct delivered *d)
{
	return transform_pass(t, d);
}

static int fail_at_end(struct transform *t)
{
	(void)t;
	return -EIO;
}

static void add_time(const struct transform *t, struct attr *attr)
{
	(void)t;
	attr->sample_type |= PERF_SAMPLE_TIME;
}

static const struct transform_kind passing = { .take = pass_on, .attr = add_time };
static const struct transform_kind failing = { .take = pass_on, .end = fail_at_end };

static void a_new_record_is_encoded_and_handed_on(void **state)
{
	(void)state;
	_cleanup_(collected_done) struct collected c = collected_new();
	struct transform t = { .kind = &passing, .next = &c.transform };
	struct record r = { .header.type = PERF_RECORD_COMM, .comm = { 1, 2, "made" } };

	assert_int_equal(transform_pass_record(&t, &r, NULL), 0);
	assert_int_equal(c.n, 1);
	assert_string_equal(collected_record(&c, 0, NULL).comm.comm, "made");
}

static void a_new_record_gets_the_trailer_of_its_event(void **state)
{
	(void)state;
	_cleanup_(collected_done) struct collected c = collected_new();
	struct transform t = { .kind = &passing, .next = &c.transform };
	const struct session_event e = { .attr = { .sample_id_all = 1,
						   .sample_type = PERF_SAMPLE_TIME } };
	struct record r = { .header.type = PERF_RECORD_COMM,
			    .id.time = 77,
			    .comm = { 1, 2, "made" } };

	assert_int_equal(transform_pass_record(&t, &r, &e), 0);
	assert_int_equal(collected_record(&c, 0, &e.attr).id.time, 77);
	assert_ptr_equal(c.events[0], &e);
}

static void a_record_that_cannot_be_encoded_is_an_error(void **state)
{
	(void)state;
	_cleanup_(collected_done) struct collected c = collected_new();
	struct transform t = { .kind = &passing, .next = &c.transform };
	struct record r = { .header.type = PERF_RECORD_SAMPLE };

	assert_true(transform_pass_record(&t, &r, NULL) < 0);
	assert_int_equal(c.n, 0);
}

static void attrs_go_through_the_whole_chain(void **state)
{
	(void)state;
	struct collected c = collected_new();
	struct transform t = { .kind = &passing, .next = &c.transform };
	struct attr attr = { .sample_type = PERF_SAMPLE_IP };

	transform_attr(&t, &attr);
	assert_int_equal(attr.sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TIME);
}

static void the_end_stops_at_who_fails(void **state)
{
	(void)state;
	struct collected c = collected_new();
	struct transform good = { .kind = &passing, .next = &c.transform };
	struct transform bad = { .kind = &failing, .next = &good };

	assert_int_equal(transform_end(&bad), -EIO);
	assert_false(c.ended);
	assert_int_equal(transform_end(&good), 0);
	assert_true(c.ended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_record_is_encoded_and_handed_on),
		cmocka_unit_test(a_new_record_gets_the_trailer_of_its_event),
		cmocka_unit_test(a_record_that_cannot_be_encoded_is_an_error),
		cmocka_unit_test(attrs_go_through_the_whole_chain),
		cmocka_unit_test(the_end_stops_at_who_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
