/* SPDX-License-Identifier: MIT */
#include "probing.h"

#include "probe/probe-add.h"

/* Resolves the definitions @first and @second (or NULL) in the made program. */
static int resolve(struct probing *p, const char *first, const char *second,
		   struct probe_additions *ret)
{
	static struct probe_asked asked[2];
	static struct probe_texts texts;

	asked[0] = (struct probe_asked){ first, p->program, NULL };
	asked[1] = (struct probe_asked){ second, p->program, NULL };
	texts = (struct probe_texts){ asked, second ? 2 : 1, 0 };
	return probe_additions_resolve(ret, &p->rq, &texts, &p->notes, &p->diag);
}

static void definitions_become_events(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_additions_done) struct probe_additions a = { 0 };

	assert_int_equal(resolve(&p, "first", "name=label", &a), 0);
	assert_int_equal(a.n, 2);
	assert_string_equal(a.items[0].probes.items[0].event, "first");
	assert_int_equal(probe_additions_write(&a, &p.diag), 0);

	_cleanup_(freep) char *lines = probing_file(*state, "uprobe_events");

	assert_non_null(strstr(lines, "probe_program/first"));
	assert_non_null(strstr(lines, "probe_program/name"));
	assert_int_equal(p.notes.n, 0);
}

static void a_wrong_definition_keeps_all_of_them(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_additions_done) struct probe_additions a = { 0 };

	assert_int_equal(resolve(&p, "first", "frist", &a), -ENOENT);
	assert_string_equal(p.diag.excerpt, "frist");

	_cleanup_(freep) char *lines = probing_file(*state, "uprobe_events");

	assert_string_equal(lines, "");
}

static void a_dry_run_writes_nothing(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_additions_done) struct probe_additions a = { 0 };

	p.rq.dry_run = p.rq.verbose = true;
	assert_int_equal(resolve(&p, "first", NULL, &a), 0);
	assert_int_equal(probe_additions_write(&a, &p.diag), 0);
	assert_true(probing_said(&p, "probe-definition(0): first"));
	assert_true(probing_said(&p, "Found 1 probe_trace_events."));
	assert_true(probing_said(&p, "Writing event: p:probe_program/first"));

	_cleanup_(freep) char *lines = probing_file(*state, "uprobe_events");

	assert_string_equal(lines, "");
}

static void places_that_are_left_out_are_notes(void **state)
{
	_cleanup_(probing_done) struct probing p = probing_begin(*state);
	_cleanup_(probe_additions_done) struct probe_additions a = { 0 };

	assert_int_equal(resolve(&p, "*", NULL, &a), 0);
	assert_true(probing_said(&p, "chosen only chooses"));
	assert_int_equal(p.notes.items[0].kind, NOTE_STATUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBING(definitions_become_events),
		PROBING(a_wrong_definition_keeps_all_of_them),
		PROBING(a_dry_run_writes_nothing),
		PROBING(places_that_are_left_out_are_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
