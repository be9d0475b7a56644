/* SPDX-License-Identifier: MIT */
#pragma once
/* Filters for the calls of x86_64 that a test names, and calls to apply them to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/filter-model.h"
#include "tools/trace/tasks-model.h"

struct example_scope {
	uint64_t wanted[16];
	struct trace_filter_scope scope;
};

/* Sets up a scope of the calls @names, which end with NULL. Without names it has all calls. */
__attribute__((unused)) static void example_scope(struct example_scope *s, const char *const *names)
{
	*s = (struct example_scope){ .scope.has_abi[SYSCALL_ABI_X86_64] = true };
	if (*names)
		s->scope.wanted[SYSCALL_ABI_X86_64] = s->wanted;
	for (; *names; names++) {
		int nr = syscall_number(SYSCALL_ABI_X86_64, *names);

		assert_true(nr >= 0);
		s->wanted[nr / 64] |= UINT64_C(1) << nr % 64;
	}
}

__attribute__((unused)) static struct trace_call example_call(const char *name, uint64_t arg0,
							      uint64_t arg1, uint64_t arg2)
{
	int nr = syscall_number(SYSCALL_ABI_X86_64, name);

	assert_true(nr >= 0);
	return (struct trace_call){ .abi = SYSCALL_ABI_X86_64,
				    .nr = nr,
				    .desc = syscall_find(SYSCALL_ABI_X86_64, (unsigned)nr),
				    .has_enter = true,
				    .enter_ns = 1000000,
				    .exit_ns = 3000000,
				    .args = { arg0, arg1, arg2 } };
}

/*
 * Checks an error: @marked is the marked part, or NULL; @message and @hint are parts of its texts.
 */
__attribute__((unused)) static void assert_filter_refused(const char *const *calls,
							  const char *text, const char *marked,
							  const char *message, const char *hint)
{
	_cleanup_(trace_filter_freep) struct trace_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct example_scope s;

	example_scope(&s, calls);
	assert_int_equal(trace_filter_parse(text, &s.scope, &f, &diag), -EINVAL);
	assert_null(f);
	if (!strstr(diag.message, message) || (hint && !(diag.hint && strstr(diag.hint, hint))))
		fail_msg("'%s': %s (%s)", text, diag.message, diag.hint ? diag.hint : "");
	if (marked && (strlen(marked) != diag.length ||
		       strncmp(diag.excerpt + diag.offset, marked, diag.length) != 0))
		fail_msg("'%s': marks '%.*s'", text, (int)diag.length, diag.excerpt + diag.offset);
}

#define CALLS(...) ((const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL })
