/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/kwork/kwork-model.h"

struct told {
	size_t n;
	struct kwork_run last;
	char stack[16];
};

static void ran(void *arg, const struct kwork_run *run)
{
	struct told *t = arg;

	t->n++;
	t->last = *run;
	if (run->stack)
		strcpy(t->stack, run->stack);
}

static char *stack(void *arg, const struct session_sample *s)
{
	(void)arg, (void)s;
	return xstrdup("a <- b");
}

static const char *function(void *arg, uint64_t addr, uint64_t time)
{
	(void)arg, (void)time;
	return addr == 0x100 ? "tidy_up" : NULL;
}

static void begin(struct kwork_model *m, enum kwork_mode mode, const char *name, struct told *told)
{
	kwork_init(m, &(struct kwork_options){
			      .mode = mode,
			      .classes = { { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE }, 3 },
			      .name = name,
			      .function = function,
			      .ran = told ? ran : NULL,
			      .arg = told,
		      });
}

static void take(struct kwork_model *m, uint64_t time, enum kwork_role role, uint64_t id,
		 const char *name)
{
	kwork_take_event(m,
			 &(struct kwork_event){
				 .class = name && !strcmp(name, "eth0") ? KWORK_IRQ : KWORK_SOFTIRQ,
				 .role = role,
				 .time = time,
				 .id = id,
				 .name = name,
				 .name_length = name ? (uint32_t)strlen(name) : 0 },
			 NULL);
}

static void nested_work_ends_from_the_inside(void **state)
{
	_cleanup_(kwork_done) struct kwork_model m;
	const struct kwork_item *item;

	(void)state;
	begin(&m, KWORK_RUNTIME, NULL, NULL);
	take(&m, 100, KWORK_BEGIN, 3, "NET_RX");
	take(&m, 105, KWORK_BEGIN, 3, "NET_RX");
	take(&m, 107, KWORK_END, 3, "NET_RX");
	take(&m, 120, KWORK_END, 3, "NET_RX");
	take(&m, 130, KWORK_END, 3, "NET_RX");
	take(&m, 140, KWORK_BEGIN, 3, "NET_RX");
	kwork_finish(&m);
	item = kwork_items_find(&m.items, KWORK_SOFTIRQ, 0, 3);
	assert_string_equal(item->name, "NET_RX");
	assert_int_equal(item->count, 2);
	assert_int_equal(item->sum_ns, 22);
	assert_int_equal(item->max_ns, 20);
	assert_int_equal(m.skipped.raises, 0);
	assert_int_equal(m.skipped.begins, 1);
	assert_int_equal(m.skipped.ends, 1);
	assert_int_equal(m.first_time, 100);
	assert_int_equal(m.last_time, 140);
}

static void a_delay_is_from_the_last_raise_to_the_begin(void **state)
{
	_cleanup_(kwork_done) struct kwork_model m;
	const struct kwork_item *item;

	(void)state;
	begin(&m, KWORK_DELAY, NULL, NULL);
	take(&m, 10, KWORK_BEGIN, 3, "NET_RX");
	take(&m, 100, KWORK_RAISE, 3, "NET_RX");
	take(&m, 103, KWORK_RAISE, 3, "NET_RX");
	take(&m, 107, KWORK_BEGIN, 3, "NET_RX");
	kwork_finish(&m);
	item = kwork_items_find(&m.items, KWORK_SOFTIRQ, 0, 3);
	assert_int_equal(item->count, 1);
	assert_int_equal(item->sum_ns, 4);
	assert_int_equal(m.skipped.raises, 1);
	assert_int_equal(m.skipped.begins, 1);
}

static void history_tells_runs_with_delay_and_stack(void **state)
{
	_cleanup_(kwork_done) struct kwork_model m;
	struct told told = { 0 };

	(void)state;
	begin(&m, KWORK_HISTORY, NULL, &told);
	m.o.stack = stack;
	take(&m, 100, KWORK_RAISE, 3, "NET_RX");
	take(&m, 103, KWORK_BEGIN, 3, "NET_RX");
	take(&m, 109, KWORK_END, 3, "NET_RX");
	assert_int_equal(told.n, 1);
	assert_int_equal(told.last.raised, 100);
	assert_int_equal(told.last.begin, 103);
	assert_int_equal(told.last.end, 109);
	assert_string_equal(told.stack, "a <- b");
	take(&m, 203, KWORK_BEGIN, 3, "NET_RX");
	take(&m, 209, KWORK_END, 3, "NET_RX");
	assert_int_equal(told.n, 2);
	assert_int_equal(told.last.raised, 0);
}

static void a_name_leaves_out_work_of_other_names(void **state)
{
	_cleanup_(kwork_done) struct kwork_model m;

	(void)state;
	begin(&m, KWORK_RUNTIME, "eth0", NULL);
	take(&m, 100, KWORK_BEGIN, 3, "NET_RX");
	take(&m, 101, KWORK_BEGIN, 25, "eth0");
	take(&m, 102, KWORK_END, 3, "NET_RX");
	kwork_finish(&m);
	assert_int_equal(m.first_time, 101);
	assert_int_equal(m.last_time, 101);
	assert_int_equal(m.skipped.begins, 1);
	assert_int_equal(m.skipped.ends, 0);
}

static void work_items_are_named_by_their_function(void **state)
{
	_cleanup_(kwork_done) struct kwork_model m;
	struct kwork_event e = {
		.class = KWORK_WORKQUEUE, .role = KWORK_BEGIN, .id = 1, .function = 0x100
	};

	(void)state;
	begin(&m, KWORK_RUNTIME, NULL, NULL);
	kwork_take_event(&m, &e, NULL);
	assert_string_equal(kwork_items_find(&m.items, KWORK_WORKQUEUE, 0, 1)->name, "tidy_up");
	e.id = 2;
	e.function = 0x200;
	kwork_take_event(&m, &e, NULL);
	assert_null(kwork_items_find(&m.items, KWORK_WORKQUEUE, 0, 2)->name);
}

static void an_interrupt_gets_its_name_when_it_begins(void **state)
{
	_cleanup_(kwork_done) struct kwork_model m;
	struct kwork_event e = { .class = KWORK_IRQ, .role = KWORK_END, .id = 25 };

	(void)state;
	begin(&m, KWORK_RUNTIME, NULL, NULL);
	kwork_take_event(&m, &e, NULL);
	assert_null(kwork_items_find(&m.items, KWORK_IRQ, 0, 25)->name);
	assert_int_equal(m.skipped.ends, 1);
	take(&m, 5, KWORK_BEGIN, 25, "eth0");
	assert_string_equal(kwork_items_find(&m.items, KWORK_IRQ, 0, 25)->name, "eth0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested_work_ends_from_the_inside),
		cmocka_unit_test(a_delay_is_from_the_last_raise_to_the_begin),
		cmocka_unit_test(history_tells_runs_with_delay_and_stack),
		cmocka_unit_test(a_name_leaves_out_work_of_other_names),
		cmocka_unit_test(work_items_are_named_by_their_function),
		cmocka_unit_test(an_interrupt_gets_its_name_when_it_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
