/* SPDX-License-Identifier: MIT */
#pragma once
/* Calls for tests, by name, and their output as text and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "arch/syscall/values.h"
#include "view/json.h"
#include "tools/trace/value-view.h"

static const struct trace_value_style named = { .shows_names = true };
static const struct trace_value_style bare = { 0 };

struct made_call {
	struct trace_call call;
	struct call_data data[CALL_DATA_MAX];
};

/* Makes a call of x86_64 that has returned 0. */
static inline struct made_call *made(struct made_call *m, const char *name, const uint64_t *args,
				     size_t n)
{
	int nr = syscall_number(SYSCALL_ABI_X86_64, name);

	*m = (struct made_call){ .call = { .abi = SYSCALL_ABI_X86_64, .nr = nr, .exit_ns = 1 } };
	assert_true(nr >= 0);
	m->call.desc = syscall_find(SYSCALL_ABI_X86_64, (unsigned)nr);
	assert_non_null(m->call.desc);
	memcpy(m->call.args, args, n * sizeof(args[0]));
	m->call.data = m->data;
	return m;
}

#define MADE(m, name, ...)                                                                         \
	made(m, name, (const uint64_t[]){ __VA_ARGS__ },                                           \
	     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static inline void points_to(struct made_call *m, unsigned arg, unsigned part, const void *bytes,
			     size_t size, unsigned flags)
{
	m->data[m->call.n_data++] = (struct call_data){ .arg = (uint8_t)arg,
							.part = (uint8_t)part,
							.flags = (uint8_t)flags,
							.size = (uint32_t)size,
							.bytes = bytes };
}

static inline void assert_args(const struct made_call *m, const struct trace_value_style *style,
			       const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	trace_args_text(&t, &m->call, style);
	assert_string_equal(t.chars, expected);
}

static inline void assert_result(const struct made_call *m, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	trace_result_text(&t, &m->call, &named);
	assert_string_equal(t.chars, expected);
}

static inline void json_line(struct json *j, struct text *t)
{
	json_init_text(j, t);
	j->on_line = true;
	json_object(j);
}

static inline void assert_args_json(const struct made_call *m, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	json_line(&j, &t);
	trace_args_json(&j, &m->call, &named);
	json_end(&j, '}');
	assert_string_equal(t.chars, expected);
}

static inline void assert_result_json(const struct made_call *m, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	json_line(&j, &t);
	trace_result_json(&j, &m->call, &named);
	json_end(&j, '}');
	assert_string_equal(t.chars, expected);
}
