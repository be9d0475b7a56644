/* SPDX-License-Identifier: MIT */
/* Tests the choice of the file with an image's names, when other files have had its path. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>

#include "elf/built-elf.h"
#include "kernel/kept-files.h"
#include "kernel/mapped-file.h"
#include "scratch.h"
#include "symbol/symbolizer.h"

/* Code begins at the first multiple of 16 behind the headers. */
#define TEXT ((sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 15) & ~(size_t)15)

/* Stores a program with one function at @path, as a new file. */
static void build(const char *path, const char *function, const char *id)
{
	struct built_elf b;

	unlink(path);
	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	if (id)
		built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, id, 3);
	built_add_symbols(&b, SHT_SYMTAB,
			  &(struct built_symbol){ function, b.sections[1].sh_addr, 16, STB_GLOBAL,
						  STT_FUNC, 1, STV_DEFAULT },
			  1);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
}

static struct file_id id_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (struct file_id){ major(st.st_dev), minor(st.st_dev), st.st_ino, 0 };
}

static struct image *image_at(struct symbolizer *s, const char *path, struct file_id file,
			      const char *id)
{
	return symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER,
							.name = path,
							.file = file,
							.build_id = (const uint8_t *)id,
							.build_id_size = id ? 3 : 0 });
}

static const char *name_in(struct image *im)
{
	const struct symbol *s = image_symbol_find(im, TEXT + 4);

	return s ? s->name : "-";
}

static struct symbolizer *symbolizer_here(struct kept_files *kept)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });

	symbolizer_recorded_here(s, kept);
	return s;
}

static void a_file_that_was_replaced_gives_no_names(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_here(NULL);
	_cleanup_(freep) char *path = scratch_path(*state, "x"), *found = NULL;
	_cleanup_(closep) int held = -1;
	struct image *im;

	build(path, "old", NULL);
	/* The old file is held open, because its inode number could be used again otherwise. */
	held = open(path, O_RDONLY);
	im = image_at(s, path, id_of(path), NULL);
	build(path, "new", NULL);
	assert_string_equal(name_in(im), "-");
	assert_int_equal(image_missing_reason(im), IMAGE_REPLACED);
	assert_int_equal(image_file_path(im, &found), -ESTALE);
}

/* The file has the same inode, as after cp. */
static void a_file_that_was_written_to_since_gives_no_names(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *before = symbolizer_here(NULL);
	_cleanup_(symbolizer_freep) struct symbolizer *after = symbolizer_here(NULL);
	_cleanup_(freep) char *path = scratch_path(*state, "x");
	struct timespec times[] = { { 1000, 5 }, { 1000, 5 } };

	build(path, "written", "abc");
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	symbolizer_recorded_since(before, 1000000000004);
	symbolizer_recorded_since(after, 1000000000005);
	assert_string_equal(name_in(image_at(before, path, id_of(path), NULL)), "-");
	assert_string_equal(name_in(image_at(before, path, id_of(path), "abc")), "written");
	assert_string_equal(name_in(image_at(after, path, id_of(path), NULL)), "written");
}

static void a_file_with_the_recorded_build_id_gives_names_whatever_its_inode(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_here(NULL);
	_cleanup_(freep) char *path = scratch_path(*state, "x");
	struct file_id other;

	build(path, "same_build", "abc");
	other = id_of(path);
	other.ino++;
	assert_string_equal(name_in(image_at(s, path, other, "abc")), "same_build");
	assert_string_equal(name_in(image_at(s, path, other, "xyz")), "-");
}

static void inodes_of_another_machine_tell_nothing(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	_cleanup_(freep) char *path = scratch_path(*state, "x");
	struct file_id other;

	build(path, "copied", NULL);
	other = id_of(path);
	other.ino++;
	assert_string_equal(name_in(image_at(s, path, other, NULL)), "copied");
}

static void a_device_may_have_another_number_by_now_but_not_while_recording(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *kept = kept_files_new();
	_cleanup_(symbolizer_freep) struct symbolizer *later = symbolizer_here(NULL);
	_cleanup_(symbolizer_freep) struct symbolizer *now = symbolizer_here(kept);
	_cleanup_(freep) char *path = scratch_path(*state, "x");
	struct file_id other;

	build(path, "same_file", NULL);
	other = id_of(path);
	other.min++;
	assert_string_equal(name_in(image_at(later, path, other, NULL)), "same_file");

	_cleanup_(closep) int fd = open(path, O_RDONLY);

	if (file_match(fd, &other) == FILE_MATCH_OTHER)
		assert_string_equal(name_in(image_at(now, path, other, NULL)), "-");
}

static void what_the_recorder_keeps_has_names(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *kept = kept_files_new();
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_here(kept);
	_cleanup_(freep) char *path = scratch_path(*state, "x");
	struct file_id old;

	build(path, "old", NULL);
	old = id_of(path);
	kept_files_see(kept, &(struct mapping){ .path = path, .file = old });
	build(path, "new", NULL);
	assert_string_equal(name_in(image_at(s, path, old, NULL)), "old");
	assert_string_equal(name_in(image_at(s, path, id_of(path), NULL)), "new");
}

static void two_files_of_one_path_are_two_images_unless_their_build_is_known(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_here(NULL);
	const struct file_id a = { 8, 1, 6, 0 }, b = { 8, 1, 7, 0 }, a_again = { 8, 1, 6, 5 };

	(void)state;
	assert_ptr_not_equal(image_at(s, "/bin/x", a, NULL), image_at(s, "/bin/x", b, NULL));
	assert_ptr_equal(image_at(s, "/bin/x", a, NULL), image_at(s, "/bin/x", a_again, NULL));
	assert_ptr_equal(image_at(s, "/bin/x", a, "abc"), image_at(s, "/bin/x", b, "abc"));
	assert_int_equal(image_file_id(image_at(s, "/bin/x", b, NULL))->ino, 7);
}

#define scratch_test(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(a_file_that_was_replaced_gives_no_names),
		scratch_test(a_file_that_was_written_to_since_gives_no_names),
		scratch_test(a_file_with_the_recorded_build_id_gives_names_whatever_its_inode),
		scratch_test(inodes_of_another_machine_tell_nothing),
		scratch_test(a_device_may_have_another_number_by_now_but_not_while_recording),
		scratch_test(what_the_recorder_keeps_has_names),
		cmocka_unit_test(two_files_of_one_path_are_two_images_unless_their_build_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
