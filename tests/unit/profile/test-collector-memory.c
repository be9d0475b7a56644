/* SPDX-License-Identifier: MIT */

#include "session/recording.h"

#include "profile/collector-memory.h"
#include "profile/collector-worker.h"
#include "profile/shared-values.h"

#define TYPES                                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT)

static void an_access_weighs_what_it_cost(void **state)
{
	(void)state;
	assert_int_equal(memory_weight(&(struct sample){ .weight = 30, .period = 5 }).period, 30);
	assert_int_equal(memory_weight(&(struct sample){ .weight = 30 }).samples, 1);
	assert_int_equal(memory_weight(&(struct sample){ .weight = 0, .period = 5 }).period, 1);
}

/* Returns the data that a sample, of the kernel or of a program, accessed at @addr. */
static struct frame data_at(uint64_t types, uint64_t addr)
{
	_cleanup_(recording_done) struct recording rec = recording_of(types);
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(frames_freep) struct frames *frames = frames_new(true);
	struct collector_worker w = { 0 };
	struct sample sample = { .misc = PERF_RECORD_MISC_KERNEL, .addr = addr };
	struct collected c = { .sample = &sample, .time = 200 };
	struct frame ret = { 0 };
	uint32_t data;

	comm(&rec, 10, 10, "prog", 1);
	mmaps(&rec, 10, 0x1000, 0x1000, "/bin/none-such", 1);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	resolver_init(&w.resolver, s, frames);
	resolver_refresh(&w.resolver);
	c.event = session_event(s, 0);
	c.task = resolver_task(&w.resolver, 10, 10, 200);
	data = memory_data(&w, &c);
	if (data != FRAME_NONE)
		ret = *frames_get(frames, data);
	resolver_done(&w.resolver);
	return ret;
}

static void the_address_tells_whose_the_data_is(void **state)
{
	struct frame f = data_at(TYPES, 0x1010);

	(void)state;
	assert_int_equal(f.mode, ADDRESS_USER);
	assert_non_null(f.image);
	assert_int_equal(f.ip, 0x1010);
	assert_int_equal(data_at(TYPES, 0xffff800080010000).mode, ADDRESS_KERNEL);
}

static void without_an_address_there_is_no_data(void **state)
{
	(void)state;
	assert_null(data_at(TYPES & ~(uint64_t)PERF_SAMPLE_ADDR, 0x1010).image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_access_weighs_what_it_cost),
		cmocka_unit_test(the_address_tells_whose_the_data_is),
		cmocka_unit_test(without_an_address_there_is_no_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
