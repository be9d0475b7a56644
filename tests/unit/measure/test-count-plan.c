/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "event/metric.h"
#include "measure/count-plan.h"
#include "measure/count.h"
#include "skip.h"
#include "words.h"

/* The plan of a request. */
struct planned {
	struct count_plan plan;
	struct diag diag;
	int result;
};

static void planned_done(struct planned *p)
{
	count_plan_done(&p->plan);
	diag_done(&p->diag);
}

static struct planned plan(bool cpus, const struct count_request *rq)
{
	struct planned p = { 0 };

	p.result = count_plan_make(&p.plan, rq, cpus, NULL, &p.diag);
	return p;
}

/* Plans to count a command, and the system. */
#define PLAN(...)   plan(false, &(const struct count_request){ __VA_ARGS__ })
#define PLAN_A(...) plan(true, &(const struct count_request){ __VA_ARGS__ })

/*
 * Returns the names in order, with "{" before a leader with members. Stalled cycles are left out,
 * because they depend on the machine.
 */
static char *names_of(const struct planned *p)
{
	struct text t = TEXT_EMPTY;
	const struct event_list *l = &p->plan.events;

	if (p->result < 0)
		fail_msg("%s", p->diag.message);
	for (size_t i = 0; i < l->n; i++) {
		if (!strncmp(l->items[i]->name, "stalled", 7))
			continue;
		text_addf(&t, "%s%s%s", t.length ? " " : "",
			  i + 1 < l->n && l->items[i]->leader == i && l->items[i + 1]->leader == i
				  ? "{"
				  : "",
			  l->items[i]->name);
	}
	return text_take(&t);
}

static void assert_plans(const struct planned *p, const char *wanted)
{
	_cleanup_(freep) char *names = names_of(p);

	assert_string_equal(names, wanted);
}

static void assert_refuses(const struct planned *p, int error, const char *words)
{
	assert_int_equal(p->result, error);
	if (!strstr(p->diag.message, words))
		fail_msg("'%s' does not say '%s'", p->diag.message, words);
}

#define DEFAULT                                                                                    \
	"context-switches cpu-migrations page-faults cycles instructions branches branch-misses"
#define CACHES "L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses"

static void without_a_word_the_default_events_are_counted(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(0);
	_cleanup_(planned_done) struct planned a = PLAN_A(0);

	(void)state;
	assert_plans(&p, "task-clock " DEFAULT);
	assert_plans(&a, "cpu-clock " DEFAULT);
}

static void ds_add_caches_to_the_default(void **state)
{
	_cleanup_(planned_done) struct planned one = PLAN(.detailed = 1);
	_cleanup_(planned_done) struct planned three = PLAN(.detailed = 3);

	(void)state;
	assert_plans(&one, "task-clock " DEFAULT " " CACHES);
	assert_int_equal(three.plan.events.n - one.plan.events.n, 8);
}

static void ds_add_caches_to_named_events_too(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.detailed = 1, .events = WORDS(E("cs")));

	(void)state;
	assert_plans(&p, "cs " CACHES);
}

static void n_counts_nothing(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.null_run = true, .detailed = 1);

	(void)state;
	assert_plans(&p, "");
}

static void named_events_come_in_their_order(void **state)
{
	_cleanup_(planned_done) struct planned p =
		PLAN(.events = WORDS(E("page-faults,{cs,migrations}"), E("duration_time")));

	(void)state;
	assert_plans(&p, "page-faults {cs migrations duration_time");
	assert_int_equal(p.plan.events.items[2]->leader, 1);
	assert_int_equal(p.plan.events.items[3]->leader, 3);
}

static void g_makes_one_group_of_all(void **state)
{
	_cleanup_(planned_done) struct planned p =
		PLAN(.group = true, .events = WORDS(E("page-faults,cs"), E("migrations")));

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(p.plan.events.items[i]->leader, 0);
}

