/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/kwork/items-model.h"
#include "tools/kwork/table-view.h"

static void assert_name(struct kwork_item item, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	kwork_name_add(&t, &item, KWORK_NAME_WIDTH);
	assert_string_equal(t.chars, expected);
}

static void names_tell_the_class(void **state)
{
	(void)state;
	assert_name((struct kwork_item){ .class = KWORK_IRQ, .id = 25, .name = (char *)"eth0" },
		    "eth0:25                       ");
	assert_name((struct kwork_item){ .class = KWORK_SOFTIRQ, .id = 1, .name = (char *)"TIMER" },
		    "(s)TIMER:1                    ");
	assert_name((struct kwork_item){ .class = KWORK_WORKQUEUE,
					 .id = 0x1000,
					 .name = (char *)"vmstat_update" },
		    "(w)vmstat_update              ");
}

static void work_without_a_name_has_its_number(void **state)
{
	(void)state;
	assert_name((struct kwork_item){ .class = KWORK_WORKQUEUE, .id = 0x1000 },
		    "(w)0x1000                     ");
	assert_name((struct kwork_item){ .class = KWORK_SOFTIRQ, .id = 12 },
		    "(s)12                         ");
}

static void long_names_lose_their_end(void **state)
{
	(void)state;
	assert_name((struct kwork_item){ .class = KWORK_WORKQUEUE,
					 .name = (char *)"virtio_transport_send_pkt_work" },
		    "(w)virtio_transport_send_pkt_ ");
}

static void control_characters_do_not_reach_a_terminal(void **state)
{
	(void)state;
	assert_name((struct kwork_item){ .class = KWORK_IRQ, .id = 1, .name = (char *)"a\033[2J" },
		    "a\\x1b[2J:1                    ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_the_class),
		cmocka_unit_test(work_without_a_name_has_its_number),
		cmocka_unit_test(long_names_lose_their_end),
		cmocka_unit_test(control_characters_do_not_reach_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
