/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "marked-program.h"
#include "probe/probe-cache.h"
#include "symbol/scratch.h"

static const char two_kinds[] = "%sdt_app:tick=tick\n"
				"p:sdt_app/tick /bin/x:0x40(0x99) arg1=%x0:s32\n"
				"p:sdt_app/tick /bin/x:0x48(0x99) arg1=%x3:s32\n"
				"#work size\n"
				"p:probe_x/work /bin/x:0x80 size=%x1:u64\n";

static void markers_and_definitions_are_told_apart(void **state)
{
	_cleanup_(cached_probes_done) struct cached_probes l = { 0 };

	(void)state;
	cached_probes_parse(two_kinds, &l);
	assert_int_equal(l.n, 2);
	assert_true(l.items[0].is_marker);
	assert_string_equal(l.items[0].text, "sdt_app:tick=tick");
	assert_int_equal(l.items[0].places.n, 2);
	assert_int_equal(l.items[0].places.items[1].offset, 0x48);
	assert_int_equal(l.items[0].places.items[1].counter, 0x99);
	assert_false(l.items[1].is_marker);
	assert_string_equal(l.items[1].text, "work size");
	assert_string_equal(l.items[1].places.items[0].group, "probe_x");
	assert_true(l.items[1].places.items[0].is_user);
}

static void probes_of_the_kernel_are_known_by_their_place(void **state)
{
	_cleanup_(cached_probes_done) struct cached_probes l = { 0 };

	(void)state;
	cached_probes_parse("#probe:opn=do_sys_open\nr:probe/opn _stext+376 $retval", &l);
	assert_int_equal(l.n, 1);
	assert_false(l.items[0].places.items[0].is_user);
	assert_true(l.items[0].places.items[0].is_return);
}

static void lines_that_are_no_definition_are_passed_over(void **state)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"%",
		"#\n#\n",
		"p:a/b /bin/x:0x1\n",
		"%sdt_a:b=b\nrubbish\n",
		"%sdt_a:b=b\np:\n",
		"%sdt_a:b=b\n:a/b /bin/x:0x1\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(cached_probes_done) struct cached_probes l = { 0 };

		cached_probes_parse(texts[i], &l);
		if (l.n)
			fail_msg("'%s' has %zu probes", texts[i], l.n);
	}
}

static void a_name_may_be_a_glob_with_and_without_a_group(void **state)
{
	struct trace_probe p = { .group = "sdt_app", .event = "tick" };

	(void)state;
	assert_true(probe_is_called(&p, "tick"));
	assert_true(probe_is_called(&p, "sdt_app:tick"));
	assert_true(probe_is_called(&p, "sdt_*:t?ck"));
	assert_false(probe_is_called(&p, "sdt_ap:tick"));
	assert_false(probe_is_called(&p, "sdt_app:"));
	assert_false(probe_is_called(&p, "tock"));
}

/* Returns the probes of @l, one a line. The caller frees the text. */
static char *lines_of(const struct trace_probes *l)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < l->n; i++) {
		_cleanup_(freep) char *line = trace_probe_text(&l->items[i]);

		text_addf(&t, "%s\n", line);
	}
	return text_take(&t);
}

#define assert_finds(dir, program, pattern, expected)                                              \
	do {                                                                                       \
		_cleanup_(diag_done) struct diag d_ = { 0 };                                       \
		_cleanup_(trace_probes_done) struct trace_probes l_ = { 0 };                       \
		if (probe_cache_find(dir, program, pattern, &l_, &d_) < 0)                         \
			fail_msg("%s", d_.message);                                                \
		_cleanup_(freep) char *lines_ = lines_of(&l_);                                     \
		assert_string_equal(lines_, expected);                                             \
	} while (0)

static void markers_of_a_program_are_found_and_then_known(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(freep) char *dir = scratch_path(*state, "cache");
	unsigned at = marked_program(path, 1);
	_cleanup_(freep) char *expected =
		xasprintf("p:sdt_app/tick %s:0x%x arg1=%%x0:s32 arg2=%%x1:u64\n"
			  "p:sdt_app/tick %s:0x%x arg1=%%x3:s32\n",
			  path, at, path, at + 8);

	assert_finds(dir, path, "sdt_app:tick", expected);
	assert_finds(dir, NULL, "sdt_app:tick", expected);
	assert_finds(NULL, path, "%sdt_app:tick" + 1, expected);
	assert_finds(dir, NULL, "*:ti*", expected);
}

