/* SPDX-License-Identifier: MIT */
/* The index of functions by name, in memory and in a file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/output-file.h"
#include "dwarf/debug-index.h"
#include "symbol/scratch.h"

#define IDENTITY 0x1234

static const uint8_t info[200];

/* Two units of one file; three names, two of which have the same hash; cross-unit copies. */
struct made {
	struct die_file file, *items[1];
	struct die_files files;
	struct die_unit units[2];
	struct debug_index_row rows[3];
	struct debug_index_cross cross[4];
};

static struct debug_index *make(struct made *m)
{
	*m = (struct made){
		.file = { .info = { info, sizeof(info) }, .units = m->units, .n_units = 2 },
		.items = { &m->file },
		.files = { .items = m->items, .n = 1 },
		.units = { { .start = 0, .entry = 12, .end = 100, .offset_size = 4 },
			   { .start = 100, .entry = 112, .end = 200, .offset_size = 8 } },
		.rows = { { .hash = 7, .entry = 20, .unit = 0 },
			  { .hash = 8, .entry = 30, .unit = 0 },
			  { .hash = 7, .entry = 15, .unit = 1 | INDEX_ABSTRACT } },
		.cross = { { 0, 50, 1 }, { 0, 20, 1 }, { 0, 50, 0 }, { 0, 50, 1 } },
	};

	struct debug_index_parts parts = {
		.files = &m->files,
		.rows = { m->rows, 3, 3 },
		.cross = { m->cross, 4, 4 },
	};

	return debug_index_new(&parts);
}

static void check(const struct debug_index *x)
{
	const struct debug_index_row *rows;
	const struct debug_index_cross *cross;
	size_t n, found = 0;

	rows = debug_index_rows(x, &n);
	assert_int_equal(n, 3);
	rows = debug_index_find(x, 7, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].hash != 7)
			continue;
		/* Rows are in the order of units. */
		assert_int_equal(rows[i].unit & INDEX_UNIT, found);
		found++;
	}
	assert_int_equal(found, 2);
	cross = debug_index_cross(x, 0, 50, &n);
	assert_int_equal(n, 2);
	assert_int_equal(cross[0].unit, 0);
	assert_int_equal(cross[1].unit, 1);
	(void)debug_index_cross(x, 0, 20, &n);
	assert_int_equal(n, 1);
	(void)debug_index_cross(x, 0, 21, &n);
	assert_int_equal(n, 0);
	(void)debug_index_cross(x, 1, 50, &n);
	assert_int_equal(n, 0);
}

static void names_are_found_by_their_hash_in_order(void **state)
{
	struct made m;
	_cleanup_(debug_index_freep) struct debug_index *x = make(&m);

	(void)state;
	check(x);
	assert_int_equal(debug_index_hash("tcp_sendmsg"), debug_index_hash("tcp_sendmsg"));
	assert_int_not_equal(debug_index_hash("tcp_sendmsg"), debug_index_hash("tcp_recvmsg"));
}

static void an_index_of_nothing_finds_nothing(void **state)
{
	struct die_files files = { .n = 0 };
	struct debug_index_parts parts = { .files = &files };
	_cleanup_(debug_index_freep) struct debug_index *x = debug_index_new(&parts);
	size_t n = 1;

	(void)state;
	(void)debug_index_find(x, 7, &n);
	assert_int_equal(n, 0);
	(void)debug_index_cross(x, 0, 0, &n);
	assert_int_equal(n, 0);
	assert_true(debug_index_lend_units(x, &files));
}

static char *write_index(const char *dir, struct made *m)
{
	_cleanup_(debug_index_freep) struct debug_index *x = make(m);
	char *path = xasprintf("%s/not/there/yet", dir);

	assert_int_equal(debug_index_write(x, IDENTITY, path), 0);
	return path;
}

static void what_was_written_is_read_again(void **state)
{
	struct made m;
	_cleanup_(freep) char *path = write_index(*state, &m);
	_cleanup_(debug_index_freep) struct debug_index *x = NULL;

	assert_int_equal(debug_index_open(path, IDENTITY, &x), 0);
	check(x);
	m.file.units = NULL;
	m.file.n_units = 0;
	assert_true(debug_index_lend_units(x, &m.files));
	assert_int_equal(m.file.n_units, 2);
	assert_int_equal(m.file.units[1].entry, 112);
}

static void an_index_of_something_else_is_stale(void **state)
{
	struct made m;
	_cleanup_(freep) char *path = write_index(*state, &m);
	struct debug_index *x = NULL;

	assert_int_equal(debug_index_open(path, IDENTITY + 1, &x), -ESTALE);
	assert_int_equal(debug_index_open("/nonexistent", IDENTITY, &x), -ENOENT);
	assert_int_equal(debug_index_open("/", IDENTITY, &x), -EINVAL);
	assert_null(x);
}

