/* SPDX-License-Identifier: MIT */
/* Tests of how V8's functions are read: a small heap in this process, as V8 would lay it out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "runtime/runtime.h"
#include "runtime/v8.h"

enum {
	TYPE_ONE_BYTE = 8,
	TYPE_TWO_BYTE = 0,
	TYPE_CONS = 9,
	TYPE_EXTERNAL = 10,
	TYPE_SLICED = 11,
	TYPE_THIN = 13,
	TYPE_SHARED = 262,
	TYPE_SCRIPT = 167,
	TYPE_SCOPE = 261,
	TYPE_BYTECODE = 191,
	TYPE_CODE = 245,
	TYPE_BYTES = 190,
	TYPE_ARRAY = 175,
	TYPES = 300,
};

static const struct v8_layout layout = {
	.map_type = 12,
	.shared_data = 8,
	.shared_name = 16,
	.shared_script = 32,
	.shared_length = 40,
	.shared_token = 44,
	.shared_flags = 48,
	.shared_literal = 52,
	.script_source = 8,
	.script_name = 16,
	.script_line = 24,
	.script_line_ends = 56,
	.script_id = 64,
	.shared_type = TYPE_SHARED,
	.script_type = TYPE_SCRIPT,
	.scope_type = TYPE_SCOPE,
	.scope_variables = 3,
	.bytecode_type = TYPE_BYTECODE,
	.bytecode_positions = 32,
	.code_type = TYPE_CODE,
	.code_start = 40,
	.code_size = 56,
	.code_flags = 48,
	.code_deopt = 16,
	.code_positions = 24,
	.code_stream = 32,
	.stream_start = 16,
	.kind_mask = 15,
	.kind_baseline = 11,
	.deopt_literals = 2,
	.deopt_shared = 6,
	.deopt_inlined = 7,
	.byte_array_type = TYPE_BYTES,
	.array_type = TYPE_ARRAY,
	.text_length = 12,
	.text_start = 16,
	.text_first = 16,
	.text_second = 24,
	.text_parent = 16,
	.text_offset = 24,
	.version = 1103,
};

static struct v8_reader reader = { .layout = &layout };

/* The heap, and the maps of types. */
static uint64_t heap[8192];
static size_t heap_n;
static uint64_t maps[TYPES];

static uint64_t *words_of(uint64_t object)
{
	return (uint64_t *)(uintptr_t)(object - 1);
}

static uint64_t small(int32_t v)
{
	return (uint64_t)(uint32_t)v << 32;
}

/* Returns a new object of @n words, the first of which is its map. */
static uint64_t make(unsigned type, size_t n)
{
	uint64_t *o = heap + heap_n;

	heap_n += n;
	assert_true(heap_n <= ARRAY_SIZE(heap));
	memset(o, 0, n * sizeof(*o));
	if (type < TYPES && !maps[type]) {
		maps[type] = make(TYPES, 2);
		words_of(maps[type])[1] = (uint64_t)type << 32;
		return make(type, n);
	}
	o[0] = type < TYPES ? maps[type] : 0;
	return (uint64_t)(uintptr_t)o + 1;
}

static void set_length(uint64_t text, uint32_t length)
{
	words_of(text)[1] = (uint64_t)length << 32;
}

static uint64_t make_text(const char *s)
{
	uint64_t t = make(TYPE_ONE_BYTE, 2 + strlen(s) / 8 + 1);

	set_length(t, (uint32_t)strlen(s));
	memcpy(words_of(t) + 2, s, strlen(s));
	return t;
}

static uint64_t make_wide(const uint16_t *s, uint32_t n)
{
	uint64_t t = make(TYPE_TWO_BYTE, 2 + n / 4 + 1);

	set_length(t, n);
	memcpy(words_of(t) + 2, s, n * sizeof(s[0]));
	return t;
}

/* Makes a text that consists of others: @a and @b are its words. */
static uint64_t make_composed(unsigned type, uint32_t length, uint64_t a, uint64_t b)
{
	uint64_t t = make(type, 4);

	set_length(t, length);
	words_of(t)[2] = a;
	words_of(t)[3] = b;
	return t;
}

static uint64_t make_bytes(const void *bytes, size_t n)
{
	uint64_t o = make(TYPE_BYTES, 2 + n / 8 + 1);

	words_of(o)[1] = small((int32_t)n);
	memcpy(words_of(o) + 2, bytes, n);
	return o;
}

static int start(void **state)
{
	(void)state;
	reader.pid = getpid();
	heap_n = 0;
	memset(maps, 0, sizeof(maps));
	return 0;
}

static void assert_text(uint64_t object, const char *expected)
{
	struct text t = TEXT_EMPTY;

	assert_int_equal(v8_read_text(&reader, object, 1000, &t), 0);
	assert_string_equal(t.chars, expected);
	text_done(&t);
}

