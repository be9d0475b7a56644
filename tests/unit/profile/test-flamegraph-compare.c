/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "profile/diff-inputs.h"
#include "profile/flamegraph.h"

#define FILES_MAX 8

struct fixture {
	int fds[FILES_MAX];
	size_t n_fds;
	struct diff_inputs in;
	struct flamegraph_request rq;
	struct flamegraph g;
	struct notes notes;
	struct diag diag;
};

static int set_up(void **state)
{
	*state = xcalloc(1, sizeof(struct fixture));
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	flamegraph_done(&f->g);
	diff_inputs_done(&f->in);
	notes_done(&f->notes);
	diag_done(&f->diag);
	for (size_t i = 0; i < f->n_fds; i++)
		close(f->fds[i]);
	free(f);
	return 0;
}

/* Adds one more recording to the last side, as folded lines. */
static void add_lines(struct fixture *f, const char *lines)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);
	struct diff_input *side = &f->in.items[f->in.n - 1];

	assert_true(fd >= 0 && f->n_fds < FILES_MAX);
	assert_int_equal(write(fd, lines, strlen(lines)), strlen(lines));
	f->fds[f->n_fds++] = fd;
	*ARRAY_ADD(side) = xasprintf("/proc/self/fd/%d", fd);
}

static void add_side(struct fixture *f, const char *lines)
{
	*ARRAY_ADD(&f->in) = (struct diff_input){ .name = "side" };
	add_lines(f, lines);
}

static int compare(struct fixture *f)
{
	f->rq.sides = &f->in;
	return flamegraph_make(&f->g, &f->rq, &f->notes, &f->diag);
}

static const struct flame_box *box_of(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->g.flame->n; i++)
		if (!strcmp(f->g.flame->boxes[i].name, name))
			return &f->g.flame->boxes[i];
	fail_msg("there is no box %s", name);
	return NULL;
}

static bool has_note(const struct fixture *f, const char *part)
{
	for (size_t i = 0; i < f->notes.n; i++)
		if (strstr(f->notes.items[i].what.message, part))
			return true;
	return false;
}

static void the_first_side_is_before(void **state)
{
	struct fixture *f = *state;

	add_side(f, "sh;main;a 800\nsh;main;b 200\n");
	add_side(f, "sh;main;a 200\nsh;main;b 800\n");
	assert_int_equal(compare(f), 0);
	assert_true(f->g.flame->is_comparison);
	assert_int_equal(box_of(f, "a")->value[FLAME_BEFORE].total, 800);
	assert_int_equal(box_of(f, "a")->value[FLAME_AFTER].total, 200);
	assert_int_equal(box_of(f, "a")->change, FLAME_LESS);
	assert_int_equal(box_of(f, "b")->change, FLAME_MORE);
	assert_int_equal(box_of(f, "main")->change, FLAME_NOISE);
	assert_string_equal(f->g.unit, "samples");
	assert_true(has_note(f, "One recording of a side"));
}

static void several_recordings_of_a_side_add_up(void **state)
{
	struct fixture *f = *state;

	add_side(f, "sh;main 10\nnonsense\n");
	add_lines(f, "sh;main 11\nnonsense\n");
	add_side(f, "sh;main 12\n");
	add_lines(f, "sh;main 13\n");
	assert_int_equal(compare(f), 0);
	assert_int_equal(box_of(f, "main")->value[FLAME_BEFORE].total, 21);
	assert_int_equal(box_of(f, "main")->value[FLAME_AFTER].total, 25);
	assert_false(has_note(f, "One recording of a side"));
	/* A note that holds for several recordings is made once. */
	assert_int_equal(f->notes.n, 1);
	assert_non_null(strstr(f->notes.items[0].what.message, "1 of 2 lines"));
}

static void there_must_be_two_sides(void **state)
{
	struct fixture *f = *state;

	add_side(f, "sh;main 10\n");
	add_side(f, "sh;main 10\n");
	add_side(f, "sh;main 10\n");
	assert_int_equal(compare(f), -EINVAL);
	assert_string_equal(f->diag.message, "--diff compares two sides, and not 3");
	assert_non_null(f->diag.hint);
}

static void a_failure_says_which_recording_it_is(void **state)
{
	struct fixture *f = *state;

	add_side(f, "sh;main 10\n");
	add_side(f, "\n");
	assert_true(compare(f) < 0);
	assert_non_null(strstr(f->diag.hint, f->in.items[1].items[0]));
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_first_side_is_before),
		TEST(several_recordings_of_a_side_add_up),
		TEST(there_must_be_two_sides),
		TEST(a_failure_says_which_recording_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
