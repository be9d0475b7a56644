/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/kwork/top-view.h"
#include "tools/kwork/usage-model.h"

static void cpus_have_bars_and_tasks_have_rows(void **state)
{
	struct kwork_cpu_use cpus[] = { { .cpu = 0, .share = 901 }, { .cpu = 1, .share = 10000 } };
	struct kwork_task_use tasks[] = {
		{ .tid = 0, .name = "swapper/0", .share = 9098, .run_ns = 146825000 },
		{ .tid = 20366, .name = "a\033b", .share = 745, .run_ns = 12035000 },
		{ .tid = 5, .name = "not shown" },
	};
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	kwork_top_add(&t,
		      &(struct kwork_usage_rows){ .time_ns = 161438000,
						  .idle_ns = 146825000,
						  .cpus = cpus,
						  .n_cpus = 2,
						  .tasks = tasks,
						  .n_tasks = 3 },
		      2);
	assert_string_equal(t.chars, "\nTotal  :    161.438 ms, 2 cpus\n"
				     "%Cpu(s):  90.95% id,   0.00% hi,   0.00% si\n"
				     "%Cpu0   [||                               9.01%]\n"
				     "%Cpu1   [|||||||||||||||||||||||||||||| 100.00%]\n"
				     "\n"
				     "      PID    %CPU           RUNTIME  COMMAND         \n"
				     "  ----------------------------------------------------\n"
				     "        0   90.98        146.825 ms  swapper/0       \n"
				     "    20366    7.45         12.035 ms  a\\x1bb          \n"
				     "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_have_bars_and_tasks_have_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
