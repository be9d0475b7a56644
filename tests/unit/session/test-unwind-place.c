/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <config.h>

#include "arch/arch.h"
#include "session/unwind-place.h"
#include "symbol/symbolizer.h"
#include "unwind/leaf-elf.h"

#define PID  7
#define BASE 0xaaaa00000000

/* A session in which PID has the program of unwind/leaf-elf.h at BASE from 100 on. */
struct stage {
	struct recording rec;
	struct symbolizer *symbolizer;
	struct session *session;
	struct unwind_places places;
	uint64_t text;
	int program;
};

static int set_up(void **state)
{
	static struct built_elf built;
	static struct stage g;
	_cleanup_(bytes_done) struct bytes file = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	char path[32];

	g = (struct stage){ .rec = recording_new() };
	g.text = BASE + leaf_elf_build(&built, ".eh_frame");
	g.program = memfd_create("program", MFD_CLOEXEC);
	assert_int_equal(write(g.program, built.bytes, built.size), built.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", g.program);
	mmaps(&g.rec, PID, BASE + 0x100000, 0x1000, "//anon", 10);
	mmaps(&g.rec, PID, BASE, 0x10000, path, 100);
	g.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	write_file(&g.rec, &file);
	g.rec.fd = memfd_create("recording", MFD_CLOEXEC);
	assert_int_equal(write(g.rec.fd, file.data, file.n), file.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", g.rec.fd);

	struct session_options o = { .path = path, .symbolizer = g.symbolizer };

	assert_int_equal(session_open(&o, &g.session, &diag), 0);
	assert_int_equal(session_scan(g.session, &diag), 0);
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	unwind_places_done(&g->places);
	session_free(g->session);
	symbolizer_free(g->symbolizer);
	recording_done(&g->rec);
	close(g->program);
	return 0;
}

static void begin(struct stage *g, uint64_t time)
{
	unwind_places_begin(&g->places, g->session, &arch_aarch64, PID, time);
}

static void code_has_a_rule(void **state)
{
	struct stage *g = *state;
	const struct unwind_place *p;

	begin(g, 200);
	p = unwind_place_find(&g->places, g->text + LEAF_CALLS + 4, false);
	assert_int_equal(p->kind, PLACE_FILE);
	assert_int_equal(p->rule.ra, UNWIND_AT_CFA);
	assert_ptr_equal(p, unwind_place_find(&g->places, g->text + LEAF_CALLS + 4, false));
	/* Behind a call is another place than where code is about to run. */
	p = unwind_place_find(&g->places, g->text + LEAF_LEAF, true);
	assert_int_equal(p->rule.ra, UNWIND_SAME);
	p = unwind_place_find(&g->places, g->text + LEAF_LEAF, false);
	assert_int_equal(p->rule.ra, UNWIND_SAME);
	assert_int_equal(p->rule.cfa_offset, 0);
}

static void what_lies_where_depends_on_the_time(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_int_equal(unwind_place_find(&g->places, g->text, true)->kind, PLACE_FILE);
	begin(g, 50);
	assert_int_equal(unwind_place_find(&g->places, g->text, true)->kind, PLACE_NOWHERE);
	begin(g, 200);
	assert_int_equal(unwind_place_find(&g->places, g->text, true)->kind, PLACE_FILE);
}

/* Each of the two drives the other out of its place in the table of maps. */
static void memory_does_not_grow_with_samples(void **state)
{
	struct stage *g = *state;

	for (unsigned i = 0; i < 100000; i++) {
		begin(g, i % 2 ? 200 : 50);
		assert_int_equal(unwind_places_follow_call(&g->places, g->text + LEAF_CALLS + 4),
				 i % 2);
	}
	assert_in_range(g->places.times.n, 1, 20000);
	assert_in_range(g->places.n_spaces, 1, 20000);
}

static void jit_code_has_no_rule(void **state)
{
	struct stage *g = *state;
	const struct unwind_place *p;

	begin(g, 200);
	p = unwind_place_find(&g->places, BASE + 0x100010, true);
	assert_int_equal(p->kind, PLACE_OTHER);
	assert_int_equal(p->rule.cfa_register, UNWIND_NO_REGISTER);
	assert_int_equal(unwind_place_find(&g->places, 0x10, true)->kind, PLACE_NOWHERE);
}

static void calls_return_behind_themselves(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_true(unwind_places_follow_call(&g->places, g->text + LEAF_CALLS + 4));
	assert_false(unwind_places_follow_call(&g->places, g->text + LEAF_CALLS + 8));
	assert_true(unwind_places_follow_call(&g->places, BASE + 0x100010)); /* who knows */
	assert_false(unwind_places_follow_call(&g->places, 0x10));
}

static void a_function_that_is_returned_to_was_not_calling(void **state)
{
	struct stage *g = *state;
	const struct unwind_place *p;

	begin(g, 200);
	p = unwind_place_find(&g->places, g->text + LEAF_CALLER, false);
	assert_true(p->is_entered);
	assert_int_equal(p->rule.ra, UNWIND_SAME);
	assert_false(unwind_place_find(&g->places, g->text + LEAF_CALLS + 4, false)->is_entered);
	assert_false(unwind_place_find(&g->places, g->text + LEAF_CALLER, true)->is_entered);
}

/* The system call that returns from a handler is the last thing in its code. */
static void behind_a_signals_return_it_is_still_going_on(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_true(unwind_place_find(&g->places, g->text + LEAF_PAST, true)->rule.is_signal);
	assert_false(unwind_place_find(&g->places, g->text + LEAF_PAST + 4, true)->rule.is_signal);
	assert_false(unwind_place_find(&g->places, g->text + LEAF_STUB, true)->rule.is_signal);
}

static void without_names_no_two_places_are_in_one_function(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_false(unwind_places_same_function(&g->places, g->text, g->text + 4));
	assert_false(unwind_places_same_function(&g->places, 1, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(code_has_a_rule),
		TEST(what_lies_where_depends_on_the_time),
		TEST(memory_does_not_grow_with_samples),
		TEST(jit_code_has_no_rule),
		TEST(calls_return_behind_themselves),
		TEST(a_function_that_is_returned_to_was_not_calling),
		TEST(behind_a_signals_return_it_is_still_going_on),
		TEST(without_names_no_two_places_are_in_one_function),
	};

	return HAVE_LIBELF ? cmocka_run_group_tests(tests, NULL, NULL) : built_skip();
}
