/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "dump-builder.h"
#include "scratch.h"
#include "symbol/code.h"
#include "symbol/jit-code.h"
#include "symbol/symbolizer.h"

static void store_dump(const char *dir, const struct bytes *b)
{
	_cleanup_(freep) char *path = scratch_path(dir, "tmp/jit-7.dump");
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(b->data, 1, b->n, f), b->n);
	assert_int_equal(fclose(f), 0);
}

/* Reads the code of the function @name in the dump. Returns its number of bytes, or an error. */
static int size_of(const char *dir, uint64_t addr, const char *name, struct diag *diag)
{
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = dir, .any_owner = true });
	const struct jit_code *c = symbolizer_jit_code(
		s, &(struct jit_request){ .path = "/tmp/jit-7.dump", .pid = 7 });
	struct code code;
	size_t n;
	int r = -ENOENT;

	assert_non_null(c);

	const struct jit_load *loads = jit_code_loads(c, &n);

	for (size_t i = 0; i < n && r < 0; i++) {
		const struct symbol *sym = image_symbol_find(loads[i].image, addr);

		if (!sym || strcmp(sym->name, name))
			continue;
		r = code_read(store, loads[i].image, sym, &code, diag);
		if (r < 0)
			return r;
		assert_ptr_equal(code.arch, &arch_aarch64);
		assert_int_equal(code.start, sym->start);
		assert_int_equal(code.bytes[0], 0xcc);
		r = (int)code.n;
		code_done(&code);
	}
	return r;
}

static void code_that_was_made_is_read_from_its_dump(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 };

	dump_begin(&b, 7, 0);
	dump_load(&b, 1, 0x1000, 8, "one");
	dump_load(&b, 2, 0x2000, 16, "two");
	store_dump(*state, &b);
	assert_int_equal(size_of(*state, 0x1000, "one", &diag), 8);
	assert_int_equal(size_of(*state, 0x2004, "two", &diag), 16);
	bytes_done(&b);
}

static void a_place_that_was_used_twice_has_both(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 };

	dump_begin(&b, 7, 0);
	dump_load(&b, 1, 0x1000, 8, "old");
	dump_load(&b, 2, 0x1000, 16, "new");
	store_dump(*state, &b);
	assert_int_equal(size_of(*state, 0x1000, "old", &diag), 8);
	assert_int_equal(size_of(*state, 0x1000, "new", &diag), 16);
	bytes_done(&b);
}

static void code_that_was_moved_keeps_its_bytes(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bytes b = { 0 };

	dump_begin(&b, 7, 0);
	dump_load(&b, 1, 0x1000, 8, "one");
	dump_move(&b, 2, 0x1000, 0x3000, 8);
	store_dump(*state, &b);
	assert_int_equal(size_of(*state, 0x3000, "one", &diag), 8);
	bytes_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(code_that_was_made_is_read_from_its_dump,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(a_place_that_was_used_twice_has_both, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(code_that_was_moved_keeps_its_bytes, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