static void what_is_not_known_has_neighbours(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(trace_probes_done) struct trace_probes l = { 0 };
	_cleanup_(freep) char *path = scratch_path(*state, "program");

	marked_program(path, 1);
	assert_int_equal(probe_cache_find(NULL, path, "sdt_app:tikc", &l, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "'sdt_app:tick'"));
	assert_int_equal(probe_cache_find(*state, NULL, "sdt_app:tick", &l, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "perf buildid-cache --add"));
	assert_int_equal(l.n, 0);
}

static void a_program_that_was_built_anew_is_not_probed_by_old_offsets(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(trace_probes_done) struct trace_probes l = { 0 }, none = { 0 };
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(freep) char *dir = scratch_path(*state, "cache");

	marked_program(path, 1);
	assert_int_equal(probe_cache_find(dir, path, "sdt_app:tock", &l, &diag), 0);
	/* The file is removed first, because the cache may have a hard link to it. */
	assert_int_equal(unlink(path), 0);
	marked_program(path, 2);
	assert_int_equal(probe_cache_find(dir, NULL, "sdt_app:tock", &none, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "no longer"));
	assert_non_null(strstr(diag.hint, path));
}

static void keep(const char *dir, const char *path, const char *text, const char *event)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct build_id id = marked_id(1);
	const struct trace_probe p = { .group = (char *)"probe_x",
				       .event = (char *)event,
				       .is_user = true,
				       .path = (char *)path,
				       .offset = 0x80 };

	if (probe_cache_store(dir, path, &id, text, &p, 1, &diag) < 0)
		fail_msg("%s", diag.message);
}

static void note_text(void *arg, const struct cached_probe *p)
{
	text_addf(arg, "%s\n", p->text);
}

static void what_is_kept_is_found_by_name_until_it_is_removed(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(trace_probes_done) struct trace_probes l = { 0 };
	_cleanup_(text_done) struct text removed = TEXT_EMPTY;
	_cleanup_(freep) char *path = scratch_path(*state, "program");
	_cleanup_(freep) char *dir = scratch_path(*state, "cache");
	_cleanup_(freep) char *expected = xasprintf("p:probe_x/work %s:0x80\n", path);

	marked_program(path, 1);
	keep(dir, path, "work i", "work");
	keep(dir, path, "probe_x:other=work", "other");
	keep(dir, path, "work i", "work");
	assert_finds(dir, NULL, "probe_x:work", expected);
	assert_finds(dir, path, "work", expected);
	assert_int_equal(probe_cache_remove(dir, NULL, "probe_x:*", note_text, &removed), 2);
	assert_string_equal(removed.chars, "work i\nprobe_x:other=work\n");
	assert_int_equal(probe_cache_find(dir, NULL, "work", &l, &diag), -ENOENT);
	assert_int_equal(probe_cache_remove(dir, "/bin/other", "*", note_text, &removed), 0);
	assert_int_equal(probe_cache_remove(dir, path, "sdt_app:*", note_text, &removed), 2);
}

static void without_a_cache_nothing_is_kept(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct build_id id = marked_id(1);

	(void)state;
	assert_int_equal(probe_cache_store(NULL, "/bin/x", &id, "work", NULL, 0, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "turned off"));
	assert_int_equal(probe_cache_remove(NULL, NULL, "*", note_text, NULL), 0);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markers_and_definitions_are_told_apart),
		cmocka_unit_test(probes_of_the_kernel_are_known_by_their_place),
		cmocka_unit_test(lines_that_are_no_definition_are_passed_over),
		cmocka_unit_test(a_name_may_be_a_glob_with_and_without_a_group),
		IN_SCRATCH(markers_of_a_program_are_found_and_then_known),
		IN_SCRATCH(what_is_not_known_has_neighbours),
		IN_SCRATCH(a_program_that_was_built_anew_is_not_probed_by_old_offsets),
		IN_SCRATCH(what_is_kept_is_found_by_name_until_it_is_removed),
		cmocka_unit_test(without_a_cache_nothing_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