static void assert_no_text(uint64_t object, int error)
{
	struct text t = TEXT_EMPTY;

	assert_int_equal(v8_read_text(&reader, object, 1000, &t), error);
	text_done(&t);
}

static void texts_of_all_shapes_are_read(void **state)
{
	static const uint16_t wide[] = { 0x540d, 'a', 0xd83d, 0xde00, 0xd83d, 0xe9 };
	uint64_t plain = make_text("heavy work"), slice;
	const char *external = "node:internal";

	(void)state;
	assert_text(plain, "heavy work");
	assert_text(make_wide(wide, ARRAY_SIZE(wide)), "名a😀é");
	slice = make_composed(TYPE_SLICED, 4, plain, small(6));
	assert_text(slice, "work");
	assert_text(make_composed(TYPE_SLICED, 2, slice, small(1)), "or");
	assert_text(make_composed(TYPE_THIN, 10, plain, 0), "heavy work");
	assert_text(make_composed(TYPE_CONS, 14, slice, plain), "workheavy work");
	assert_text(make_composed(TYPE_EXTERNAL, 13, 0, (uint64_t)(uintptr_t)external),
		    "node:internal");
	assert_text(make_text("a\nb"), "a?b");
}

static void hostile_texts_are_refused(void **state)
{
	uint64_t plain = make_text("abc"), cons, t;

	(void)state;
	assert_no_text(small(7), -EPROTO);
	assert_no_text(make(TYPE_SHARED, 8), -EPROTO);
	assert_no_text(0x123450001, -EFAULT);
	t = make_text("long");
	set_length(t, UINT32_MAX);
	assert_no_text(t, -EPROTO);
	assert_no_text(make_composed(TYPE_SLICED, 4, plain, small(0)), -EPROTO);
	assert_no_text(make_composed(TYPE_SLICED, 2, plain, small(-1)), -EPROTO);
	assert_no_text(make_composed(TYPE_SLICED, 2, plain, plain), -EPROTO);
	/* Texts that consist of themselves. */
	cons = make_composed(TYPE_CONS, 1000, 0, plain);
	words_of(cons)[2] = cons;
	assert_no_text(cons, -EPROTO);
	words_of(cons)[2] = make_text("");
	words_of(cons)[3] = cons;
	assert_no_text(cons, -EPROTO);
	t = make_composed(TYPE_THIN, 3, 0, 0);
	words_of(t)[2] = t;
	assert_no_text(t, -EPROTO);
}

static void tables_of_positions_are_read(void **state)
{
	/* statement at 4, source 65 << 1; expression 2 later, 10 << 1 back */
	static const uint8_t table[] = { 8, 0x84, 2, 5, 39 };
	static const uint8_t cut[] = { 8, 0x84 };
	static const uint8_t endless[] = { 8,    0x80, 0x80, 0x80, 0x80, 0x80,
					   0x80, 0x80, 0x80, 0x80, 0x80, 0x80 };
	struct v8_positions p = { 0 };

	(void)state;
	assert_int_equal(v8_positions_read(table, sizeof(table), &p), 0);
	assert_int_equal(p.n, 2);
	assert_int_equal(p.items[0].offset, 4);
	assert_int_equal(V8_SOURCE_AT(p.items[0].source), 64);
	assert_int_equal(V8_SOURCE_INLINED(p.items[0].source), -1);
	assert_int_equal(p.items[1].offset, 6);
	assert_int_equal(V8_SOURCE_AT(p.items[1].source), 54);
	p.n = 0;
	assert_int_equal(v8_positions_read(cut, sizeof(cut), &p), -EPROTO);
	assert_int_equal(v8_positions_read(endless, sizeof(endless), &p), -EPROTO);
	free(p.items);
}

#define SOURCE                                                                                     \
	"'use strict';\nfunction heavy() {\n\treturn light() +\n\t\t1;\n}\nlet light = () => 2;\n"

static uint64_t make_script(void)
{
	uint64_t script = make(TYPE_SCRIPT, 12);

	words_of(script)[1] = make_text(SOURCE);
	words_of(script)[2] = make_text("file:///srv/app.mjs");
	words_of(script)[8] = small(41);
	return script;
}

/* Makes a function of @script between two places of its source; @name: NULL: it has none. */
static uint64_t make_function(uint64_t script, const char *name, const char *from, const char *to,
			      int32_t id)
{
	const char *begin = strstr(SOURCE, from);
	uint64_t scope = make(TYPE_SCOPE, 12), shared = make(TYPE_SHARED, 9);
	uint64_t *w = words_of(scope);

	/* A variable's name and its properties come before the function's name. */
	w[1] = small(2 | (name ? 1 << 12 : 0));
	w[3] = small(1);
	w[4] = make_text("variable");
	w[5] = small(9);
	if (name) {
		w[6] = make_text(name);
		w[7] = small(-1);
		w += 2;
	}
	w[6] = small((int32_t)(begin - SOURCE));
	w[7] = small((int32_t)(strstr(begin, to) - SOURCE) + 1);
	words_of(shared)[2] = scope;
	words_of(shared)[4] = script;
	words_of(shared)[5] = 0x0a00020003;
	words_of(shared)[6] = (uint64_t)(uint32_t)id << 32;
	return shared;
}

