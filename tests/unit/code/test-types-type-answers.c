/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/types/type-answers.h"
#include "example-types.h"
#include "symbol/scratch.h"

#define IDENTITY 5

/* As in type-answers.c. */

static void add(const char *path, const struct type_answer *answer)
{
	struct type_answers a = { 0 };

	type_answers_open(&a, path, IDENTITY);
	type_answers_add(&a, answer);
	assert_int_equal(type_answers_write(&a, path, IDENTITY), 0);
	type_answers_done(&a);
}

static void add_typed(const char *path, uint64_t link, int type, uint64_t offset)
{
	add(path, &(struct type_answer){ .link = link, .type = &types[type], .offset = offset });
}

/* Returns "struct node+8", "status 4" or "none". The caller frees it. */
static char *find(const char *path, uint64_t identity, uint64_t link)
{
	struct type_answers a = { 0 };
	struct type_answer found;
	char *text, *name;

	type_answers_open(&a, path, identity);
	if (!type_answers_find(&a, link, &found)) {
		text = xstrdup("none");
	} else if (found.status != ACCESS_TYPED) {
		text = xasprintf("status %d", (int)found.status);
	} else {
		name = c_type_name(found.type);
		text = xasprintf("%s+%llu%s", name, (unsigned long long)found.offset,
				 found.is_followed ? " followed" : "");
		free(name);
	}
	type_answers_done(&a);
	return text;
}

static void assert_found(const char *path, uint64_t link, const char *expect)
{
	_cleanup_(freep) char *text = find(path, IDENTITY, link);

	assert_string_equal(text, expect);
}

static void answers_are_found_again(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.types");

	add_typed(path, 0x200, T_NODE, 8);
	add_typed(path, 0x100, T_INT, 0);
	add(path, &(struct type_answer){ .link = 0x180, .status = ACCESS_NO_VARIABLE });
	add(path,
	    &(struct type_answer){ .link = 0x300, .type = &types[T_NODE], .is_followed = true });
	assert_found(path, 0x100, "int+0");
	assert_found(path, 0x180, "status 7");
	assert_found(path, 0x200, "struct node+8");
	assert_found(path, 0x300, "struct node+0 followed");
	assert_found(path, 0x204, "none");
	assert_found(path, UINT64_MAX, "none");
}

static void the_instruction_before_is_kept(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.types");
	struct type_answers a = { 0 };
	struct type_answer found;

	add(path,
	    &(struct type_answer){ .link = 0x100, .status = ACCESS_NO_MEMORY, .preceding = 7 });
	type_answers_open(&a, path, IDENTITY);
	assert_true(type_answers_find(&a, 0x100, &found));
	assert_int_equal(found.preceding, 7);
	type_answers_done(&a);
}

static void a_new_answer_replaces_an_old_one(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.types");

	add_typed(path, 0x100, T_INT, 0);
	add_typed(path, 0x200, T_INT, 0);
	add_typed(path, 0x100, T_NODE, 16);
	assert_found(path, 0x100, "struct node+16");
	assert_found(path, 0x200, "int+0");
}

static void answers_about_other_files_are_not_used(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.types"), *text = NULL;

	add_typed(path, 0x100, T_INT, 0);
	text = find(path, IDENTITY + 1, 0x100);
	assert_string_equal(text, "none");
}

static void what_a_debug_file_would_change_is_not_kept(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.types");

	add(path, &(struct type_answer){ .link = 0x100, .status = ACCESS_NO_DEBUGINFO });
	add(path, &(struct type_answer){ .link = 0x100, .status = ACCESS_NO_SYMBOL });
	assert_int_not_equal(access(path, F_OK), 0);
}

static void without_new_answers_nothing_is_written(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.types");
	struct type_answers a = { 0 };

	assert_int_equal(type_answers_write(&a, path, IDENTITY), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	type_answers_done(&a);
}

/* A file with a header, a row and a text. */
struct image {
	uint8_t header[SEALED_HEADER_SIZE];
	uint64_t n_rows, n_types, n_fields, text_size;
	uint64_t link, offset;
	uint32_t type;
	uint8_t status, is_followed, unused[2];
	char text[8];
};

static const struct image sound = {
	.n_rows = 1,
	.text_size = 8,
	.link = 0x100,
	.status = ACCESS_IS_STACK,
};

static void assert_malformed(const char *dir, struct image i, const char *expect)
{
	_cleanup_(freep) char *path = scratch_path(dir, "x.types");
	FILE *f = fopen(path, "w");

	sealed_file_seal(&i, TYPE_ANSWERS_KIND, IDENTITY, sizeof(i) - sizeof(i.header));
	assert_non_null(f);
	assert_int_equal(fwrite(&i, sizeof(i), 1, f), 1);
	assert_int_equal(fclose(f), 0);
	assert_found(path, 0x100, expect);
}

static void malformed_files_have_no_answers(void **state)
{
	struct image i = sound;

	assert_malformed(*state, i, "status 1");
	i.n_rows = UINT64_MAX / 24 + 2;
	assert_malformed(*state, i, "none");
	i = sound;
	i.n_types = 1;
	assert_malformed(*state, i, "none");
	i = sound;
	i.n_fields = UINT64_MAX;
	assert_malformed(*state, i, "none");
	i = sound;
	i.text_size = 0;
	assert_malformed(*state, i, "none");
	i = sound;
	i.text_size = 7;
	assert_malformed(*state, i, "none");
	i = sound;
	i.text[7] = 'x';
	assert_malformed(*state, i, "none");
}

static void malformed_rows_are_no_answers(void **state)
{
	struct image i = sound;

	i.status = N_ACCESS_STATUS;
	assert_malformed(*state, i, "none");
	i.status = ACCESS_NO_DEBUGINFO;
	assert_malformed(*state, i, "none");
	i.status = ACCESS_TYPED; /* without a type */
	assert_malformed(*state, i, "none");
	i.type = 1; /* a type that is not in the file */
	assert_malformed(*state, i, "none");
	i = sound;
	i.link = 0x101;
	assert_malformed(*state, i, "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(answers_are_found_again, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(the_instruction_before_is_kept, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_new_answer_replaces_an_old_one, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(answers_about_other_files_are_not_used,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(what_a_debug_file_would_change_is_not_kept,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(without_new_answers_nothing_is_written,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(malformed_files_have_no_answers, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(malformed_rows_are_no_answers, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
