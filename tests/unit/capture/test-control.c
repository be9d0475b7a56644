/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/control.h"
#include "kernel/fake-tree.h"

struct channel {
	struct control *control;
	int ctl[2], ack[2]; /* the other program has ctl[1] and ack[0] */
};

static int open_channel(void **state)
{
	struct channel *ch = xcalloc(1, sizeof(*ch));
	_cleanup_(diag_done) struct diag diag = { 0 };

	*state = ch;
	if (pipe2(ch->ctl, O_CLOEXEC) < 0 || pipe2(ch->ack, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	return control_open_fds(ch->ctl[0], ch->ack[1], &ch->control, &diag);
}

static int close_channel(void **state)
{
	struct channel *ch = *state;

	control_free(ch->control);
	for (int i = 0; i < 2; i++) {
		closep(&ch->ctl[i]);
		closep(&ch->ack[i]);
	}
	free(ch);
	return 0;
}

static void say(struct channel *ch, const char *bytes, size_t n)
{
	assert_int_equal(write(ch->ctl[1], bytes, n), n);
	control_read(ch->control);
}

#define SAY(ch, text) say(ch, text, sizeof(text) - 1)

static void hears(struct channel *ch, enum control_verb verb, const char *argument)
{
	struct control_command c;

	assert_true(control_next(ch->control, &c));
	assert_int_equal(c.verb, verb);
	assert_string_equal(c.argument, argument);
}

static void hears_nothing(struct channel *ch)
{
	struct control_command c;

	assert_false(control_next(ch->control, &c));
}

static void every_command_is_known(void **state)
{
	SAY(*state, "enable\ndisable\nevlist\nsnapshot\nstop\nping\n");
	hears(*state, CONTROL_ENABLE, "");
	hears(*state, CONTROL_DISABLE, "");
	hears(*state, CONTROL_EVLIST, "");
	hears(*state, CONTROL_SNAPSHOT, "");
	hears(*state, CONTROL_STOP, "");
	hears(*state, CONTROL_PING, "");
	hears_nothing(*state);
}

static void a_command_may_have_an_argument(void **state)
{
	SAY(*state, "enable  sched:sched_switch \nevlist -v\n");
	hears(*state, CONTROL_ENABLE, "sched:sched_switch");
	hears(*state, CONTROL_EVLIST, "-v");
	hears_nothing(*state);
}

static void a_command_may_come_in_pieces(void **state)
{
	SAY(*state, "ena");
	hears_nothing(*state);
	SAY(*state, "ble cyc");
	hears_nothing(*state);
	SAY(*state, "les \n");
	hears(*state, CONTROL_ENABLE, "cycles");
	hears_nothing(*state);
}

/* `printf enable >&9` works with Linux's perf. */
static void the_last_command_needs_no_end(void **state)
{
	SAY(*state, "enable");
	hears(*state, CONTROL_ENABLE, "");
	hears_nothing(*state);
	SAY(*state, "\ndisable");
	hears(*state, CONTROL_DISABLE, "");
	hears_nothing(*state);
}

/* write(fd, "enable\n", 8), as programs in C do. */
static void a_nul_after_the_newline_does_not_matter(void **state)
{
	SAY(*state, "enable\n\0disable\n\0");
	hears(*state, CONTROL_ENABLE, "");
	hears(*state, CONTROL_DISABLE, "");
	hears_nothing(*state);
}

static void other_words_are_unknown_and_whole(void **state)
{
	SAY(*state, "enablexyz\nEnable\nbogus words\n");
	hears(*state, CONTROL_UNKNOWN, "enablexyz");
	hears(*state, CONTROL_UNKNOWN, "Enable");
	hears(*state, CONTROL_UNKNOWN, "bogus words");
	hears_nothing(*state);
}

static void blanks_and_empty_lines_do_not_matter(void **state)
{
	SAY(*state, "\n \t \n\r\n  ping\r\n");
	hears(*state, CONTROL_PING, "");
	hears_nothing(*state);
}

static void an_endless_line_is_cut_and_the_next_one_is_heard(void **state)
{
	struct channel *ch = *state;
	char noise[500];
	struct control_command c;

	memset(noise, 'x', sizeof(noise));
	for (int i = 0; i < 20; i++) {
		say(ch, noise, sizeof(noise));
		hears_nothing(ch);
	}
	SAY(ch, "\nping\n");
	assert_true(control_next(ch->control, &c));
	assert_int_equal(c.verb, CONTROL_UNKNOWN);
	assert_in_range(strlen(c.argument), 100, 1000);
	hears(ch, CONTROL_PING, "");
}

static void an_answer_is_five_bytes_as_programs_expect(void **state)
{
	struct channel *ch = *state;
	char bytes[16];

	control_ack(ch->control);
	control_ack(ch->control);
	assert_int_equal(read(ch->ack[0], bytes, sizeof(bytes)), 10);
	assert_memory_equal(bytes, "ack\n\0ack\n\0", 10);
}

static void answers_that_nobody_reads_do_not_block(void **state)
{
	struct channel *ch = *state;

	/* The descriptor is blocking, as a shell's descriptors are. */
	assert_int_equal(fcntl(ch->ack[1], F_SETFL, 0), 0);
	for (int i = 0; i < 100000; i++)
		control_ack(ch->control);
}

static void answers_to_nobody_do_not_kill(void **state)
{
	struct channel *ch = *state;

	close(ch->ack[0]);
	ch->ack[0] = -1;
	control_ack(ch->control);
}

static void at_the_end_of_a_pipe_nothing_is_left_to_poll(void **state)
{
	struct channel *ch = *state;

	SAY(ch, "ping");
	close(ch->ctl[1]);
	ch->ctl[1] = -1;
	hears(ch, CONTROL_PING, "");
	assert_int_equal(control_fd(ch->control), ch->ctl[0]);
	control_read(ch->control);
	hears_nothing(ch);
	assert_int_equal(control_fd(ch->control), -1);
}

static void a_descriptor_that_is_not_open_is_told(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct control *c = NULL;

	assert_int_equal(control_open_fds(999, -1, &c, &diag), -EBADF);
	assert_string_equal(diag.message, "--control: descriptor 999 is not open");
	assert_int_equal(control_open_fds(0, 998, &c, &diag), -EBADF);
	assert_string_equal(diag.message, "--control: descriptor 998 is not open");
	assert_null(c);
}

static void fifos_are_opened_without_waiting_and_outlive_their_writers(void **state)
{
	_cleanup_(freep) char *ctl = xasprintf("%s/ctl", (char *)*state);
	_cleanup_(freep) char *ack = xasprintf("%s/ack", (char *)*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(control_freep) struct control *c = NULL;
	struct control_command command;

	assert_int_equal(mkfifo(ctl, 0600), 0);
	assert_int_equal(mkfifo(ack, 0600), 0);
	assert_int_equal(control_open_fifos(ctl, ack, &c, &diag), 0);
	for (int i = 0; i < 2; i++) {
		int fd = open(ctl, O_WRONLY | O_CLOEXEC);

		assert_int_equal(write(fd, "ping\n", 5), 5);
		close(fd);
		control_read(c);
		assert_true(control_next(c, &command));
		assert_int_equal(command.verb, CONTROL_PING);
		control_ack(c);
	}
	/* There is no command, but the other program may still send one. */
	control_read(c);
	assert_true(control_fd(c) >= 0);

	struct pollfd p = { .fd = control_fd(c), .events = POLLIN };

	assert_int_equal(poll(&p, 1, 0), 0);
}

static void a_fifo_that_is_none_is_told(void **state)
{
	_cleanup_(freep) char *file = xasprintf("%s/file", (char *)*state);
	_cleanup_(freep) char *fifo = xasprintf("%s/fifo", (char *)*state);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct control *c = NULL;

	assert_int_equal(control_open_fifos(file, NULL, &c, &diag), -ENOENT);
	assert_non_null(strstr(diag.hint, "mkfifo"));
	fake_file(*state, "file", "");
	assert_int_equal(control_open_fifos(file, NULL, &c, &diag), -ENXIO);
	assert_non_null(strstr(diag.message, "is not a named pipe"));
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(control_open_fifos(fifo, file, &c, &diag), -ENXIO);
	assert_null(c);
}

#define with_channel(test) cmocka_unit_test_setup_teardown(test, open_channel, close_channel)
#define with_tree(test)    cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_channel(every_command_is_known),
		with_channel(a_command_may_have_an_argument),
		with_channel(a_command_may_come_in_pieces),
		with_channel(the_last_command_needs_no_end),
		with_channel(a_nul_after_the_newline_does_not_matter),
		with_channel(other_words_are_unknown_and_whole),
		with_channel(blanks_and_empty_lines_do_not_matter),
		with_channel(an_endless_line_is_cut_and_the_next_one_is_heard),
		with_channel(an_answer_is_five_bytes_as_programs_expect),
		with_channel(answers_that_nobody_reads_do_not_block),
		with_channel(answers_to_nobody_do_not_kill),
		with_channel(at_the_end_of_a_pipe_nothing_is_left_to_poll),
		cmocka_unit_test(a_descriptor_that_is_not_open_is_told),
		with_tree(fifos_are_opened_without_waiting_and_outlive_their_writers),
		with_tree(a_fifo_that_is_none_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
