/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/text.h"
#include "view/printed.h"
#include "tools/script/script-view.h"

#define SAMPLES 5000

/* Prints the samples of @rec under @o. */
static void print(struct recording *rec, struct script_options o, struct printed *ret)
{
	_cleanup_(session_freep) struct session *session = opened(rec, false);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text notes = TEXT_EMPTY;
	_cleanup_(script_freep) struct script *s = NULL;

	printed_open(ret);
	o.out = ret->out;
	assert_int_equal(script_new(session, &o, &s, &notes, &diag), 0);
	assert_int_equal(script_print(s, &diag), 0);
}

static struct recording many(void)
{
	struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					    PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					    PERF_SAMPLE_CALLCHAIN);

	comm(&rec, 7, 7, "seven", 0);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t chain[] = { PERF_CONTEXT_USER, 0x1000 + i % 7, 0x2000 + i % 3, 0x3000 };
		struct sample s = { .misc = PERF_RECORD_MISC_USER,
				    .id = 1 + i % 2,
				    .ip = chain[1],
				    .pid = 7,
				    .tid = 7,
				    .time = 1000 * (i + 1),
				    .chain = { (const uint8_t *)chain, 4, false } };

		assert_int_equal(sample_encode(&s, &rec.attr, &rec.records), 0);
		if (i == SAMPLES / 2)
			comm(&rec, 7, 7, "eight", s.time);
	}
	return rec;
}

static void several_threads_print_what_one_does(void **state)
{
	_cleanup_(recording_done) struct recording rec = many();
	struct printed one, four;

	(void)state;
	print(&rec, (struct script_options){ .threads = 1 }, &one);
	close(rec.fd);
	print(&rec, (struct script_options){ .threads = 4 }, &four);
	fflush(one.out);
	assert_true(one.size > SAMPLES * 40);
	assert_printed(&four, one.text);
	fclose(one.out);
	free(one.text);
}

static void stacks_follow_their_lines(void **state)
{
	_cleanup_(recording_done) struct recording rec = many();
	static const struct time_span span = { 1000, 2000 };
	struct printed p;

	(void)state;
	print(&rec, (struct script_options){ .filter = { .spans = &span, .n_spans = 1 } }, &p);
	assert_printed(&p, "seven     7     0.000001:          0  cpu-clock: \n"
			   "\t            1000 [unknown] ([unknown])\n"
			   "\t            2000 [unknown] ([unknown])\n"
			   "\t            3000 [unknown] ([unknown])\n"
			   "\n"
			   "seven     7     0.000002:          0 task-clock: \n"
			   "\t            1001 [unknown] ([unknown])\n"
			   "\t            2001 [unknown] ([unknown])\n"
			   "\t            3000 [unknown] ([unknown])\n"
			   "\n");
}

static void a_field_that_is_not_there_is_refused(void **state)
{
	static const struct field_request cpu = { FIELD_TYPE_ALL, true, FIELD_BIT(CPU), 0 };
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text notes = TEXT_EMPTY;
	_cleanup_(session_freep) struct session *session = opened(&rec, false);
	_cleanup_(script_freep) struct script *s = NULL;
	struct script_options o = { .fields = &cpu, .n_fields = 1 };

	(void)state;
	assert_int_equal(script_new(session, &o, &s, &notes, &diag), 0);
	assert_int_equal(script_print(s, &diag), -EINVAL);
	assert_string_equal(diag.message, "Samples for 'cpu-clock' event do not have CPU attribute "
					  "set. Cannot print 'cpu' field.");
}

static void a_terminal_sees_no_control_characters(void **state)
{
	static const struct field_request name = { FIELD_TYPE_ALL, true, FIELD_BIT(COMM), 0 };
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct script_options o = { .fields = &name, .n_fields = 1, .escape = true };
	struct printed p;

	(void)state;
	comm(&rec, 7, 7, "a\033[2Jb", 0);
	sampled(&rec, 1, 7, 1000);
	print(&rec, o, &p);
	assert_printed(&p, "          a\\x1b[2Jb \n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_threads_print_what_one_does),
		cmocka_unit_test(stacks_follow_their_lines),
		cmocka_unit_test(a_field_that_is_not_there_is_refused),
		cmocka_unit_test(a_terminal_sees_no_control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
