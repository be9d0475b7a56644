/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "measure/record-request.h"

static void a_command_is_at_least_one_word(void **state)
{
	char *const none[] = { NULL }, *const one[] = { "true", NULL };

	(void)state;
	assert_false(record_request_has_command(&(struct record_request){ 0 }));
	assert_false(record_request_has_command(&(struct record_request){ .argv = none }));
	assert_true(record_request_has_command(&(struct record_request){ .argv = one }));
}

static void all_lists_are_released(void **state)
{
	struct record_request rq = { 0 };
	struct thread_mask *mask = ARRAY_ADD(&rq.buffer.threads);

	(void)state;
	assert_int_equal(cpu_list_parse("0-3", &mask->cpus), 0);
	event_words_add(&rq.events, EVENT_WORD_EVENT, "cs");
	*ARRAY_ADD(&rq.target.pids) = 1;
	record_request_done(&rq);
	assert_int_equal(rq.events.n, 0);
	assert_int_equal(rq.target.pids.n, 0);
	assert_int_equal(rq.buffer.threads.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_at_least_one_word),
		cmocka_unit_test(all_lists_are_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
