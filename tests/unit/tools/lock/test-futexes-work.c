/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "tools/lock/futexes-work.h"
#include "tools/lock/internal-work.h"
#include "tools/lock/session-names-work.h"

struct example {
	struct recording recording;
	struct session *session;
	struct lock_request rq;
	struct notes notes;
	struct diag diag;
	struct lock_job job;
	struct lock_futexes futexes;
	struct lock_session_names names;
};

static int begin(struct example *x, bool user)
{
	*x = (struct example){ .recording = recording_new(), .rq = { .user = user } };
	x->session = opened(&x->recording, false);
	x->job = (struct lock_job){ .rq = &x->rq, .notes = &x->notes, .diag = &x->diag };
	x->futexes.job = &x->job;
	return lock_futexes_begin(&x->futexes, x->session, &x->names);
}

static void end(struct example *x)
{
	lock_futexes_done(&x->futexes);
	lock_session_names_done(&x->names);
	session_free(x->session);
	diag_done(&x->diag);
	notes_done(&x->notes);
	recording_done(&x->recording);
}

static void nothing_is_done_unless_user_locks_are_asked_for(void **state)
{
	struct example x;

	(void)state;
	assert_int_equal(begin(&x, false), 0);
	assert_false(lock_futexes_want(&x.futexes, session_event(x.session, 0)));
	lock_futexes_take(&x.futexes, &(struct sample_batch){ 0 });
	lock_futexes_finish(&x.futexes, NULL);
	assert_null(x.names.user);
	end(&x);
}

static void a_recording_without_futexes_says_how_to_get_them(void **state)
{
	struct example x;

	(void)state;
	assert_int_equal(begin(&x, true), -ENODATA);
	assert_non_null(strstr(x.diag.message, LOCK_FUTEX_ENTER));
	assert_non_null(strstr(x.diag.hint, "perf lock record --user"));
	end(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_done_unless_user_locks_are_asked_for),
		cmocka_unit_test(a_recording_without_futexes_says_how_to_get_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
