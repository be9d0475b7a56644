/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/env.h"
#include "measure/event-words.h"

/* Words, and the events that they resolve to. */
struct resolved {
	struct event_words words;
	struct event_env *env;
	struct event_list events;
	size_t before[8];
	struct diag diag;
};

static void resolved_done(struct resolved *r)
{
	event_words_done(&r->words);
	event_list_done(&r->events);
	event_env_free(r->env);
	diag_done(&r->diag);
}

static int resolve(struct resolved *r)
{
	r->env = event_env_new(NULL, NULL);
	return event_words_resolve(&r->words, r->env, EVENT_USE_COUNTING, &r->events, r->before,
				   &r->diag);
}

static void words_become_events_in_their_order(void **state)
{
	_cleanup_(resolved_done) struct resolved r = { 0 };

	(void)state;
	event_words_add(&r.words, EVENT_WORD_EVENT, "page-faults,cs");
	event_words_add(&r.words, EVENT_WORD_CGROUP, "a,b");
	event_words_add(&r.words, EVENT_WORD_EVENT, "migrations");
	assert_int_equal(resolve(&r), 0);
	assert_int_equal(r.events.n, 3);
	assert_string_equal(r.events.items[0]->name, "page-faults");
	assert_string_equal(r.events.items[2]->name, "migrations");
	assert_int_equal(r.before[0], 0);
	assert_int_equal(r.before[1], 2);
	assert_int_equal(r.before[2], 2);
}

static void a_wrong_word_ends_it(void **state)
{
	_cleanup_(resolved_done) struct resolved r = { 0 };

	(void)state;
	event_words_add(&r.words, EVENT_WORD_EVENT, "no such event");
	event_words_add(&r.words, EVENT_WORD_EVENT, "cs");
	assert_true(resolve(&r) < 0);
	assert_non_null(r.diag.message);
}

static void kinds_are_found(void **state)
{
	_cleanup_(event_words_done) struct event_words w = { 0 };

	(void)state;
	event_words_add(&w, EVENT_WORD_EVENT, "cs");
	assert_true(event_words_have(&w, EVENT_WORD_EVENT));
	assert_false(event_words_have(&w, EVENT_WORD_CGROUP));
}

static void only_names_with_a_colon_may_be_markers(void **state)
{
	_cleanup_(event_words_done) struct event_words w = { 0 };

	(void)state;
	event_words_add(&w, EVENT_WORD_EVENT, "cs");
	event_words_add(&w, EVENT_WORD_CGROUP, "a:b");
	assert_false(event_words_may_attach(&w));
	event_words_add(&w, EVENT_WORD_EVENT, "sdt_x:y");
	assert_true(event_words_may_attach(&w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_become_events_in_their_order),
		cmocka_unit_test(a_wrong_word_ends_it),
		cmocka_unit_test(kinds_are_found),
		cmocka_unit_test(only_names_with_a_colon_may_be_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
