/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "tools/test/selftest-work.h"

static void test_verdict_say(struct selftest_run *t, const char *format, va_list ap)
{
	vsnprintf(t->reason, SELFTEST_REASON_MAX, format, ap);
	fprintf(t->out, "%s\n", t->reason);
}

enum selftest_outcome selftest_skip(struct selftest_run *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	test_verdict_say(t, format, ap);
	va_end(ap);
	return SELFTEST_SKIP;
}

enum selftest_outcome selftest_fail(struct selftest_run *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	test_verdict_say(t, format, ap);
	va_end(ap);
	return SELFTEST_FAILED;
}
