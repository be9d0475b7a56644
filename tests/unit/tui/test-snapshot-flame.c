/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <poll.h>

#include "tui/browse.h"
#include "base/background.h"
#include "tui/snapshot-flame.h"

struct fixture {
	struct recording rec;
	char path[32];
	struct browse_request rq;
	struct browse *browse;
	const struct browse_snapshot *s;
	struct diag diag;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .rec = recording_new() };
	f.rq.profile.max_stack = PROFILE_MAX_STACK;
	f.rq.profile.path = f.path;
	comm(&f.rec, 7, 7, "work", 1);
	comm(&f.rec, 8, 8, "idle", 1);
	for (uint64_t i = 0; i < 30; i++)
		sampled(&f.rec, 1, i % 3 == 2 ? 8 : 7, 1000 + i);
	stored(&f.rec, f.path);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	if (f->s)
		browse_release(f->browse, f->s);
	browse_free(f->browse);
	diag_done(&f->diag);
	recording_done(&f->rec);
	return 0;
}

static void read_by(struct fixture *f, const char *sort)
{
	f->rq.profile.plan.sort = sort;
	assert_int_equal(browse_open(&f->rq, &f->browse, &f->diag), 0);
	while (!(f->s = browse_take(f->browse, NULL))) {
		struct pollfd p = { .fd = f->browse->work->fd, .events = POLLIN };

		assert_int_equal(poll(&p, 1, 30000), 1);
	}
}

static void stacks_stand_on_commands_if_rows_are_of_commands(void **state)
{
	struct fixture *f = *state;
	const struct snapshot_flame_request rq = { .by_samples = true };
	_cleanup_(flame_freep) struct flame *flame = NULL;

	read_by(f, "comm,symbol");
	flame = snapshot_flame(f->s, &rq);
	assert_string_equal(flame->boxes[1].name, "idle");
	assert_int_equal(flame->boxes[1].value[FLAME_AFTER].total, 10);
	assert_int_equal(flame->boxes[0].value[FLAME_AFTER].total, 30);
	assert_int_equal(flame->boxes[0].value[FLAME_BEFORE].total, 30);
	assert_string_equal(snapshot_flame_unit(f->s, &rq), "samples");
}

static void stacks_stand_on_nothing_if_rows_are_of_functions(void **state)
{
	struct fixture *f = *state;
	const struct snapshot_flame_request rq = { .by_samples = true };
	_cleanup_(flame_freep) struct flame *flame = NULL;

	read_by(f, "symbol");
	flame = snapshot_flame(f->s, &rq);
	assert_int_equal(flame->n, 2);
	assert_int_equal(flame->boxes[1].kind, FLAME_UNKNOWN);
	assert_int_equal(flame->boxes[1].value[FLAME_AFTER].total, 30);
}

static void a_part_of_it_is_what_stands_on_a_box(void **state)
{
	struct fixture *f = *state;
	const struct snapshot_flame_request rq = { .by_samples = true, .part.name = "work" };
	_cleanup_(flame_freep) struct flame *flame = NULL;

	read_by(f, "comm");
	flame = snapshot_flame(f->s, &rq);
	assert_int_equal(flame->boxes[0].value[FLAME_AFTER].total, 20);
	assert_string_equal(flame->boxes[1].name, "work");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(stacks_stand_on_commands_if_rows_are_of_commands,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(stacks_stand_on_nothing_if_rows_are_of_functions,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_part_of_it_is_what_stands_on_a_box, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
