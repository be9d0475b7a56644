/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/diag.h"
#include "datafile/reader.h"
#include "foreign/recording.h"
#include "foreign/stack-profile.h"
#include "symbol/given-names.h"
#include "symbol/symbolizer.h"
#include "wire/sample.h"

struct made {
	struct datafile *file;
	struct symbolizer *symbolizer;
};

static struct made make(const struct stack_profile *p)
{
	static const struct symbolizer_options plain = { .raw_names = true };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct made m = { .symbolizer = symbolizer_new(&plain) };
	struct given_names *names;
	int fd;

	assert_int_equal(stack_profile_record(p, &fd, &names, &diag), 0);
	symbolizer_take_names(m.symbolizer, names);
	assert_int_equal(datafile_open_fd(fd, "a test", &m.file, &diag), 0);
	return m;
}

static void made_done(struct made *m)
{
	datafile_free(m->file);
	symbolizer_free(m->symbolizer);
}

/* Returns the next record of @type. Its bytes live as long as the file. */
static struct raw_record next(struct made *m, uint32_t type)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct raw_record r;

	do
		assert_int_equal(datafile_next(m->file, &r, &diag), 1);
	while (r.header.type != type);
	return r;
}

static struct sample next_sample(struct made *m, size_t event)
{
	struct raw_record r = next(m, PERF_RECORD_SAMPLE);
	struct sample s;

	assert_int_equal(sample_decode(r.bytes, r.header.size, false,
				       &datafile_event(m->file, event)->attr, &s),
			 0);
	return s;
}

static struct stack_profile *example(void)
{
	struct stack_profile *p = stack_profile_new();
	uint32_t event = stack_profile_event(p, "cpu", true);
	uint32_t program = stack_profile_image(p, "/bin/x", NULL);
	uint32_t kernel = stack_profile_image(p, "[kernel.kallsyms]", NULL);
	uint32_t outer = stack_profile_stack(p, STACK_PROFILE_ROOT,
					     stack_profile_function(p, program, "main", false));
	uint32_t inner = stack_profile_stack(p, outer,
					     stack_profile_function(p, kernel, "read", false));
	uint32_t address = stack_profile_stack(p, outer, stack_profile_address(p, program, 0x1234));
	uint32_t task = stack_profile_task(p, 5, 6, "x");

	stack_profile_add(p, (struct profile_weight){ .event = event,
						      .task = task,
						      .stack = inner,
						      .cpu = 3,
						      .time = 100,
						      .samples = 7,
						      .period = 70 });
	stack_profile_add(p, (struct profile_weight){ .event = event,
						      .task = task,
						      .stack = address,
						      .cpu = 3,
						      .time = 200,
						      .samples = 1,
						      .period = 10 });
	return p;
}

/* Its bytes alone could also be an inode. */
static void a_map_has_its_build_id_however_short(void **state)
{
	const struct build_id id = { .bytes = { 7 }, .size = 1 };
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	uint32_t event = stack_profile_event(p, "cpu", true);
	uint32_t image = stack_profile_image(p, "/bin/short", &id);
	uint32_t stack = stack_profile_stack(p, STACK_PROFILE_ROOT,
					     stack_profile_function(p, image, "main", false));
	struct record r;

	(void)state;
	stack_profile_add(p, (struct profile_weight){ .event = event,
						      .task = stack_profile_task(p, 5, 6, "x"),
						      .stack = stack,
						      .samples = 1,
						      .period = 1 });

	struct made m = make(p);

	do {
		struct raw_record raw = next(&m, PERF_RECORD_MMAP2);

		assert_int_equal(record_decode(raw.bytes, raw.header.size, false,
					       &datafile_event(m.file, 0)->attr, &r),
				 0);
	} while (strcmp(r.mmap.filename, "/bin/short") != 0);
	assert_int_equal(r.mmap.build_id.size, 1);
	assert_int_equal(r.mmap.build_id.bytes[0], 7);
	made_done(&m);
}

static void a_weight_becomes_a_sample(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = example();
	struct made m = make(p);
	struct sample s = next_sample(&m, 0);

	(void)state;
	assert_int_equal(datafile_event_count(m.file), 1);
	assert_string_equal(datafile_features(m.file)->event_descs.items[0].name, "cpu");
	assert_int_equal(s.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(s.pid, 5);
	assert_int_equal(s.tid, 6);
	assert_int_equal(s.time, 100);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.stream_id, 7);
	assert_int_equal(s.period, 70);
	assert_int_equal(s.chain.n, 4);
	assert_int_equal(words_get(&s.chain, 0), PERF_CONTEXT_KERNEL);
	assert_int_equal(words_get(&s.chain, 1), s.ip);
	assert_int_equal(words_get(&s.chain, 2), PERF_CONTEXT_USER);
	made_done(&m);
}

static void addresses_have_the_names_that_were_given(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = example();
	struct made m = make(p);
	const struct image_key kernel = { .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]" };
	const struct image_key program = { .kind = IMAGE_USER, .name = "/bin/x" };
	struct sample s = next_sample(&m, 0);
	const struct symbol *sym;

	(void)state;
	sym = image_symbol_find(symbolizer_image(m.symbolizer, &kernel), words_get(&s.chain, 1));
	assert_non_null(sym);
	assert_string_equal(sym->name, "read");
	/* The program is mapped at its own offset. */
	sym = image_symbol_find(symbolizer_image(m.symbolizer, &program), words_get(&s.chain, 3));
	assert_non_null(sym);
	assert_string_equal(sym->name, "main");
	made_done(&m);
}

static void an_address_keeps_its_offset(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = example();
	struct made m = make(p);
	struct raw_record r;
	struct record map;
	struct sample s;

	(void)state;
	do {
		r = next(&m, PERF_RECORD_MMAP2);
		assert_int_equal(record_decode(r.bytes, r.header.size, false,
					       &datafile_event(m.file, 0)->attr, &map),
				 0);
	} while (map.mmap.pgoff >= GIVEN_NAMES);
	next_sample(&m, 0);
	s = next_sample(&m, 0);
	assert_int_equal(s.ip - map.mmap.addr + map.mmap.pgoff, 0x1234);
	made_done(&m);
}

static void stacks_as_deep_as_any_fit(void **state)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	struct profile_weight w = { .event = stack_profile_event(p, "x", false),
				    .task = stack_profile_task(p, 1, 1, "x"),
				    .cpu = UINT32_MAX,
				    .samples = 1,
				    .period = 1 };
	uint32_t image = stack_profile_image(p, "", NULL);
	struct made m;

	(void)state;
	for (uint64_t i = 0; i < 20000; i++)
		w.stack = stack_profile_stack(p, w.stack, stack_profile_address(p, image, i));
	stack_profile_add(p, w);
	m = make(p);
	assert_int_equal(next_sample(&m, 0).chain.n, 8000);
	made_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_has_its_build_id_however_short),
		cmocka_unit_test(a_weight_becomes_a_sample),
		cmocka_unit_test(addresses_have_the_names_that_were_given),
		cmocka_unit_test(an_address_keeps_its_offset),
		cmocka_unit_test(stacks_as_deep_as_any_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
