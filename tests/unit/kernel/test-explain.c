/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "kernel/explain.h"
#include "wire/attr.h"

/* An ordinary user on an ordinary machine. */
static const struct perf_event_facts user = {
	.has_perf_events = true,
	.paranoid = 2,
	.core_pmu = true,
	.max_stack = 127,
	.files_soft = 1024,
	.files_hard = 524288,
};

static const struct attr cycles = { .type = PERF_TYPE_HARDWARE };
static const struct attr user_cycles = {
	.type = PERF_TYPE_HARDWARE,
	.exclude_kernel = 1,
	.exclude_hv = 1,
};

/* Checks that message and hint together contain @words. */
static void expect(const struct perf_event_facts *facts, const struct attr *attr, int error,
		   const char *words)
{
	struct diag diag = { 0 };

	assert_int_equal(perf_event_explain_with(facts, attr, "cycles", error, &diag), -error);
	if (!strstr(diag.message, words) && !(diag.hint && strstr(diag.hint, words)))
		fail_msg("'%s' is neither in '%s' nor in '%s'", words, diag.message, diag.hint);
	assert_null(strchr(diag.message, '\n'));
	assert_true(strncmp(diag.message, "cycles: ", strlen("cycles: ")) == 0);
	diag_done(&diag);
}

static void kernel_events_need_level_one_or_the_u_modifier(void **state)
{
	(void)state;
	expect(&user, &cycles, EACCES, "perf_event_paranoid is 2");
	expect(&user, &cycles, EACCES, "cycles:u");
	expect(&user, &cycles, EACCES, "sudo sysctl kernel.perf_event_paranoid=1");
	expect(&user, &cycles, EACCES, "chmod 750 ");
}

static void all_cpus_need_level_zero(void **state)
{
	(void)state;
	expect(&user, &user_cycles, EACCES, "kernel.perf_event_paranoid=0");
	expect(&user, &user_cycles, EACCES, "-a");
}

static void recording_tracepoints_needs_level_minus_one(void **state)
{
	(void)state;
	const struct attr recorded = { .type = PERF_TYPE_TRACEPOINT,
				       .sample_type = PERF_SAMPLE_RAW };
	const struct attr counted = { .type = PERF_TYPE_TRACEPOINT };

	expect(&user, &recorded, EPERM, "kernel.perf_event_paranoid=-1");
	expect(&user, &counted, EACCES, "kernel.perf_event_paranoid=1");
}

static void levels_of_distributions_forbid_everything(void **state)
{
	(void)state;
	struct perf_event_facts debian = user;

	debian.paranoid = 3;
	expect(&debian, &user_cycles, EACCES, "perf_event_paranoid is 3");
	expect(&debian, &user_cycles, EACCES, "level 3 and above forbid all use");
	expect(&debian, &user_cycles, EACCES, "kernel.perf_event_paranoid=2");
}

static void seccomp_refuses_what_the_level_allows(void **state)
{
	(void)state;
	struct perf_event_facts container = user;

	container.paranoid = -1;
	container.seccomp = true;
	expect(&container, &cycles, EPERM, "seccomp profile");
	expect(&container, &cycles, EPERM, "--cap-add PERFMON");
	container.paranoid = 2;
	container.privileged = true;
	expect(&container, &cycles, EPERM, "seccomp profile");
}

static void root_without_the_capability_is_told_so(void **state)
{
	(void)state;
	struct perf_event_facts container = user;

	container.root = true;
	expect(&container, &cycles, EACCES, "root has no CAP_PERFMON here");
}

static void a_foreign_process_is_the_guess_that_remains(void **state)
{
	(void)state;
	struct perf_event_facts open = user;

	open.paranoid = -1;
	expect(&open, &cycles, EACCES, "another user");
	open.privileged = open.root = true;
	expect(&open, &cycles, EACCES, "and you are root");
	expect(&open, &cycles, EACCES, "security module");
}

static void a_machine_without_counters_is_offered_clocks(void **state)
{
	(void)state;
	struct perf_event_facts virtual = user;

	virtual.core_pmu = false;
	expect(&virtual, &cycles, ENOENT, "no hardware counters");
	expect(&virtual, &cycles, EOPNOTSUPP, "cpu-clock");
	expect(&virtual, &cycles, ENODEV, "virtual machines");
	expect(&user, &cycles, ENOENT, "no such event");
}

static void a_tracepoint_that_is_gone_is_named(void **state)
{
	(void)state;
	const struct attr tracepoint = { .type = PERF_TYPE_TRACEPOINT, .config = 9999 };
	const struct attr other = { .type = 77, .config = 0x12 };

	expect(&user, &tracepoint, ENOENT, "no longer has this tracepoint");
	expect(&user, &other, ENOENT, "type 77, config 0x12");
}

