/* SPDX-License-Identifier: MIT */
#include "tools/query/stack-rows-work.h"

#include "profile/stack-numbers.h"
#include "made-recording.h"
#include "session/consumer.h"

static int take(void *arg, const struct sample_batch *b)
{
	const uint32_t *nodes;

	stack_numbers_take(arg, b, &nodes);
	return 0;
}

struct numbered {
	struct made_recording m;
	struct session *s;
	struct stack_numbers *stacks;
	struct query_tables tables;
};

/* Takes over @m. */
static struct numbered numbered(struct made_recording m)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct numbered n = { .m = m };

	n.s = made_session(&n.m);
	n.stacks = stack_numbers_new(n.s, 127, 1);
	assert_int_equal(session_feed(n.s, NULL,
				      &(struct consumer){ .order = CONSUMER_IN_ORDER,
							  .samples = take,
							  .arg = n.stacks },
				      &diag),
			 0);
	stack_numbers_settle(n.stacks);
	query_tables_make(&n.tables, n.s);
	return n;
}

static void numbered_done(struct numbered *n)
{
	query_tables_done(&n->tables);
	stack_numbers_free(n->stacks);
	session_free(n->s);
	made_recording_done(&n->m);
}

static void assert_table(const struct numbered *n, const char *name, const char *expected)
{
	assert_rows(stack_rows(query_tables_find(&n->tables, name), n->stacks), expected);
}

static void stacks_have_a_depth_their_innermost_frame_and_a_text(void **state)
{
	struct numbered n = numbered(made_example(false));

	(void)state;
	assert_table(&n, "stacks",
		     "1|3|1|'work'|'work'|'[app];[app];work'\n"
		     "2|1|2|-|'/bin/app'|'[app]'\n");
	numbered_done(&n);
}

static void each_frame_of_each_stack_is_a_row_innermost_first(void **state)
{
	struct numbered n = numbered(made_example(false));

	(void)state;
	assert_table(&n, "stack_frames",
		     "1|0|1|'work'|'work'\n"
		     "1|1|2|-|'/bin/app'\n"
		     "1|2|3|-|'/bin/app'\n"
		     "2|0|2|-|'/bin/app'\n");
	numbered_done(&n);
}

static void frames_have_an_address_and_a_mode(void **state)
{
	struct numbered n = numbered(made_example(false));

	(void)state;
	/* The address of a function is its start, MADE_CODE. */
	assert_table(&n, "frames",
		     "1|'work'|'work'|-140737487306752|'kernel'|0\n"
		     "2|-|'/bin/app'|4352|'user'|0\n"
		     "3|-|'/bin/app'|4608|'user'|0\n");
	numbered_done(&n);
}

/* Code outside of all maps has the mode of the sample. */
static void every_mode_has_a_name(void **state)
{
	static const uint16_t misc[] = { PERF_RECORD_MISC_KERNEL,     PERF_RECORD_MISC_USER,
					 PERF_RECORD_MISC_HYPERVISOR, PERF_RECORD_MISC_GUEST_KERNEL,
					 PERF_RECORD_MISC_GUEST_USER, 7 };
	struct made_recording m = made_recording(false);
	struct numbered n;

	(void)state;
	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_STACKS);
	for (size_t i = 0; i < ARRAY_SIZE(misc); i++) {
		const uint64_t chain[] = { PERF_CONTEXT_USER, 0x11 * (i + 1) };

		made_sample(
			&m, 0,
			(struct sample){ .misc = misc[i],
					 .ip = chain[1],
					 .pid = 10,
					 .tid = 10,
					 .time = 100 + i,
					 .chain = { .bytes = (const uint8_t *)chain, .n = 2 } });
	}
	n = numbered(m);
	assert_table(&n, "frames",
		     "1|-|-|17|'kernel'|0\n"
		     "2|-|-|34|'user'|0\n"
		     "3|-|-|51|'hypervisor'|0\n"
		     "4|-|-|68|'guest kernel'|0\n"
		     "5|-|-|85|'guest user'|0\n"
		     "6|-|-|102|'unknown'|0\n");
	numbered_done(&n);
}

static void a_semicolon_in_a_name_is_no_new_frame(void **state)
{
	struct made_recording m = made_recording(false);
	struct numbered n;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_STACKS);
	made_function(&m, MADE_CODE, "a;b;", 5);
	MADE_STACK(&m, ((struct sample){ .pid = 10, .tid = 10, .time = 100 }), MADE_CODE + 4,
		   0x9000);
	n = numbered(m);
	assert_table(&n, "stacks", "1|2|1|'a;b;'|'a;b;'|'[unknown];a:b:'\n");
	text_add(&out, "x:");
	stack_add_folded(&out, n.stacks, 1);
	assert_string_equal(out.chars, "x:[unknown];a:b:");
	numbered_done(&n);
}

static void recordings_without_stacks_have_no_rows(void **state)
{
	struct made_recording m = made_recording(false);
	struct numbered n;

	(void)state;
	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_STACKS);
	n = numbered(m);
	assert_table(&n, "stacks", "");
	assert_table(&n, "stack_frames", "");
	assert_table(&n, "frames", "");
	numbered_done(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_have_a_depth_their_innermost_frame_and_a_text),
		cmocka_unit_test(each_frame_of_each_stack_is_a_row_innermost_first),
		cmocka_unit_test(frames_have_an_address_and_a_mode),
		cmocka_unit_test(every_mode_has_a_name),
		cmocka_unit_test(a_semicolon_in_a_name_is_no_new_frame),
		cmocka_unit_test(recordings_without_stacks_have_no_rows),
	};

	return cmocka_run_group_tests_name("query/stack-rows", tests, NULL, NULL);
}
