/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "java-fake.h"
#include "python-fake.h"
#include "runtime/functions.h"

#define VERSION 0x030b0000
#define PID     ((uint32_t)getpid())

/* Functions of a process, and what was translated. */
struct fixture {
	struct runtime_functions *functions;
	struct runtime_process process;
	struct runtime_addresses to;
	struct text names; /* those of the image, one after the other */
};

static int set_up(void **state)
{
	struct fixture *x = xcalloc(1, sizeof(*x));

	x->functions = runtime_functions_new(0);
	x->process = fake_python_process(VERSION);
	x->process.is_ready = 1;
	x->names = (struct text)TEXT_EMPTY;
	*state = x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	runtime_functions_free(x->functions);
	free(x->to.items);
	text_done(&x->names);
	free(x);
	return 0;
}

static void begin_python(struct fixture *x)
{
	runtime_functions_set_process(x->functions, PID, &x->process);
}

static enum runtime_kind translate(struct fixture *x, const uint64_t *words, size_t n)
{
	x->to.n = 0;
	return runtime_functions_translate(x->functions, RUNTIME_STACKS_SAMPLES, PID, words, n,
					   &x->to);
}

static void take_name(const struct elf_symbol *s, void *arg)
{
	text_addf(arg, "%s ", s->name);
}

/* Returns the names in the image of @kind; "": there is none. */
static const char *names_of(struct fixture *x, enum runtime_kind kind)
{
	_cleanup_(bytes_done) struct bytes image = { 0 };
	struct elf_file *file;

	text_clear(&x->names);
	if (runtime_functions_put(x->functions, kind, &image)) {
		assert_int_equal(elf_file_open_memory(image.data, image.n, &file), 0);
		elf_symbols_read(file, ELF_SYMTAB, take_name, &x->names);
		elf_file_free(file);
	}
	return x->names.chars;
}

static struct runtime_functions_counts counts(struct fixture *x)
{
	return runtime_functions_counts(x->functions, RUNTIME_KIND_PYTHON);
}

static uint64_t image_start(struct fixture *x)
{
	return runtime_functions_mapping(x->functions, RUNTIME_KIND_PYTHON).start;
}

static void frames_become_addresses_and_others_stay(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[6] = { 0x401000, 0, 0, 0, 0, 0x402000 };

	fake_python_make(&f, 100);
	begin_python(x);
	fake_python_frame(&x->process, &f, words + 1);
	fake_python_frame(&x->process, &f, words + 3);
	words[4] += 10;
	assert_int_equal(translate(x, words, 6), RUNTIME_KIND_PYTHON);
	assert_int_equal(x->to.n, 4);
	assert_int_equal(x->to.items[0], 0x401000);
	assert_int_equal(x->to.items[2], x->to.items[1] + 10);
	assert_int_equal(x->to.items[3], 0x402000);
	assert_true(x->to.items[1] > image_start(x));
	assert_string_equal(names_of(x, RUNTIME_KIND_PYTHON), "[unread] app.py:Server.run ");
	assert_int_equal(counts(x).named, 2);
	/* Its mapping is recorded once in each file. */
	assert_int_equal(translate(x, words, 6), RUNTIME_KIND_NONE);
	runtime_functions_begin_file(x->functions);
	assert_int_equal(translate(x, words, 6), RUNTIME_KIND_PYTHON);
}

static void a_pair_that_is_cut_is_left_out(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[3] = { 0x401000 };

	fake_python_make(&f, 100);
	begin_python(x);
	fake_python_frame(&x->process, &f, words + 1);
	translate(x, words, 2);
	assert_int_equal(x->to.n, 1);
	/* A process that is not known. */
	runtime_functions_set_process(x->functions, PID, NULL);
	assert_int_equal(translate(x, words, 3), RUNTIME_KIND_NONE);
	assert_int_equal(x->to.n, 1);
}

