/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/memory.h"
#include "kernel/kernel-text.h"

/* The modules that are loaded; NULL: those of this machine. */
static const struct kernel_module *loaded;
static int loaded_error;

static int modules_made(const char *root, const char *release, struct kernel_module_list *ret)
{
	if (!loaded)
		return kernel_modules_read(root, release, ret);
	assert_string_equal(root, "");
	assert_true(*release);
	for (const struct kernel_module *m = loaded; m->name; m++)
		*ARRAY_ADD(ret) = (struct kernel_module){ .name = xstrdup(m->name),
							  .path = m->path ? xstrdup(m->path)
									  : NULL };
	return loaded_error;
}

#define kernel_modules_read modules_made
#include "probe/target-module.c"
#undef kernel_modules_read

#include "target-opening.h"

/* Checks that the module in the file @file, with .modinfo, is called @name. */
static void is_called(const char *dir, const char *file, const char *modinfo, size_t size,
		      const char *name)
{
	_cleanup_(freep) char *path = scratch_path(dir, file);

	small_elf(path, EM_X86_64, ET_REL, modinfo, size);

	struct probe_target *t = opened((struct probe_target_options){ .module = path });

	assert_int_equal(t->kind, PROBE_MODULE);
	assert_string_equal(t->name, name);
	assert_string_equal(t->file, path);
	assert_ptr_equal(t->arch, &arch_x86_64);
	assert_int_equal(t->id.size, 20);
	assert_false(t->is_loaded);
	assert_non_null(t->image);
	probe_target_free(t);
}

static void a_file_gives_its_name(void **state)
{
	is_called(*state, "dm-region-hash.ko", NULL, 0, "dm_region_hash");
	is_called(*state, "some.ko.debug", NULL, 0, "some");
	is_called(*state, "dir.x/a-b-c", NULL, 0, "a_b_c");
}

static void the_module_itself_knows_better(void **state)
{
	static const char info[] = "license=GPL\0name=real_name\0name=other";
	static const char cut[] = { 'n', 'a', 'm', 'e', '=', 'x', 'y' };

	is_called(*state, "other-name.ko", info, sizeof(info), "real_name");
	is_called(*state, "other-name.ko", cut, sizeof(cut), "xy");
	is_called(*state, "other-name.ko", cut, 6, "x");
	is_called(*state, "other-name.ko", cut, 5, "other_name");
	is_called(*state, "other-name.ko", "a\0b", 4, "other_name");
}

/* The kernel's names have up to 55 characters. */
static void names_that_are_too_long_are_no_names(void **state)
{
	char info[80] = "name=", name[80];

	memset(info + 5, 'x', 58);
	memcpy(name, info + 5, 59);
	is_called(*state, "short.ko", info, sizeof(info), name);
	info[63] = 'x';
	is_called(*state, "short.ko", info, sizeof(info), "short");
}

static void what_is_no_module_is_refused(void **state)
{
	_cleanup_(freep) char *text = scratch_path(*state, "text.ko");
	_cleanup_(freep) char *missing = scratch_path(*state, "missing");
	_cleanup_(freep) char *no_elf =
		xasprintf("cannot read the module '%s': it is not an ELF file", text);
	_cleanup_(freep) char *no_file =
		xasprintf("cannot read the module '%s': No such file or directory", missing);

	scratch_write(text, "no ELF file, but long enough to have its header, if it had one: "
			    "1234567890");
	not_opened((struct probe_target_options){ .module = text }, -ENOEXEC, no_elf, NULL);
	not_opened((struct probe_target_options){ .module = missing }, -ENOENT, no_file, NULL);
	not_opened((struct probe_target_options){ .module = "missing.ko" }, -ENOENT,
		   "cannot read the module 'missing.ko': No such file or directory", NULL);
}

static void a_module_that_is_not_loaded_is_said_to_be(void **state)
{
	(void)state;
	not_opened((struct probe_target_options){ .module = "no-such" }, -ENOENT,
		   "no module 'no-such' is loaded",
		   "Load it (modprobe no-such), or name its file: -m /lib/modules/.../no-such.ko");
}

static struct probe_target *probe_target_of(const char *module)
{
	struct probe_target *t = NULL;
	struct diag diag = { 0 };

	assert_int_equal(
		probe_target_open(&(struct probe_target_options){ .module = module }, &t, &diag),
		0);
	diag_done(&diag);
	return t;
}

static void a_loaded_module_is_found_by_its_name(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "wanted.ko");
	_cleanup_(freep) char *broken = scratch_path(*state, "broken.ko");
	const struct kernel_module all[] = { { .name = (char *)"first" },
					     { .name = (char *)"wanted_one", .path = path },
					     { .name = (char *)"without_file" },
					     { .name = (char *)"broken", .path = broken },
					     { 0 } };
	struct probe_target *t;

	small_elf(path, EM_X86_64, ET_REL, "name=other", 11);
	scratch_write(broken, "no ELF file, but long enough to have its header, if it had one: "
			      "1234567890");
	loaded = all;
	/* The name is written as the kernel writes it; the name in the file does not matter. */
	t = opened((struct probe_target_options){ .module = "wanted-one" });
	assert_string_equal(t->name, "wanted_one");
	assert_string_equal(t->file, path);
	assert_true(t->is_loaded);
	assert_ptr_equal(t->arch, &arch_x86_64);
	assert_int_equal(t->id.size, 20);
	assert_non_null(t->image);
	probe_target_free(t);
	t = opened((struct probe_target_options){ .module = "without_file" });
	assert_true(t->is_loaded);
	assert_null(t->file);
	assert_null(t->elf);
	assert_non_null(t->image);
	probe_target_free(t);
	/* A file that cannot be read is not needed, because the module is loaded. */
	t = probe_target_of("broken");
	assert_true(t->is_loaded);
	assert_null(t->elf);
	probe_target_free(t);
	not_opened((struct probe_target_options){ .module = "wanted" }, -ENOENT,
		   "no module 'wanted' is loaded",
		   "Load it (modprobe wanted), or name its file: -m /lib/modules/.../wanted.ko");
	loaded_error = -EACCES;
	not_opened((struct probe_target_options){ .module = "first" }, -ENOENT,
		   "no module 'first' is loaded",
		   "Load it (modprobe first), or name its file: -m /lib/modules/.../first.ko");
	loaded_error = 0;
	loaded = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(a_file_gives_its_name),
		SCRATCH_TEST(the_module_itself_knows_better),
		SCRATCH_TEST(names_that_are_too_long_are_no_names),
		SCRATCH_TEST(what_is_no_module_is_refused),
		cmocka_unit_test(a_module_that_is_not_loaded_is_said_to_be),
		SCRATCH_TEST(a_loaded_module_is_found_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