static void functions_have_names_and_lines(void **state)
{
	struct runtime_code code = { 0 };
	struct v8_reader r = reader;
	struct v8_function f;
	uint64_t script = make_script();

	(void)state;
	assert_int_equal(
		v8_function_read(&r, make_function(script, "heavy", "() {", "}", 1), &f, &code), 0);
	assert_int_equal(
		v8_function_read(&r, make_function(script, NULL, "() =>", "2", 2), &f, &code), 0);
	assert_string_equal(code.functions.items[0].name.chars, "app.mjs:heavy");
	assert_string_equal(code.functions.items[0].file.chars, "/srv/app.mjs");
	assert_int_equal(code.functions.items[0].lines.n, 4);
	assert_int_equal(code.functions.items[0].lines.items[0].line, 2);
	assert_int_equal(code.functions.items[0].lines.items[3].line, 5);
	assert_int_equal(code.functions.items[0].lines.items[1].position, strlen("() {\n"));
	assert_string_equal(code.functions.items[1].name.chars, "app.mjs:(anonymous)");
	assert_int_equal(code.functions.items[1].lines.items[0].line, 6);
	runtime_code_done(&code);
	v8_reader_done(&r);
}

static void damaged_functions_are_refused(void **state)
{
	uint64_t script = make_script();
	uint64_t shared = make_function(script, "heavy", "() {", "}", 1);
	uint64_t *scope = words_of(words_of(shared)[2]);
	struct runtime_code code = { 0 };
	struct v8_reader r = reader;
	struct v8_function f;
	uint32_t check;

	(void)state;
	assert_int_equal(v8_function_check(&r, script, &check), -EPROTO);
	assert_int_equal(v8_function_check(&r, shared, &check), 0);
	scope[3] = small(INT32_MAX);
	assert_int_equal(v8_function_read(&r, shared, &f, &code), -EPROTO);
	scope[3] = small(-1);
	assert_int_equal(v8_function_read(&r, shared, &f, &code), -EPROTO);
	scope[3] = small(1);
	words_of(script)[0] = scope[0];
	assert_int_equal(v8_function_read(&r, shared, &f, &code), -EPROTO);
	assert_int_equal(v8_function_check(&r, shared, &check), -EPROTO);
	runtime_code_done(&code);
	v8_reader_done(&r);
}

static void byte_code_has_lines(void **state)
{
	struct runtime_process p = { .kind = RUNTIME_KIND_V8, .v8 = layout };
	uint64_t shared = make_function(make_script(), "heavy", "() {", "}", 1);
	uint64_t bytecode = make(TYPE_BYTECODE, 8), frame[2];
	uint8_t table[4];
	struct runtime_code code;
	uint32_t check, at = (uint32_t)(strstr(SOURCE, "light() +") - SOURCE);

	(void)state;
	/* From offset 3 on: the call. */
	at = (at + 1) << 2;
	table[0] = 6;
	table[1] = (uint8_t)(0x80 | (at & 127));
	table[2] = (uint8_t)(at >> 7);
	words_of(bytecode)[4] = make_bytes(table, 3);
	words_of(shared)[1] = bytecode;
	assert_int_equal(v8_function_check(&reader, shared, &check), 0);
	frame[0] = RUNTIME_FRAME(V8_SORT_BYTECODE, shared);
	frame[1] = RUNTIME_CHECKED(check, 5);
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), 0);
	assert_int_equal(code.functions.n, 1);
	assert_int_equal(code.spots.n, 2);
	assert_int_equal(code.spots.items[0].end, 3);
	assert_int_equal(code.places.items[0].position, 0);
	assert_int_equal(code.places.items[code.spots.items[1].first].position,
			 strlen("() {\n\treturn "));
	runtime_code_done(&code);
	frame[1] ^= (uint64_t)1 << 40;
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), -ESTALE);
	runtime_code_done(&code);
}

/* Optimized code in this process: an InstructionStream and its Code. */
struct optimized {
	uint64_t code, stream, deopt;
};