static void units_that_are_not_in_the_file_are_not_lent(void **state)
{
	struct made m;
	_cleanup_(debug_index_freep) struct debug_index *x = make(&m);

	(void)state;
	assert_true(debug_index_lend_units(x, &m.files));
	m.file.info.size = 199;
	assert_false(debug_index_lend_units(x, &m.files));
	m.files.n = 0;
	assert_false(debug_index_lend_units(x, &m.files));
}

/* The bytes of the file, which the test changes. */
struct damage {
	char *path, *bytes;
	size_t size;
};

static void read_bytes(const char *dir, struct damage *d)
{
	struct made m;

	d->path = write_index(dir, &m);
	assert_int_equal(file_read(-1, d->path, 1 << 20, &d->bytes, &d->size), 0);
}

static int open_damaged(const struct damage *d, size_t size)
{
	struct debug_index *x = NULL;
	int r;

	assert_int_equal(output_file_replace(d->path, d->bytes, size, 0600), 0);
	r = debug_index_open(d->path, IDENTITY, &x);
	if (r < 0)
		assert_null(x);
	debug_index_free(x);
	return r;
}

static void damage_done(struct damage *d)
{
	free(d->path);
	free(d->bytes);
}

static void a_file_that_is_cut_or_changed_is_refused(void **state)
{
	_cleanup_(damage_done) struct damage d = { .path = NULL };

	read_bytes(*state, &d);
	assert_int_equal(open_damaged(&d, d.size), 0);
	for (size_t n = 0; n < d.size; n++)
		assert_int_not_equal(open_damaged(&d, n), 0);
	for (size_t i = 0; i < d.size; i++) {
		d.bytes[i] ^= 0x10;
		assert_int_not_equal(open_damaged(&d, d.size), 0);
		d.bytes[i] ^= 0x10;
	}
	assert_int_equal(open_damaged(&d, d.size), 0);
}

/* As in a deliberate change, the checksum is right. */
static void numbers_that_cannot_be_are_refused(void **state)
{
	static const uint64_t numbers[] = {
		1, 4, 40, 1000, UINT32_MAX, UINT64_MAX, UINT64_MAX / 16 + 2
	};
	enum {
		FIRST = 4,
		LAST = 9
	}; /* words of the header, beginning with the numbers of units */
	_cleanup_(damage_done) struct damage d = { .path = NULL };
	size_t refused = 0;

	read_bytes(*state, &d);
	for (size_t i = FIRST; i <= LAST; i++)
		for (size_t k = 0; k < ARRAY_SIZE(numbers); k++) {
			uint64_t before;

			memcpy(&before, d.bytes + 8 * i, 8);
			if (before == numbers[k])
				continue;
			memcpy(d.bytes + 8 * i, &numbers[k], 8);
			debug_index_seal(d.bytes, d.size);
			assert_int_equal(open_damaged(&d, d.size), -EBADMSG);
			memcpy(d.bytes + 8 * i, &before, 8);
			refused++;
		}
	assert_true(refused > 30);
}

static void what_it_is_made_of_decides_the_identity(void **state)
{
	uint8_t bytes[4096] = { 0 };
	struct die_file a = { .info = { bytes, sizeof(bytes) } }, b = a, *items[] = { &a, &b };
	struct die_files one = { .items = items, .n = 1 }, two = { .items = items, .n = 2 };
	uint64_t before = debug_index_identity(&one, 1);

	(void)state;
	assert_true(debug_index_identity(&one, 1) == before);
	assert_true(debug_index_identity(&one, 2) != before);
	assert_true(debug_index_identity(&two, 1) != before);
	bytes[0] = 1;
	assert_true(debug_index_identity(&one, 1) != before);
	bytes[0] = 0;
	bytes[sizeof(bytes) - 1] = 1;
	assert_true(debug_index_identity(&one, 1) != before);
	bytes[sizeof(bytes) - 1] = 0;
	a.info.size--;
	assert_true(debug_index_identity(&one, 1) != before);
	a.info.size++;
	a.abbrev = (struct die_bytes){ bytes, 10 };
	assert_true(debug_index_identity(&one, 1) != before);
}

static void an_index_that_cannot_be_kept_is_an_error(void **state)
{
	struct made m;
	_cleanup_(debug_index_freep) struct debug_index *x = make(&m);

	(void)state;
	assert_true(debug_index_write(x, IDENTITY, "/dev/null/index") < 0);
	check(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_by_their_hash_in_order),
		cmocka_unit_test(an_index_of_nothing_finds_nothing),
		cmocka_unit_test_setup_teardown(what_was_written_is_read_again, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(an_index_of_something_else_is_stale, scratch_make,
						scratch_remove),
		cmocka_unit_test(units_that_are_not_in_the_file_are_not_lent),
		cmocka_unit_test_setup_teardown(a_file_that_is_cut_or_changed_is_refused,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(numbers_that_cannot_be_are_refused, scratch_make,
						scratch_remove),
		cmocka_unit_test(what_it_is_made_of_decides_the_identity),
		cmocka_unit_test(an_index_that_cannot_be_kept_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
