/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "kernel/probe-refusal.h"

#define REFUSED                                                                                    \
	"[  12.345678] trace_kprobe: error: Failed to register probe event\n"                      \
	"  Command: p:k/a f+4\n"                                                                   \
	"                 ^\n"

static struct probe_refusal about(int error, const char *log)
{
	return (struct probe_refusal){
		.error = error,
		.line = "p:k/a f+4",
		.log = (char *)log,
		.function = "f",
		.offset = 4,
		.is_code = true,
	};
}

static bool says(const struct diag *d, const char *words)
{
	if (strstr(d->message, words) || (d->hint && strstr(d->hint, words)))
		return true;
	print_message("not said: '%s', but: %s\n%s\n", words, d->message, d->hint ? d->hint : "");
	return false;
}

static void the_kernels_words_and_its_caret_are_shown(void **state)
{
	struct probe_refusal r = about(
		EINVAL, "[   12.345678] trace_kprobe: error: Invalid probed address or symbol\n"
			"  Command: p:k/a f+4\n"
			"                 ^\n");
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(probe_refusal_explain(&r, &d), -EINVAL);
	assert_true(says(&d, "Invalid probed address or symbol"));
	assert_string_equal(d.excerpt, "p:k/a f+4");
	assert_int_equal(d.offset, 6);
	assert_int_equal(d.length, 3);
}

static void entries_about_other_lines_do_not_count(void **state)
{
	struct probe_refusal r = about(EEXIST,
				       "[   12.3] trace_kprobe: error: Invalid register name\n"
				       "  Command: p:k/a f+40\n"
				       "           ^\n"
				       "[   12.4] trace_uprobe: error: Invalid uprobe offset\n"
				       "  Command: p:k/a /bin/x:7\n"
				       "           ^\n");
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(probe_refusal_explain(&r, &d), -EEXIST);
	assert_true(says(&d, "there is such an event already"));
	assert_true(says(&d, "-f"));
}

static void the_latest_entry_counts(void **state)
{
	struct probe_refusal r = about(EILSEQ, REFUSED
				       "[   12.4] trace_kprobe: error: Probe point is not an "
				       "instruction boundary\n"
				       "  Command: p:k/a f+4\n"
				       "                 ^\n");
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(probe_refusal_explain(&r, &d), -EILSEQ);
	assert_true(says(&d, "not an instruction boundary"));
	assert_true(says(&d, "beginning of an instruction"));
}

static void a_damaged_log_says_nothing(void **state)
{
	static const char *const logs[] = {
		"",
		": error: ",
		"x: error: y\n",
		"x: error: y\n  Command: ",
		"x: error: y\n  Command: p:k/a f+4",
		"x: error: y\n  Command: p:k/a f\n^",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		struct probe_refusal r = about(ENOENT, logs[i]);
		_cleanup_(diag_done) struct diag d = { 0 };

		assert_int_equal(probe_refusal_explain(&r, &d), -ENOENT);
		assert_true(says(&d, "knows no such function"));
	}
}

static void a_caret_beyond_the_line_is_harmless(void **state)
{
	struct probe_refusal r = about(EINVAL, "x: error: Unknown type is specified\n"
					       "  Command: p:k/a f+4\n"
					       "                                         ^\n");
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "Unknown type"));
	assert_int_equal(d.length, 0);
}

static void the_reasons_of_einval_are_told_apart(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct probe_refusal r = about(EINVAL, REFUSED);

	(void)state;
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "cannot put a probe on the instruction at f+0x4"));
	assert_true(says(&d, "lock prefixes"));
	r.is_untraced = true;
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "not to be traced"));
	r.is_misaligned = true;
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "f+0x4 is not the beginning of an instruction"));
	r.is_code = false;
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "a section that cannot be probed"));
	r.blacklisted = "notify_die";
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "the kernel needs notify_die"));
	assert_true(says(&d, "kprobes/blacklist"));
}

static void each_errno_has_its_sentence(void **state)
{
	static const struct {
		int error;
		const char *words;
	} cases[] = {
		{ EPERM, "forbids probes" },    { EBUSY, "in use" },   { EEXIST, "already" },
		{ ENOSPC, "no room" },          { ENOENT, "no such" }, { EILSEQ, "beginning" },
		{ E2BIG, "Argument list too" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct probe_refusal r = about(cases[i].error, NULL);
		_cleanup_(diag_done) struct diag d = { 0 };

		assert_int_equal(probe_refusal_explain(&r, &d), -cases[i].error);
		assert_true(says(&d, cases[i].words));
	}
}

static void lockdown_is_named(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct probe_refusal r = about(EPERM, REFUSED);

	(void)state;
	r.is_locked_down = true;
	probe_refusal_explain(&r, &d);
	assert_true(says(&d, "locked down"));
	assert_true(says(&d, "/sys/kernel/security/lockdown"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_words_and_its_caret_are_shown),
		cmocka_unit_test(entries_about_other_lines_do_not_count),
		cmocka_unit_test(the_latest_entry_counts),
		cmocka_unit_test(a_damaged_log_says_nothing),
		cmocka_unit_test(a_caret_beyond_the_line_is_harmless),
		cmocka_unit_test(the_reasons_of_einval_are_told_apart),
		cmocka_unit_test(each_errno_has_its_sentence),
		cmocka_unit_test(lockdown_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