/* Makes the optimized code of @outer, into which @inner is inlined where it is called. */
static struct optimized make_optimized(uint64_t outer, uint64_t inner)
{
	struct optimized o = { make(TYPE_CODE, 10), make(TYPES, 64), make(TYPE_ARRAY, 16) };
	uint64_t literals = make(TYPE_ARRAY, 4), *w = words_of(o.code);
	int32_t call = (int32_t)(strstr(SOURCE, "light() +") - SOURCE);
	int32_t there = (int32_t)(strstr(SOURCE, "2;") - SOURCE);
	struct {
		uint64_t source;
		int32_t function, padding;
	} inlined = { (uint64_t)(call + 1) << 1, 1, 0 };
	uint64_t source = (uint64_t)(there + 1) << 1 | (uint64_t)1 << 31;
	uint8_t table[16] = { 16 * 2 };
	size_t n = 1;

	/* From offset 16 on: the inlined function. */
	for (source <<= 1; source > 127; source >>= 7)
		table[n++] = (uint8_t)(0x80 | (source & 127));
	table[n++] = (uint8_t)source;
	words_of(literals)[1] = small(2);
	words_of(literals)[3] = inner + 2; /* a weak one */
	words_of(o.deopt)[1] = small(12);
	words_of(o.deopt)[2 + 2] = literals;
	words_of(o.deopt)[2 + 6] = outer;
	words_of(o.deopt)[2 + 7] = make_bytes(&inlined, sizeof(inlined));
	w[2] = o.deopt;
	w[3] = make_bytes(table, n);
	w[4] = o.stream;
	w[5] = o.stream - 1 + 16;
	w[6] = 13;
	w[7] = 256;
	words_of(o.stream)[0] = maps[TYPE_CODE];
	words_of(o.stream)[1] = o.code;
	return o;
}

static void optimized_code_has_inlined_functions(void **state)
{
	struct runtime_process p = { .kind = RUNTIME_KIND_V8, .v8 = layout };
	uint64_t script = make_script(), frame[2];
	uint64_t outer = make_function(script, "heavy", "() {", "}", 1);
	uint64_t inner = make_function(script, "light", "() =>", "2", 2);
	struct optimized o = make_optimized(outer, inner);
	struct runtime_code code;
	uint32_t check;

	(void)state;
	assert_int_equal(v8_function_check(&reader, outer, &check), 0);
	frame[0] = RUNTIME_FRAME(V8_SORT_CODE, o.stream - 1 + 16 + 200);
	frame[1] = RUNTIME_CHECKED(check, 0);
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), 0);
	assert_int_equal(code.start, o.stream - 1 + 16);
	assert_int_equal(code.size, 256);
	assert_int_equal(code.spots.n, 2);
	assert_int_equal(code.spots.items[0].end, 16);
	assert_int_equal(code.spots.items[1].n, 2);
	assert_string_equal(code.functions.items[code.places.items[1].function].name.chars,
			    "app.mjs:light");
	assert_string_equal(code.functions.items[code.places.items[2].function].name.chars,
			    "app.mjs:heavy");
	assert_int_equal(code.places.items[2].position, strlen("() {\n\treturn "));
	runtime_code_done(&code);
	/* The code of another function, or after the end. */
	frame[1] = RUNTIME_CHECKED(check + 1, 0);
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), -ESTALE);
	runtime_code_done(&code);
	words_of(o.code)[6] = 11;
	frame[1] = RUNTIME_CHECKED(check, 0);
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), -EPROTO);
	runtime_code_done(&code);
}

static void doubtful_inlined_functions_are_left_out(void **state)
{
	struct runtime_process p = { .kind = RUNTIME_KIND_V8, .v8 = layout };
	uint64_t script = make_script(), frame[2];
	uint64_t outer = make_function(script, "heavy", "() {", "}", 1);
	/* The position is in "light", but the number is that of another function. */
	struct optimized o = make_optimized(outer, outer);
	struct runtime_code code;
	uint32_t check;

	(void)state;
	assert_int_equal(v8_function_check(&reader, outer, &check), 0);
	frame[0] = RUNTIME_FRAME(V8_SORT_CODE, o.stream - 1 + 16 + 200);
	frame[1] = RUNTIME_CHECKED(check, 0);
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), 0);
	assert_int_equal(code.spots.items[1].n, 1);
	assert_int_equal(code.places.items[code.spots.items[1].first].function, 0);
	runtime_code_done(&code);
	words_of(o.deopt)[1] = small(3);
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &code), -EPROTO);
	runtime_code_done(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(texts_of_all_shapes_are_read, start),
		cmocka_unit_test_setup(hostile_texts_are_refused, start),
		cmocka_unit_test_setup(tables_of_positions_are_read, start),
		cmocka_unit_test_setup(functions_have_names_and_lines, start),
		cmocka_unit_test_setup(damaged_functions_are_refused, start),
		cmocka_unit_test_setup(byte_code_has_lines, start),
		cmocka_unit_test_setup(optimized_code_has_inlined_functions, start),
		cmocka_unit_test_setup(doubtful_inlined_functions_are_left_out, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
