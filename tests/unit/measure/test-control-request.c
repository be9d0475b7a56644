/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/control.h"
#include "measure/control-request.h"
#include "scratch-folder.h"

static void without_a_channel_there_is_no_control(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct control_request rq = { 0 };
	struct control *c = (struct control *)&rq;

	(void)state;
	assert_int_equal(control_request_open(&rq, &c, &diag), 0);
	assert_null(c);
}

static void descriptors_are_used(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int fds[2];
	struct control *c = NULL;

	(void)state;
	assert_int_equal(pipe(fds), 0);

	const struct control_request rq = {
		.channel = { .kind = CONTROL_FD, .fd = fds[0], .ack_fd = -1 }
	};

	assert_int_equal(control_request_open(&rq, &c, &diag), 0);
	assert_non_null(c);
	control_free(c);
	close(fds[1]);
}

static void named_pipes_are_opened(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct control_request rq = { .channel = { .kind = CONTROL_FIFO, .fifo = "ctl" } };
	struct control *c = NULL;

	(void)state;
	assert_true(control_request_open(&rq, &c, &diag) < 0);
	assert_non_null(diag.message);
	assert_int_equal(mkfifo("ctl", 0600), 0);
	assert_int_equal(control_request_open(&rq, &c, &diag), 0);
	assert_non_null(c);
	control_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_channel_there_is_no_control),
		cmocka_unit_test(descriptors_are_used),
		cmocka_unit_test_setup_teardown(named_pipes_are_opened, enter_scratch_folder,
						leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
