/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "bpf/hist.h"
#include "event/env.h"
#include "event/event.h"
#include "measure/event-words.h"
#include "pairs/hist-pairs.h"
#include "pairs/hist.h"
#include "pairs/pair-presets.h"
#include "scratch-folder.h"

/* Adds a tracepoint of a made-up kernel in the current folder. */
static void add_tracepoint(const char *group, const char *name, int id, const char *fields)
{
	_cleanup_(freep) char *folder = xasprintf("events/%s/%s", group, name);
	_cleanup_(freep) char *command = xasprintf("mkdir -p %s", folder);
	_cleanup_(freep) char *id_path = xasprintf("%s/id", folder);
	_cleanup_(freep) char *format_path = xasprintf("%s/format", folder);
	FILE *f;

	assert_int_equal(system(command), 0);
	f = fopen(id_path, "w");
	fprintf(f, "%d\n", id);
	fclose(f);
	f = fopen(format_path, "w");
	fprintf(f,
		"name: %s\nID: %d\nformat:\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\n"
		"print fmt: \"\"\n",
		name, id, fields);
	fclose(f);
}

#define FIELD(type, name, offset, size)                                                            \
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:0;\n"

static int make_kernel(void **state)
{
	const char *request = FIELD("dev_t", "dev", 8, 4) FIELD("sector_t", "sector", 16, 8)
		FIELD("unsigned int", "nr_sector", 24, 4) FIELD("char", "rwbs[10]", 28, 10);

	if (enter_scratch_folder(state) < 0)
		return -1;
	add_tracepoint("block", "block_rq_issue", 1, request);
	add_tracepoint("block", "block_rq_complete", 2, request);
	add_tracepoint("sched", "sched_wakeup", 3, FIELD("pid_t", "pid", 24, 4));
	add_tracepoint("sched", "sched_wakeup_new", 4, FIELD("pid_t", "pid", 24, 4));
	add_tracepoint("sched", "sched_switch", 5,
		       FIELD("pid_t", "prev_pid", 24, 4) FIELD("long", "prev_state", 32, 8)
			       FIELD("pid_t", "next_pid", 56, 4));
	add_tracepoint("a", "begin", 6, FIELD("char", "name[16]", 8, 16) FIELD("int", "x", 24, 4));
	add_tracepoint("a", "end", 7, FIELD("char", "name[16]", 8, 16) FIELD("int", "y", 24, 4));
	return 0;
}

/* Resolves the events of @spec and translates its rules. */
static int translate(const struct pair_spec *spec, struct bpf_hist_pairs *ret, struct diag *diag)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new("/nowhere", ".");
	struct event_words words = { 0 };
	struct event_list events = { 0 };
	size_t before[16];
	int r;

	hist_pair_words(spec, NULL, &words);
	assert_int_equal(
		event_words_resolve(&words, env, EVENT_USE_COUNTING, &events, before, diag), 0);
	r = hist_pair_rules(spec, &events, env, ret, diag);
	event_words_done(&words);
	event_list_done(&events);
	return r;
}

static void block_requests_have_device_sector_and_flushes(void **state)
{
	const struct hist_request rq = { .preset = pair_preset_find("block") };
	struct bpf_hist_pairs p;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(translate(hist_pair_spec(&rq), &p, &diag), 0);
	assert_int_equal(p.n_events, 2);
	assert_int_equal(p.n_rules, 2);
	assert_int_equal(p.n_keys, 2);
	assert_int_equal(p.rules[0].role, HIST_BEGIN);
	assert_int_equal(p.rules[0].keys[1].field.offset, 16);
	assert_true(p.rules[1].is_request);
	assert_int_equal(p.rules[1].sector, 1);
	assert_int_equal(p.rules[1].rwbs.offset, 28);
	assert_int_equal(p.rules[1].n_sectors.offset, 24);
}

static void rules_of_an_event_stay_in_order(void **state)
{
	const struct hist_request rq = { .preset = pair_preset_find("sched") };
	struct bpf_hist_pairs p;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(translate(hist_pair_spec(&rq), &p, &diag), 0);
	assert_int_equal(p.n_events, 3);
	assert_int_equal(p.n_rules, 5);
	assert_true(p.skips_zero && p.key_is_task);
	for (int i = 2; i < 5; i++)
		assert_int_equal(p.rules[i].event, 2);
	assert_int_equal(p.rules[2].role, HIST_END);
	assert_int_equal(p.rules[3].role, HIST_CANCEL);
	assert_int_equal(p.rules[4].role, HIST_BEGIN);
	assert_true(p.rules[4].has_condition);
	assert_int_equal(p.rules[4].condition.offset, 32);
	assert_int_equal(p.rules[4].mask, 0xff);
}

static void keys_may_have_two_names_and_be_of_the_sample(void **state)
{
	struct typed_pair typed;
	struct bpf_hist_pairs p;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("a:begin,a:end", "tid,cpu,x=y", &typed, &diag), 0);
	assert_int_equal(translate(&typed.spec, &p, &diag), 0);
	assert_int_equal(p.n_keys, 3);
	assert_int_equal(p.rules[0].keys[0].kind, HIST_KEY_TID);
	assert_int_equal(p.rules[0].keys[1].kind, HIST_KEY_CPU);
	assert_int_equal(p.rules[0].keys[2].kind, HIST_KEY_FIELD);
	typed_pair_done(&typed);
}

static void what_the_program_cannot_compare_is_left_to_samples(void **state)
{
	struct typed_pair typed;
	struct bpf_hist_pairs p;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("a:begin,a:end", "name", &typed, &diag), 0);
	assert_int_equal(translate(&typed.spec, &p, &diag), -EOPNOTSUPP);
	typed_pair_done(&typed);
	diag_done(&diag);
}

static void a_field_that_is_missing_is_an_error(void **state)
{
	struct typed_pair typed;
	struct bpf_hist_pairs p;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(typed_pair_parse("a:begin,a:end", "x", &typed, &diag), 0);
	assert_int_equal(translate(&typed.spec, &p, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "a:end"));
	typed_pair_done(&typed);
	diag_done(&diag);
}

static void each_event_gets_the_filter(void **state)
{
	const struct hist_request rq = { .preset = pair_preset_find("sched") };
	struct event_words words = { 0 };

	(void)state;
	hist_pair_words(hist_pair_spec(&rq), "common_pid > 0", &words);
	assert_int_equal(words.n, 6);
	assert_int_equal(words.items[1].kind, EVENT_WORD_FILTER);
	assert_string_equal(words.items[4].text, "sched:sched_switch");
	event_words_done(&words);
}

#define IN_KERNEL(test) cmocka_unit_test_setup_teardown(test, make_kernel, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_KERNEL(block_requests_have_device_sector_and_flushes),
		IN_KERNEL(rules_of_an_event_stay_in_order),
		IN_KERNEL(keys_may_have_two_names_and_be_of_the_sample),
		IN_KERNEL(what_the_program_cannot_compare_is_left_to_samples),
		IN_KERNEL(a_field_that_is_missing_is_an_error),
		cmocka_unit_test(each_event_gets_the_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
