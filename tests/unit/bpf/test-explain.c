/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/diag.h"
#include "bpf/explain.h"

static const struct bpf_facts root = { .root = true, .may_load = true, .bpf_limit = RLIM_INFINITY };

/* Checks that message and hint together contain @words. */
static void expect(struct bpf_facts facts, int error, const char *log, const char *words)
{
	struct diag diag = { 0 };

	assert_int_equal(bpf_explain_with(&facts, error, log, &diag), error);
	if (!strstr(diag.message, words) && !(diag.hint && strstr(diag.hint, words)))
		fail_msg("'%s' is neither in '%s' nor in '%s'", words, diag.message, diag.hint);
	assert_null(strchr(diag.message, '\n'));
	diag_done(&diag);
}

static void users_learn_which_capabilities_are_missing(void **state)
{
	struct bpf_facts user = { .bpf_limit = RLIM_INFINITY };

	(void)state;
	expect(user, -EPERM, "", "only privileged users");
	expect(user, -EPERM, "", "cap_bpf,cap_perfmon");
}

static void what_forbids_it_to_root_is_named(void **state)
{
	struct bpf_facts locked = root, container = root, limited = root;

	(void)state;
	locked.locked_down = true;
	container.seccomp = true;
	limited.bpf_limit = 65536;
	expect(locked, -EPERM, "", "lockdown");
	expect(container, -EPERM, "", "--cap-add BPF");
	expect(limited, -EPERM, "", "ulimit -l");
	expect(root, -EPERM, "", "though you are root");
}

static void the_last_complaint_of_the_verifier_is_quoted(void **state)
{
	(void)state;
	expect(root, -EACCES, "0: r0 = 1\ninvalid access to ctx\nprocessed 9 insns\n\n",
	       "invalid access to ctx");
	expect(root, -EINVAL, "unknown func bpf_get_attach_cookie#174\nprocessed 1 insns\n",
	       "unknown func");
	expect(root, -EINVAL, "processed 1 insns", "processed 1 insns");
	expect(root, -EINVAL, "", "Invalid argument");
	expect(root, -EINVAL, "", "too old");
}

static void a_kernel_without_bpf_is_named(void **state)
{
	(void)state;
	expect(root, -ENOSYS, "", "CONFIG_BPF_SYSCALL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_learn_which_capabilities_are_missing),
		cmocka_unit_test(what_forbids_it_to_root_is_named),
		cmocka_unit_test(the_last_complaint_of_the_verifier_is_quoted),
		cmocka_unit_test(a_kernel_without_bpf_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