static void all_user_and_all_kernel_limit_every_event(void **state)
{
	_cleanup_(planned_done) struct planned u = PLAN(.all_user = true);
	_cleanup_(planned_done) struct planned k = PLAN(.all_kernel = true,
							.events = WORDS(E("cs,faults")));

	(void)state;
	for (size_t i = 0; i < u.plan.events.n; i++) {
		assert_int_equal(u.plan.events.items[i]->attr.exclude_kernel, 1);
		assert_int_equal(u.plan.events.items[i]->attr.exclude_user, 0);
	}
	for (size_t i = 0; i < k.plan.events.n; i++) {
		assert_int_equal(k.plan.events.items[i]->attr.exclude_kernel, 0);
		assert_int_equal(k.plan.events.items[i]->attr.exclude_user, 1);
	}
}

static void a_wrong_event_is_refused_with_its_place(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.events = WORDS(E("cs,cyclez")));

	(void)state;
	assert_true(p.result < 0);
	assert_string_equal(p.diag.excerpt, "cs,cyclez");
	assert_int_equal(p.diag.offset, 3);
}

static void a_metric_brings_its_events_as_a_group(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.events = WORDS(M("page_fault_rate")));

	(void)state;
	assert_plans(&p, "{page-faults task-clock");
	assert_int_equal(p.plan.metrics.n, 1);
	assert_string_equal(p.plan.metrics.items[0].metric->name, "page_fault_rate");
	assert_int_equal(p.plan.metrics.items[0].first, 0);
	assert_int_equal(p.plan.metrics.items[0].n, 2);
	/* There may be too many events for the counters: counts of some are better than none. */
	assert_true(p.plan.events.items[0]->modifiers.weak_group);
}

static void metrics_come_after_named_events(void **state)
{
	_cleanup_(planned_done) struct planned p =
		PLAN(.events = WORDS(M("migration_rate"), E("cs")));

	(void)state;
	assert_plans(&p, "cs {cpu-migrations task-clock");
	assert_int_equal(p.plan.metrics.items[0].first, 1);
}

static void metrics_need_not_be_groups(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.metric_no_group = true,
							.events = WORDS(M("page_fault_rate")));

	(void)state;
	assert_plans(&p, "page-faults task-clock");
}

static void a_group_of_metrics_is_all_of_them(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.events = WORDS(M("OS")));
	_cleanup_(planned_done) struct planned two =
		PLAN(.events = WORDS(M("IPC,page_fault_rate"), M("CPI")));

	(void)state;
	assert_true(p.result >= 0);
	assert_true(p.plan.metrics.n >= 3);
	assert_int_equal(two.plan.metrics.n, 3);
}

static void an_unknown_metric_is_refused(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN(.events = WORDS(M("no_such_metric")));

	(void)state;
	assert_refuses(&p, -ENOENT, "Cannot find metric or group `no_such_metric'");
	assert_non_null(strstr(p.diag.hint, "perf list metric"));
}

/* The root group exists wherever cgroups do; "//" is another name of it. */
static void need_cgroups(void)
{
	char *root = NULL;
	struct diag diag = { 0 };
	int r = cgroup_root(&root, &diag);

	free(root);
	diag_done(&diag);
	if (r < 0)
		skip_because("events cannot be opened here");
}

/* Checks the name of each event's cgroup, "-" for none. */
static void assert_cgroups(const struct planned *p, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (p->result < 0)
		fail_msg("%s", p->diag.message);
	for (size_t i = 0; i < p->plan.events.n; i++) {
		int c = p->plan.cgroups.of[i];

		text_addf(&t, "%s%s", i ? " " : "", c < 0 ? "-" : p->plan.cgroups.items[c].name);
	}
	assert_string_equal(t.chars, wanted);
}

static void events_have_no_cgroup_by_themselves(void **state)
{
	_cleanup_(planned_done) struct planned p = PLAN_A(.events = WORDS(E("cs,faults")));

	(void)state;
	assert_cgroups(&p, "- -");
	assert_int_equal(p.plan.cgroups.n, 0);
}

static void cgroups_go_with_events_one_by_one(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p =
		PLAN_A(.events = WORDS(E("cs,faults,migrations,dummy"), G("/,,//")));

	assert_cgroups(&p, "/ - // -");
	assert_int_equal(p.plan.cgroups.n, 2);
}

