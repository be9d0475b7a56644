/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the text of calls with any words and any memory behind their pointers: neither text nor
 * JSON has a control character, and the brackets of JSON match.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/text.h"
#include "view/json.h"
#include "tools/trace/value-view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define DEPTH_MAX 64

static void check_characters(const struct text *t)
{
	for (size_t i = 0; i < t->length; i++)
		if ((unsigned char)t->chars[i] < 0x20 || t->chars[i] == 0x7f)
			abort();
}

/* Checks that brackets outside of strings match, and that strings end. */
static void check_json(const struct text *t)
{
	char open[DEPTH_MAX];
	size_t depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < t->length; i++) {
		char c = t->chars[i];

		if (in_string && c == '\\')
			i++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == '{' || c == '['))
			open[depth++ % DEPTH_MAX] = c;
		else if (!in_string && (c == '}' || c == ']')) {
			if (!depth || open[--depth % DEPTH_MAX] != (c == '}' ? '{' : '['))
				abort();
		}
	}
	if (depth || in_string)
		abort();
}

static void write_call(const struct trace_call *c, const struct trace_value_style *style)
{
	struct text t = TEXT_EMPTY;
	struct json j;

	trace_args_text(&t, c, style);
	trace_result_text(&t, c, style);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		trace_arg_text(&t, c, i, style);
	check_characters(&t);
	text_clear(&t);
	json_init_text(&j, &t);
	j.on_line = true;
	json_object(&j);
	trace_args_json(&j, c, style);
	trace_result_json(&j, c, style);
	json_end(&j, '}');
	check_characters(&t);
	check_json(&t);
	text_done(&t);
}

static size_t take_data(struct cursor *c, struct call_data data[CALL_DATA_MAX])
{
	size_t n = 0;

	while (n < CALL_DATA_MAX && cursor_left(c) >= 4) {
		struct call_data *d = &data[n++];
		size_t size;

		d->arg = cursor_u8(c) % SYSCALL_ARGS_MAX;
		d->part = cursor_u8(c) % 8;
		d->flags = cursor_u8(c) % 8;
		size = cursor_u8(c);
		d->size = (uint32_t)(size < cursor_left(c) ? size : cursor_left(c));
		/*
		 * The bytes get a copy of their own, so that the sanitizer notices a read past the
		 * end.
		 */
		d->bytes = memcpy(malloc(d->size + !d->size), cursor_bytes(c, d->size), d->size);
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size, false);
	struct call_data pieces[CALL_DATA_MAX];
	struct trace_call call = { .abi = cursor_u8(&c) % SYSCALL_N_ABIS, .exit_ns = 1 };
	uint8_t looks = cursor_u8(&c);
	struct trace_value_style style = { .shows_prefix = looks & 1,
					   .shows_names = looks & 2,
					   .shows_zeros = looks & 4,
					   .prefers_btf = looks & 8,
					   .shows_all = looks & 16 };

	call.nr = cursor_u16(&c) % 1024;
	call.desc = syscall_find(call.abi, (unsigned)call.nr);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		call.args[i] = looks & 32 ? cursor_u64(&c) : cursor_u8(&c);
	call.result = looks & 64 ? (int64_t)cursor_u64(&c) : (int16_t)cursor_u16(&c);
	call.data = pieces;
	call.n_data = take_data(&c, pieces);
	write_call(&call, &style);
	for (size_t i = 0; i < call.n_data; i++)
		free((void *)pieces[i].bytes);
	return 0;
}