static void a_position_outside_is_the_byte_after_the_code(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[4];

	fake_python_make(&f, 100);
	begin_python(x);
	fake_python_frame(&x->process, &f, words);
	fake_python_frame(&x->process, &f, words + 2);
	words[3] = (words[3] & ~(uint64_t)UINT32_MAX) | RUNTIME_NO_POSITION;
	translate(x, words, 4);
	assert_int_equal(x->to.items[0] + 100, x->to.items[1]);
}

static void code_that_is_gone_has_no_name(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[2];

	fake_python_make(&f, 100);
	begin_python(x);
	fake_python_frame(&x->process, &f, words);
	words[1] ^= (uint64_t)1 << 40;
	translate(x, words, 2);
	assert_int_equal(counts(x).stale, 1);
	assert_string_equal(names_of(x, RUNTIME_KIND_PYTHON), "");
	/* "[unread]" is the first function. */
	fake_python_frame(&x->process, &f, words);
	runtime_functions_read(x->functions, PID, words);
	assert_string_equal(names_of(x, RUNTIME_KIND_PYTHON), "[unread] app.py:Server.run ");
	assert_in_range(x->to.items[0] - image_start(x), 0, 0x8f);
}

static void what_was_read_is_remembered(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[2];

	fake_python_make(&f, 100);
	begin_python(x);
	fake_python_frame(&x->process, &f, words);
	runtime_functions_read(x->functions, PID, words);
	f.code.type = 0;
	translate(x, words, 2);
	assert_int_equal(counts(x).named, 1);
	/* Another program in the same process. */
	x->process.python.version++;
	begin_python(x);
	translate(x, words, 2);
	assert_int_equal(counts(x).stale, 1);
}

static void brief_code_is_read_again(void **state)
{
	static const struct timespec pause = { 0, 6000000 };
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[2], before;

	fake_python_make(&f, 100);
	f.file = fake_python_text("<string>");
	begin_python(x);
	fake_python_frame(&x->process, &f, words);
	translate(x, words, 2);
	before = x->to.items[0];
	/* Another one with the same numbers. */
	f.name = fake_python_text("later");
	nanosleep(&pause, NULL);
	translate(x, words, 2);
	assert_true(x->to.items[0] != before);
	assert_string_equal(names_of(x, RUNTIME_KIND_PYTHON),
			    "[unread] <string>:Server.run <string>:later ");
	/* The last name stays if it is gone. */
	f.code.type = 0;
	before = x->to.items[0];
	nanosleep(&pause, NULL);
	translate(x, words, 2);
	assert_int_equal(x->to.items[0], before);
	assert_int_equal(counts(x).stale, 0);
}

static void names_cannot_act_on_a_terminal(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	uint64_t words[2];

	fake_python_make(&f, 100);
	f.name = fake_python_text("a\033[31m\nb");
	begin_python(x);
	fake_python_frame(&x->process, &f, words);
	translate(x, words, 2);
	assert_string_equal(names_of(x, RUNTIME_KIND_PYTHON), "[unread] app.py:a\\x1b[31m\\nb ");
	/* Half of a pair of UTF-16, and numbers that are no characters. */
	f.name.state = FAKE_TEXT_WIDE(4);
	f.name.length = 2;
	memcpy(f.name.characters, "\x00\xd8\x00\x00\xff\xff\xff\xff", 8);
	x->process.python.version++;
	begin_python(x);
	translate(x, words, 2);
	assert_non_null(strstr(names_of(x, RUNTIME_KIND_PYTHON), "\\xed\\xa0\\x80"));
}

static void long_names_are_cut(void **state)
{
	struct fixture *x = *state;
	struct fake_python f;
	struct {
		struct text_object head;
		char more[1024];
	} text = { .head = { .length = 1024, .state = FAKE_TEXT_ASCII } };
	uint64_t words[2];

	fake_python_make(&f, 100);
	text.head.type = f.name.type;
	memset((char *)&text + x->process.python.text, 'n', 1024);
	f.code.name = (const void *)&text;
	begin_python(x);
	fake_python_frame(&x->process, &f, words);
	translate(x, words, 2);
	assert_int_equal(counts(x).named, 1);
	assert_int_equal(strlen(names_of(x, RUNTIME_KIND_PYTHON)), strlen("[unread] ") + 1024 + 1);
}

