/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/task-state.h"

static struct task_states states_of(const char *print_fmt)
{
	struct task_states s;

	task_states_parse(print_fmt, &s);
	return s;
}

/* The states of Linux 6.18. */
static void the_letters_of_the_format_tell_what_bits_mean(void **state)
{
	(void)state;
	const struct task_states s = states_of(
		"\"prev_comm=%s prev_state=%s%s\", REC->prev_comm, (REC->prev_state & 0xff) ? "
		"__print_flags(REC->prev_state & 0xff, \"|\", { 0x00000001, \"S\" }, { 0x00000002, "
		"\"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { "
		"0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\"");

	assert_int_equal(task_state_of(&s, 0), TASK_STATE_RUNNABLE);
	assert_int_equal(task_state_of(&s, 0x100), TASK_STATE_RUNNABLE); /* R+ */
	assert_int_equal(task_state_of(&s, 1), TASK_STATE_SLEEPING);
	assert_int_equal(task_state_of(&s, 2), TASK_STATE_BLOCKED);
	assert_int_equal(task_state_of(&s, 4), TASK_STATE_STOPPED);
	assert_int_equal(task_state_of(&s, 8), TASK_STATE_STOPPED);
	assert_int_equal(task_state_of(&s, 0x10), TASK_STATE_DEAD);
	assert_int_equal(task_state_of(&s, 0x20), TASK_STATE_DEAD);
	assert_int_equal(task_state_of(&s, 0x40), TASK_STATE_STOPPED);
	assert_int_equal(task_state_of(&s, 0x80), TASK_STATE_SLEEPING);
}

/* The bits of Linux 4.9, where 64 is dead, 128 can be combined with D, and 2048 is preempted. */
static void older_kernels_have_other_bits(void **state)
{
	(void)state;
	const struct task_states s = states_of(
		"REC->prev_state & (2048-1) ? __print_flags(REC->prev_state & (2048-1), \"|\", "
		"{ 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, "
		"\"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }, { 1024, "
		"\"N\" }) : \"R\", REC->prev_state & 2048 ? \"+\" : \"\"");

	assert_int_equal(task_state_of(&s, 2048), TASK_STATE_RUNNABLE);
	assert_int_equal(task_state_of(&s, 256), TASK_STATE_RUNNABLE);
	assert_int_equal(task_state_of(&s, 1), TASK_STATE_SLEEPING);
	assert_int_equal(task_state_of(&s, 128 | 2), TASK_STATE_BLOCKED);
	assert_int_equal(task_state_of(&s, 64), TASK_STATE_DEAD);
	assert_int_equal(task_state_of(&s, 512), TASK_STATE_STOPPED);
}

static void a_format_that_tells_nothing_gets_the_usual_bits(void **state)
{
	(void)state;
	const char *const formats[] = {
		"",
		"\"%d\", REC->prev_state",
		"__print_flags(",
		"__print_flags({",
		"__print_flags({ 1",
		"__print_flags({ 1, \"",
		"__print_flags({ 1, \"S",
		"__print_flags({ 1, \"S|\" }",
		"__print_flags({ x, \"S\" }",
		"__print_flags({ 1, \"?\" }",
		"{ 2, \"S\" }",
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		const struct task_states s = states_of(formats[i]);

		assert_int_equal(task_state_of(&s, 1), TASK_STATE_SLEEPING);
		assert_int_equal(task_state_of(&s, 2), TASK_STATE_BLOCKED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_letters_of_the_format_tell_what_bits_mean),
		cmocka_unit_test(older_kernels_have_other_bits),
		cmocka_unit_test(a_format_that_tells_nothing_gets_the_usual_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
