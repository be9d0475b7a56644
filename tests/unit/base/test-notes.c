/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/notes.h"

static void notes_are_kept_in_their_order(void **state)
{
	_cleanup_(notes_done) struct notes n = { 0 };

	(void)state;
	notes_add(&n, NOTE_WARNING, "%d lost", 3);
	notes_add(&n, NOTE_HINT, "try again");
	assert_int_equal(n.n, 2);
	assert_int_equal(n.items[0].kind, NOTE_WARNING);
	assert_string_equal(n.items[0].what.message, "3 lost");
	assert_int_equal(n.items[1].kind, NOTE_HINT);
	assert_string_equal(n.items[1].what.message, "try again");
}

static void a_note_keeps_the_excerpt_and_the_hint(void **state)
{
	_cleanup_(notes_done) struct notes n = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	diag_mark(&d, 0, "a,b", 2, 1, "no b");
	diag_hint(&d, "leave it out");
	notes_take(&n, NOTE_WARNING, &d);
	assert_string_equal(n.items[0].what.excerpt, "a,b");
	assert_string_equal(n.items[0].what.hint, "leave it out");
	assert_null(d.message);
}

static void count_heard(void *arg, const struct note *note)
{
	assert_string_equal(note->what.message, "now");
	(*(int *)arg)++;
}

static void a_listener_hears_each_note_and_none_is_kept(void **state)
{
	int heard = 0;
	_cleanup_(notes_done) struct notes n = { .listener = count_heard, .arg = &heard };

	(void)state;
	notes_add(&n, NOTE_DETAIL, "now");
	notes_add(&n, NOTE_DETAIL, "now");
	assert_int_equal(heard, 2);
	assert_int_equal(n.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_are_kept_in_their_order),
		cmocka_unit_test(a_note_keeps_the_excerpt_and_the_hint),
		cmocka_unit_test(a_listener_hears_each_note_and_none_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