/* The words of a frame at @pc of compiled code of Java. */
static void java_frame(const struct runtime_process *p, const struct fake_code *c, uint32_t at,
		       uint64_t ret[2])
{
	const struct java_layout *y = &p->java;
	uint64_t method = java_u64(c->bytes, y->code_method);
	const uint32_t numbers[4] = { java_u32(c->bytes, y->blob_size),
				      java_u32(c->bytes, y->code_id), (uint32_t)method,
				      (uint32_t)(method >> 32) };

	ret[0] = RUNTIME_FRAME(JAVA_COMPILED, (uintptr_t)c->bytes);
	ret[1] = RUNTIME_CHECKED(runtime_check(numbers), at);
}

static void inlined_functions_have_addresses_of_their_own(void **state)
{
	static const uint32_t pcs[][2] = { { UINT32_MAX, 0 }, { 20, 1 }, { 40, 4 }, { 90, 0 } };
	struct fixture *x = *state;
	struct runtime_process p = { .kind = RUNTIME_KIND_JAVA, .is_ready = 1 };
	struct fake_code c;
	uint64_t words[4];

	p.java = fake_code_layout();
	fake_code_make(&c, pcs, ARRAY_SIZE(pcs));
	fake_put(c.bytes, 16, FAKE_CODE, 4);
	runtime_functions_set_process(x->functions, PID, &p);
	java_frame(&p, &c, 10, words);
	java_frame(&p, &c, 30, words + 2);
	assert_int_equal(translate(x, words, 4), RUNTIME_KIND_JAVA);
	/* outer() at 7; inner() at 9, in outer() at 7 */
	assert_int_equal(x->to.n, 3);
	assert_int_equal(x->to.items[2], x->to.items[0]);
	assert_true(x->to.items[1] != x->to.items[0]);
	assert_int_equal(x->to.items[0] % 16, 7);
	assert_int_equal(x->to.items[1] % 16, 9);
	assert_string_equal(names_of(x, RUNTIME_KIND_JAVA), "[unread] Load.outer Load.inner ");
	/* Behind all of it, and without what is inlined. */
	java_frame(&p, &c, 5000, words);
	translate(x, words, 2);
	assert_int_equal(x->to.n, 1);
	assert_int_equal(x->to.items[0] % 16, 0);
}

#define EACH 200

static void *read_many(void *arg)
{
	struct fixture *x = arg;
	struct fake_python f;
	uint64_t words[2];
	struct runtime_addresses to = { 0 };

	for (uint32_t i = 0; i < EACH; i++) {
		fake_python_make(&f, 100);
		f.code.numbers[0] = i;
		f.code.numbers[3] = i + 1;
		fake_python_frame(&x->process, &f, words);
		to.n = 0;
		if (i % 2)
			runtime_functions_read(x->functions, PID, words);
		runtime_functions_translate(x->functions, RUNTIME_STACKS_OFF_CPU, PID, words, 2,
					    &to);
		if (to.n != 1)
			abort();
	}
	free(to.items);
	return NULL;
}

static void two_threads_may_read(void **state)
{
	struct fixture *x = *state;
	pthread_t threads[2];

	begin_python(x);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_many, x), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(counts(x).named, 2 * EACH);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(frames_become_addresses_and_others_stay),
		TEST(a_pair_that_is_cut_is_left_out),
		TEST(a_position_outside_is_the_byte_after_the_code),
		TEST(code_that_is_gone_has_no_name),
		TEST(what_was_read_is_remembered),
		TEST(brief_code_is_read_again),
		TEST(names_cannot_act_on_a_terminal),
		TEST(long_names_are_cut),
		TEST(inlined_functions_have_addresses_of_their_own),
		TEST(two_threads_may_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
