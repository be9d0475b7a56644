/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "event/env.h"
#include "event/event.h"
#include "measure/bpf-events.h"

static const struct bpf_source_request by_clang = { 0 };

struct words {
	struct notes notes;
	struct bpf_events *programs;
	struct event_env *env;
	struct event_list events;
	struct diag diag;
};

static int parse(struct words *w, const char *text)
{
	const struct bpf_events_options o = { .sources = &by_clang,
					      .dry_run = true,
					      .notes = &w->notes };

	*w = (struct words){ .env = event_env_new(NULL, NULL) };
	w->programs = bpf_events_new(&o);
	bpf_events_listen(w->programs, w->env);
	return event_list_parse(&w->events, text, w->env, EVENT_USE_SAMPLING, &w->diag);
}

static void words_done(struct words *w)
{
	event_list_done(&w->events);
	event_env_free(w->env);
	bpf_events_free(w->programs);
	notes_done(&w->notes);
	diag_done(&w->diag);
}

static void an_object_that_is_not_there_is_told(void **state)
{
	struct words w;

	(void)state;
	assert_true(parse(&w, "/nowhere/x.o") < 0);
	assert_non_null(strstr(w.diag.message, "/nowhere/x.o"));
	assert_int_equal(w.events.n, 0);
	words_done(&w);
}

static void bytes_that_are_no_object_are_refused(void **state)
{
	char path[] = "/tmp/test-bpf-events-XXXXXX.o";
	int fd = mkstemps(path, 2);
	struct words w;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "\177ELF nonsense", 13), 13);
	close(fd);
	assert_true(parse(&w, path) < 0);
	assert_non_null(w.diag.message);
	unlink(path);
	words_done(&w);
}

static void without_programs_there_is_nothing_to_do(void **state)
{
	struct words w;

	(void)state;
	assert_int_equal(parse(&w, "cpu-clock"), 0);
	assert_int_equal(bpf_events_complete(w.programs, &w.events, w.env, &w.diag), 0);
	assert_int_equal(bpf_events_complete(NULL, &w.events, w.env, &w.diag), 0);
	assert_int_equal(bpf_events_attach(NULL, NULL, &w.diag), 0);
	assert_int_equal(w.events.n, 1);
	bpf_events_free(NULL);
	words_done(&w);
}

static void who_only_asks_passes_over_programs(void **state)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	bool any = false;

	(void)state;
	event_env_set_programs(env, bpf_events_pass, &any);
	assert_int_equal(event_list_parse(&l, "cpu-clock", env, EVENT_USE_SAMPLING, &diag), 0);
	assert_false(any);
	assert_int_equal(event_list_parse(&l, "/nowhere/x.c", env, EVENT_USE_SAMPLING, &diag), 0);
	assert_true(any);
	assert_int_equal(l.n, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_that_is_not_there_is_told),
		cmocka_unit_test(bytes_that_are_no_object_are_refused),
		cmocka_unit_test(without_programs_there_is_nothing_to_do),
		cmocka_unit_test(who_only_asks_passes_over_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
