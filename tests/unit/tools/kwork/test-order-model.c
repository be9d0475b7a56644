/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/kwork/items-model.h"
#include "tools/kwork/order-model.h"

static void keys_are_taken_in_order_and_once(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct kwork_order o;

	(void)state;
	assert_int_equal(
		kwork_order_parse("max,,count, max,avg,runtime", kwork_key_names, &o, &diag), 0);
	assert_int_equal(o.n, 4);
	assert_int_equal(o.keys[0], KWORK_BY_MAX);
	assert_int_equal(o.keys[1], KWORK_BY_COUNT);
	assert_int_equal(o.keys[2], KWORK_BY_AVERAGE);
	assert_int_equal(o.keys[3], KWORK_BY_SUM);
}

static void an_unknown_key_is_refused(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct kwork_order o = { .n = 9 };

	(void)state;
	assert_int_equal(kwork_order_parse("max,maxi", kwork_key_names, &o, &diag), -EINVAL);
	assert_string_equal(diag.message, "'maxi' is not a sort key");
	assert_int_equal(o.n, 9);
}

static struct kwork_item *add(struct kwork_items *t, enum kwork_class class, uint32_t cpu,
			      uint64_t id, uint64_t ns)
{
	struct kwork_item *item = kwork_items_get(t, class, cpu, id);

	kwork_item_add(item, 0, ns);
	return item;
}

static void equal_items_stand_by_class_cpu_and_number(void **state)
{
	static const struct kwork_classes classes = { { KWORK_SOFTIRQ, KWORK_IRQ }, 2 };
	static const struct kwork_order order = { { KWORK_BY_SUM }, 1 };
	_cleanup_(kwork_items_done) struct kwork_items t;
	_cleanup_(freep) const struct kwork_item **rows = NULL;
	const struct kwork_item *expected[5];
	size_t n;

	(void)state;
	kwork_items_init(&t);
	expected[4] = add(&t, KWORK_IRQ, 0, 9, 5);
	expected[1] = add(&t, KWORK_SOFTIRQ, 1, 2, 5);
	expected[2] = add(&t, KWORK_SOFTIRQ, 1, 1, 5);
	expected[3] = add(&t, KWORK_SOFTIRQ, 0, 3, 5);
	expected[0] = add(&t, KWORK_IRQ, 0, 1, 6);
	kwork_items_get(&t, KWORK_IRQ, 3, 3);
	rows = kwork_items_sorted(&t, &order, &classes, &n);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(rows[i], expected[i]);
}

static void each_key_has_its_order(void **state)
{
	static const struct kwork_classes classes = { { KWORK_IRQ }, 1 };
	_cleanup_(kwork_items_done) struct kwork_items t;
	struct kwork_item *often, *longest;

	(void)state;
	kwork_items_init(&t);
	often = add(&t, KWORK_IRQ, 0, 1, 5);
	add(&t, KWORK_IRQ, 0, 1, 6);
	longest = add(&t, KWORK_IRQ, 0, 2, 9);
	for (enum kwork_key key = 0; key < KWORK_KEYS; key++) {
		const struct kwork_order order = { { key }, 1 };
		_cleanup_(freep) const struct kwork_item **rows = NULL;
		size_t n;

		rows = kwork_items_sorted(&t, &order, &classes, &n);
		assert_int_equal(n, 2);
		assert_ptr_equal(rows[0],
				 key == KWORK_BY_SUM || key == KWORK_BY_COUNT ? often : longest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_taken_in_order_and_once),
		cmocka_unit_test(an_unknown_key_is_refused),
		cmocka_unit_test(equal_items_stand_by_class_cpu_and_number),
		cmocka_unit_test(each_key_has_its_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
