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
#include "event/env.h"
#include "marked-program.h"
#include "probe/attach.h"
#include "symbol/buildid/cache.h"
#include "symbol/scratch.h"

/* A tracing directory of plain files, where the text written to uprobe_events can be read. */
struct lab {
	char *dir, *cache, *tracing, *program;
	unsigned at; /* offset of the program's first marker */
	struct event_env *env;
	struct diag diag;
	struct attached_probes *attached;
};

static void lab_make(struct lab *l, const char *dir)
{
	_cleanup_(freep) char *events = xasprintf("%s/tracing/events", dir);
	_cleanup_(freep) char *file = xasprintf("%s/tracing/uprobe_events", dir);
	struct build_id id = marked_id(1);

	*l = (struct lab){ .dir = xstrdup(dir),
			   .cache = scratch_path(dir, "cache"),
			   .tracing = scratch_path(dir, "tracing"),
			   .program = scratch_path(dir, "program") };
	assert_int_equal(file_make_directories(events), 0);
	scratch_write(file, "");
	l->at = marked_program(l->program, 1);
	assert_int_equal(buildid_cache_add(l->cache, l->program, &id, BUILDID_CACHE_ELF), 1);
	l->env = event_env_new(NULL, l->tracing);
}

static void lab_done(struct lab *l)
{
	attached_probes_free(l->attached);
	event_env_free(l->env);
	diag_done(&l->diag);
	free(l->dir);
	free(l->cache);
	free(l->tracing);
	free(l->program);
}

static int attach(struct lab *l, const char *text)
{
	return probes_attach(&text, 1, l->cache, l->env, &l->attached, &l->diag);
}

/* Returns the text that was written since the last call. The caller frees it. */
static char *written(const struct lab *l)
{
	_cleanup_(freep) char *path = xasprintf("%s/uprobe_events", l->tracing);
	char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, NULL), 0);
	assert_int_equal(truncate(path, 0), 0);
	return text;
}

#define assert_written(l, expected)                                                                \
	do {                                                                                       \
		_cleanup_(freep) char *text_ = written(l);                                         \
		assert_string_equal(text_, expected);                                              \
	} while (0)

static void make_event(const struct lab *l, const char *name)
{
	_cleanup_(freep) char *below = xasprintf("events/%s/id", name);
	_cleanup_(freep) char *path = scratch_path(l->tracing, below);

	scratch_write(path, "1234\n");
}

static void places_of_a_marker_become_one_event_with_what_all_can_tell(void **state)
{
	_cleanup_(lab_done) struct lab l;
	_cleanup_(freep) char *expected = NULL;

	lab_make(&l, *state);
	assert_int_equal(attach(&l, "cycles,{sdt_app:tick}:u"), 0);
	expected = xasprintf("p:sdt_app/tick %s:0x%x arg1=%%x0:s32\n"
			     "p:sdt_app/tick %s:0x%x arg1=%%x3:s32\n",
			     l.program, l.at, l.program, l.at + 8);
	assert_written(&l, expected);
	attached_probes_free(TAKE(l.attached));
	assert_written(&l, "-:sdt_app/tick\n");
}

static void a_marker_that_has_a_probe_already_keeps_it(void **state)
{
	_cleanup_(lab_done) struct lab l;

	lab_make(&l, *state);
	make_event(&l, "sdt_app/tick");
	assert_int_equal(attach(&l, "sdt_app:tick"), 0);
	assert_null(l.attached);
	assert_written(&l, "");
}

static void a_glob_gives_probes_to_the_markers_without(void **state)
{
	_cleanup_(lab_done) struct lab l;
	_cleanup_(freep) char *expected = NULL;

	lab_make(&l, *state);
	make_event(&l, "sdt_app/tick");
	assert_int_equal(attach(&l, "sdt_app:*"), 0);
	expected = xasprintf("p:sdt_app/tock %s:0x%x\n", l.program, l.at + 4);
	assert_written(&l, expected);
	attached_probes_free(TAKE(l.attached));
	assert_written(&l, "-:sdt_app/tock\n");
}

static void an_unknown_marker_is_marked_and_has_neighbours(void **state)
{
	_cleanup_(lab_done) struct lab l;

	lab_make(&l, *state);
	assert_int_equal(attach(&l, "cycles,sdt_app:tikc:u"), -ENOENT);
	assert_int_equal(l.diag.offset, 7);
	assert_int_equal(l.diag.length, 12);
	assert_non_null(strstr(l.diag.hint, "'sdt_app:tick'"));
	assert_null(l.attached);
	assert_written(&l, "");
}

static void what_fails_later_takes_back_what_was_set(void **state)
{
	_cleanup_(lab_done) struct lab l;
	const char *const texts[] = { "sdt_app:tock", "sdt_app:none" };
	_cleanup_(freep) char *expected = NULL;

	lab_make(&l, *state);
	assert_int_equal(probes_attach(texts, 2, l.cache, l.env, &l.attached, &l.diag), -ENOENT);
	expected = xasprintf("p:sdt_app/tock %s:0x%x\n-:sdt_app/tock\n", l.program, l.at + 4);
	assert_written(&l, expected);
}

static void other_events_are_left_alone(void **state)
{
	static const char *const texts[] = { "cycles",  "sched:sched_switch", "{a,b",
					     "sched:*", "cycles:u",           "probe:x",
					     "*:*",     "mem:0x1000",         "" };
	_cleanup_(lab_done) struct lab l;

	lab_make(&l, *state);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(attach(&l, texts[i]), 0);
		assert_null(l.attached);
	}
	assert_written(&l, "");
}

static void a_kernel_without_such_probes_is_told(void **state)
{
	_cleanup_(lab_done) struct lab l;
	_cleanup_(freep) char *file = NULL;

	lab_make(&l, *state);
	file = xasprintf("%s/uprobe_events", l.tracing);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(attach(&l, "sdt_app:tick"), -ENOENT);
	assert_non_null(strstr(l.diag.message, "uprobe_events"));
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(places_of_a_marker_become_one_event_with_what_all_can_tell),
		IN_SCRATCH(a_marker_that_has_a_probe_already_keeps_it),
		IN_SCRATCH(a_glob_gives_probes_to_the_markers_without),
		IN_SCRATCH(an_unknown_marker_is_marked_and_has_neighbours),
		IN_SCRATCH(what_fails_later_takes_back_what_was_set),
		IN_SCRATCH(other_events_are_left_alone),
		IN_SCRATCH(a_kernel_without_such_probes_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
