/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tools/sched/stats-model.h"
#include "tools/sched/stats-view.h"

static const char *name(void *arg, uint32_t cpu, uint16_t domain)
{
	(void)cpu;
	(void)domain;
	return arg;
}

/* Returns the statistics of a CPU that went idle once in four times, in 100 jiffies. */
static struct sched_stats example(void)
{
	static struct sched_stats_domain domain = { .domain = 1, .values = { 8, 4, 2, 0, 5 } };
	static struct sched_stats_cpu cpu = { .cpu = 3,
					      .values = { 0, 0, 4, 1 },
					      .domains = { &domain, 1, 1 } };

	return (struct sched_stats){ .version = 15, .end = 100, .cpus = { &cpu, 1, 1 } };
}

static char *printed(struct sched_stats_look look, bool is_diff)
{
	const struct sched_stats s = example();
	char *text = NULL;
	size_t size;

	look.out = open_memstream(&text, &size);
	if (is_diff)
		sched_stats_print_diff(&look, &s, &s);
	else
		sched_stats_print(&look, &s);
	fclose(look.out);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text);
}

static void a_report_has_counts_parts_and_times(void **state)
{
	_cleanup_(freep) char *text = printed((struct sched_stats_look){ 0 }, false);

	(void)state;
	assert_has(text, "\nCPU: 3\n");
	assert_has(text, "\nCPU: 3 | DOMAIN: 1\n");
	assert_has(text, "\nsched_goidle                                                     :"
			 "           1  (    25.00% )\n");
	assert_has(text, "\nidle_lb_count                                                    :"
			 "           8  $       12.50 $\n");
	assert_has(text, "\n*idle_lb_avg_pulled                                              :"
			 "        2.50\n");
}

static void names_of_domains_are_escaped(void **state)
{
	_cleanup_(freep) char *text = printed((struct sched_stats_look){ .domain_name = name,
									 .domain_cpus = name,
									 .arg = "M\x1b" },
					      false);

	(void)state;
	assert_has(text, "\nCPU: 3 | DOMAIN: M\\x1b | DOMAIN_CPUS: M\\x1b\n");
}

static void two_stand_beside_each_other(void **state)
{
	_cleanup_(freep) char *text = printed((struct sched_stats_look){ .descriptions = true },
					      true);

	(void)state;
	assert_has(text, "\nschedule() left the processor idle                               :"
			 "           1,          1  |     0.00% |  (    25.00%,     25.00% )\n");
	assert_has(text, "\nload_balance() count on cpu idle                                 :"
			 "           8,          8  |     0.00% |  $       12.50,       12.50 $\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_has_counts_parts_and_times),
		cmocka_unit_test(names_of_domains_are_escaped),
		cmocka_unit_test(two_stand_beside_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
