/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "tools/c2c/lines-model.h"

#define HITM (2ULL | (uint64_t)(2 | 64) << 5 | 16ULL << 19)

static int no_node(void *arg, uint64_t addr)
{
	(void)arg, (void)addr;
	return -1;
}

static void init(struct c2c_lines *l)
{
	const struct c2c_lines_options o = { .keys = { { C2C_BY_IADDR }, 1 },
					     .line_bytes = 64,
					     .node_of_memory = no_node };

	c2c_lines_init(l, &o);
}

static const struct c2c_entry *take(struct c2c_lines *l, const struct map *data, uint64_t addr,
				    uint32_t pid)
{
	return c2c_lines_take(l, &(struct c2c_access_record){ .ip = 0x10,
							      .addr = addr,
							      .data_src = HITM,
							      .period = 3,
							      .cpumode = 2,
							      .pid = pid,
							      .tid = pid,
							      .data = data });
}

static struct image *image(struct symbolizer *s, const char *name, uint64_t ino)
{
	return symbolizer_image(s,
				&(struct image_key){ .kind = IMAGE_USER,
						     .name = name,
						     .file = { .maj = 8, .min = 1, .ino = ino } });
}

static struct map map_of(struct image *im, uint64_t start, uint64_t ino)
{
	return (struct map){ .start = start, .end = start + 4096, .ino = ino, .image = im };
}

static void a_file_is_the_same_under_another_name(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct map one = map_of(image(s, "/nowhere/one", 77), 0x1000, 77);
	struct map same = map_of(image(s, "/elsewhere/one", 77), 0x5000, 77);
	struct map other = map_of(image(s, "/nowhere/other", 78), 0x9000, 78);
	_cleanup_(c2c_lines_done) struct c2c_lines l;

	(void)state;
	init(&l);
	take(&l, &one, 0x1008, 1);
	take(&l, &same, 0x5008, 2);
	take(&l, &other, 0x9008, 1);
	c2c_lines_settle(&l);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.items[0]->stats.n[C2C_LOCAL_HITM], 2);
	assert_int_equal(l.items[0]->period, 6);
}

static void memory_without_a_file_belongs_to_its_process(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct map heap = map_of(image(s, "//anon", 0), 0x1000, 0);
	_cleanup_(c2c_lines_done) struct c2c_lines l;

	(void)state;
	init(&l);
	take(&l, &heap, 0x1008, 1);
	take(&l, &heap, 0x1008, 2);
	c2c_lines_settle(&l);
	assert_int_equal(l.n, 2);
}

static void entries_are_numbered_as_they_come(void **state)
{
	_cleanup_(c2c_lines_done) struct c2c_lines l;
	const struct c2c_entry *first, *second;

	(void)state;
	init(&l);
	first = take(&l, NULL, 0x1008, 1);
	second = take(&l, NULL, 0x1010, 1);
	assert_int_equal(first->number, 0);
	assert_int_equal(second->number, 1);
	assert_ptr_equal(take(&l, NULL, 0x1008, 1), first);
	assert_int_equal(l.n_entries, 2);
	assert_int_equal(first->line->period, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_the_same_under_another_name),
		cmocka_unit_test(memory_without_a_file_belongs_to_its_process),
		cmocka_unit_test(entries_are_numbered_as_they_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
