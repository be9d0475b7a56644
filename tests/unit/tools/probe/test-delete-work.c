/* SPDX-License-Identifier: MIT */
#include "probe/probing.h"

#include "tools/probe/delete-work.h"

static int delete (struct probing *p, const char *pattern)
{
	struct probe_asked asked = { .text = pattern };
	const struct probe_texts texts = { &asked, 1, 0 };

	return probe_delete(&p->rq, &texts, &p->notes, &p->diag);
}

static struct probing begin(const char *root)
{
	struct probing p = probing_begin(root);

	fake_file(root, "kprobe_events", "p:probe/a f\np:probe/b g\n");
	return p;
}

static void what_the_pattern_names_is_removed(void **state)
{
	_cleanup_(probing_done) struct probing p = begin(*state);

	assert_int_equal(delete (&p, "probe:a"), 0);
	assert_int_equal(p.notes.n, 1);
	assert_string_equal(p.notes.items[0].what.message, "Removed event: probe:a");

	_cleanup_(freep) char *lines = probing_file(*state, "kprobe_events");

	assert_non_null(strstr(lines, "-:probe/a"));
}

static void a_pattern_that_names_nothing_is_an_error(void **state)
{
	_cleanup_(probing_done) struct probing p = begin(*state);

	assert_int_equal(delete (&p, "probe:c"), -ENOENT);
	assert_string_equal(p.diag.message, "\"probe:c\" does not hit any event");
	assert_int_equal(p.notes.n, 0);
}

static void a_dry_run_removes_nothing(void **state)
{
	_cleanup_(probing_done) struct probing p = begin(*state);

	p.rq.dry_run = true;
	assert_int_equal(delete (&p, "*"), 0);
	assert_int_equal(p.notes.n, 2);

	_cleanup_(freep) char *lines = probing_file(*state, "kprobe_events");

	assert_null(strstr(lines, "-:"));
}

static void the_cache_has_probes_of_its_own(void **state)
{
	_cleanup_(probing_done) struct probing p = begin(*state);

	p.rq.cache = true;
	p.rq.buildid_dir = *state;
	assert_int_equal(delete (&p, "probe:a"), -ENOENT);
	assert_string_equal(p.diag.message, "\"probe:a\" does not hit any cached event");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PROBING(what_the_pattern_names_is_removed),
		PROBING(a_pattern_that_names_nothing_is_an_error),
		PROBING(a_dry_run_removes_nothing),
		PROBING(the_cache_has_probes_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