static void one_cgroup_is_for_all_events_before_it(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p =
		PLAN_A(.events = WORDS(E("cs"), E("faults"), G("/"), E("migrations")));

	assert_cgroups(&p, "/ / -");
}

static void a_second_g_goes_on_where_the_first_ended(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p =
		PLAN_A(.events = WORDS(E("cs,faults"), G("/,//"), E("migrations"), G("/")));

	assert_cgroups(&p, "/ // /");
	assert_int_equal(p.plan.cgroups.n, 2);
}

static void a_cgroup_alone_is_for_the_default_events(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p = PLAN_A(.events = WORDS(G("/")));

	assert_true(p.plan.events.n >= 8);
	for (size_t i = 0; i < p.plan.events.n; i++)
		assert_int_equal(p.plan.cgroups.of[i], 0);
}

static void more_cgroups_than_events_are_refused(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p =
		PLAN_A(.events = WORDS(E("cs"), G("/,/"), E("faults")));

	assert_refuses(&p, -EINVAL, "more cgroups than there are events");
}

static void an_absent_cgroup_is_refused(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p =
		PLAN_A(.events = WORDS(E("cs"), G("no-such-group")));
	_cleanup_(planned_done) struct planned q = PLAN_A(.for_each_cgroup = "/,no-such-group",
							  .events = WORDS(E("cs")));

	assert_refuses(&p, -ENOENT, "no-such-group");
	assert_refuses(&q, -ENOENT, "no-such-group");
}

static void each_cgroup_gets_all_events(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p = PLAN_A(.for_each_cgroup = "/,//",
							  .events = WORDS(E("{cs,faults}")));

	assert_plans(&p, "{cs faults {cs faults");
	assert_cgroups(&p, "/ / // //");
	assert_int_equal(p.plan.events.items[3]->leader, 2);
}

static void each_cgroup_gets_its_own_metrics(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p = PLAN_A(.for_each_cgroup = "/,//",
							  .events = WORDS(M("page_fault_rate")));

	assert_cgroups(&p, "/ / // //");
	assert_int_equal(p.plan.metrics.n, 2);
	assert_int_equal(p.plan.metrics.items[1].first, 2);
}

static void each_cgroup_is_a_group_with_g(void **state)
{
	(void)state;
	need_cgroups();

	_cleanup_(planned_done) struct planned p = PLAN_A(.group = true, .for_each_cgroup = "/,//",
							  .events = WORDS(E("cs,faults")));

	assert_plans(&p, "{cs faults {cs faults");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_word_the_default_events_are_counted),
		cmocka_unit_test(ds_add_caches_to_the_default),
		cmocka_unit_test(ds_add_caches_to_named_events_too),
		cmocka_unit_test(n_counts_nothing),
		cmocka_unit_test(named_events_come_in_their_order),
		cmocka_unit_test(g_makes_one_group_of_all),
		cmocka_unit_test(all_user_and_all_kernel_limit_every_event),
		cmocka_unit_test(a_wrong_event_is_refused_with_its_place),
		cmocka_unit_test(a_metric_brings_its_events_as_a_group),
		cmocka_unit_test(metrics_come_after_named_events),
		cmocka_unit_test(metrics_need_not_be_groups),
		cmocka_unit_test(a_group_of_metrics_is_all_of_them),
		cmocka_unit_test(an_unknown_metric_is_refused),
		cmocka_unit_test(events_have_no_cgroup_by_themselves),
		cmocka_unit_test(cgroups_go_with_events_one_by_one),
		cmocka_unit_test(one_cgroup_is_for_all_events_before_it),
		cmocka_unit_test(a_second_g_goes_on_where_the_first_ended),
		cmocka_unit_test(a_cgroup_alone_is_for_the_default_events),
		cmocka_unit_test(more_cgroups_than_events_are_refused),
		cmocka_unit_test(an_absent_cgroup_is_refused),
		cmocka_unit_test(each_cgroup_gets_all_events),
		cmocka_unit_test(each_cgroup_gets_its_own_metrics),
		cmocka_unit_test(each_cgroup_is_a_group_with_g),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