static void what_the_pmu_cannot_do_is_named(void **state)
{
	(void)state;
	struct attr branches = cycles, precise = cycles, sampled = cycles, regs = cycles;

	branches.sample_type = PERF_SAMPLE_BRANCH_STACK;
	precise.precise_ip = 3;
	sampled.sample_period = 1000;
	regs.sample_type = PERF_SAMPLE_REGS_USER;
	expect(&user, &branches, EOPNOTSUPP, "cannot record branches");
	expect(&user, &precise, EINVAL, "precise level 3");
	expect(&user, &precise, EOPNOTSUPP, "leave out p");
	expect(&user, &sampled, EOPNOTSUPP, "cannot sample");
	expect(&user, &regs, EINVAL, "registers");
	expect(&user, &cycles, EINVAL, "type 0, config 0x0");
}

static void a_pmu_of_the_chip_takes_no_modifiers_and_no_samples(void **state)
{
	(void)state;
	const struct attr modified = { .type = 20, .exclude_kernel = 1 };
	const struct attr sampled = { .type = 20, .sample_period = 1 };
	const struct attr plain = { .type = 20, .config = 0x304 };

	expect(&user, &modified, EINVAL, "leave out the modifiers");
	expect(&user, &sampled, EINVAL, "perf stat -a -e cycles");
	expect(&user, &plain, EINVAL, "config 0x304");
}

static void breakpoints_have_their_own_limits(void **state)
{
	(void)state;
	const struct attr breakpoint = { .type = PERF_TYPE_BREAKPOINT };

	expect(&user, &breakpoint, EINVAL, "1, 2, 4 or 8");
	expect(&user, &breakpoint, ENOSPC, "breakpoint registers");
	expect(&user, &cycles, ENOSPC, "no counter is left");
}

static void the_limit_of_files_is_quoted_with_the_way_up(void **state)
{
	(void)state;
	struct perf_event_facts full = user;

	expect(&user, &cycles, EMFILE, "the limit is 1024");
	expect(&user, &cycles, EMFILE, "ulimit -n 524288");
	full.files_hard = 1024;
	expect(&full, &cycles, EMFILE, "limits.conf");
	expect(&full, &cycles, ENFILE, "fs.file-max");
}

static void a_missing_call_is_the_kernels_or_the_sandboxs_doing(void **state)
{
	(void)state;
	struct perf_event_facts bare = user;

	expect(&user, &cycles, ENOSYS, "seccomp=unconfined");
	bare.has_perf_events = false;
	expect(&bare, &cycles, ENOSYS, "CONFIG_PERF_EVENTS");
}

static void busy_counters_point_at_the_watchdog(void **state)
{
	(void)state;
	struct perf_event_facts watched = user;

	expect(&user, &cycles, EBUSY, "another profiler");
	watched.nmi_watchdog = true;
	expect(&watched, &cycles, EBUSY, "kernel.nmi_watchdog=0");
}

static void deep_stacks_quote_both_depths(void **state)
{
	(void)state;
	struct attr deep = cycles;

	deep.sample_max_stack = 500;
	expect(&user, &deep, EOVERFLOW, "500 frames");
	expect(&user, &deep, EOVERFLOW, "kernel.perf_event_max_stack=500");
	expect(&user, &deep, EOVERFLOW, "/max-stack=127/");
}

static void every_other_error_is_at_least_spelled_out(void **state)
{
	(void)state;
	expect(&user, &cycles, E2BIG, "too old");
	expect(&user, &cycles, ESRCH, "no such process");
	expect(&user, &cycles, EIO, strerror(EIO));
}

static void facts_of_this_machine_make_sense(void **state)
{
	(void)state;
	struct perf_event_facts facts = perf_event_facts_gather();

	assert_true(facts.files_soft <= facts.files_hard);
	assert_true(facts.max_stack > 0);
}

static void the_sign_of_the_error_does_not_matter(void **state)
{
	(void)state;
	struct diag diag = { 0 };

	assert_int_equal(perf_event_explain(&cycles, "cycles", -ESRCH, &diag), -ESRCH);
	assert_non_null(strstr(diag.message, "no such process"));
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_events_need_level_one_or_the_u_modifier),
		cmocka_unit_test(all_cpus_need_level_zero),
		cmocka_unit_test(recording_tracepoints_needs_level_minus_one),
		cmocka_unit_test(levels_of_distributions_forbid_everything),
		cmocka_unit_test(seccomp_refuses_what_the_level_allows),
		cmocka_unit_test(root_without_the_capability_is_told_so),
		cmocka_unit_test(a_foreign_process_is_the_guess_that_remains),
		cmocka_unit_test(a_machine_without_counters_is_offered_clocks),
		cmocka_unit_test(a_tracepoint_that_is_gone_is_named),
		cmocka_unit_test(what_the_pmu_cannot_do_is_named),
		cmocka_unit_test(a_pmu_of_the_chip_takes_no_modifiers_and_no_samples),
		cmocka_unit_test(breakpoints_have_their_own_limits),
		cmocka_unit_test(the_limit_of_files_is_quoted_with_the_way_up),
		cmocka_unit_test(a_missing_call_is_the_kernels_or_the_sandboxs_doing),
		cmocka_unit_test(busy_counters_point_at_the_watchdog),
		cmocka_unit_test(deep_stacks_quote_both_depths),
		cmocka_unit_test(every_other_error_is_at_least_spelled_out),
		cmocka_unit_test(facts_of_this_machine_make_sense),
		cmocka_unit_test(the_sign_of_the_error_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
