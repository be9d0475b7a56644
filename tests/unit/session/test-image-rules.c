/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/leaf-elf.h"
#include "dwarf/unwind/cfi-rules.h"
#include "session/image-rules.h"
#include "symbol/symbolizer.h"

struct stage {
	struct symbolizer *symbolizer;
	struct image_rules *rules;
	struct image *image;
	uint64_t text;
	int program;
};

static int set_up(void **state)
{
	static struct built_elf built;
	static struct stage g;
	char path[32];

	g.text = leaf_elf_build(&built, ".eh_frame");
	g.program = memfd_create("program", MFD_CLOEXEC);
	assert_int_equal(write(g.program, built.bytes, built.size), built.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", g.program);
	g.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	g.image = symbolizer_image(g.symbolizer,
				   &(struct image_key){ .kind = IMAGE_USER, .name = path });
	g.rules = image_rules_new(2);
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	image_rules_free(g->rules);
	symbolizer_free(g->symbolizer);
	close(g->program);
	return 0;
}

static void an_image_has_the_rules_of_its_file(void **state)
{
	struct stage *g = *state;
	struct cfi_rules *r = image_rules_get(g->rules, g->image, &arch_x86_64);

	assert_non_null(r);
	assert_ptr_equal(cfi_rules_arch(r), &arch_aarch64); /* the file knows */
	assert_ptr_equal(r, image_rules_get(g->rules, g->image, &arch_x86_64));
	assert_int_equal(image_rules_find(g->rules, g->image, r, g->text + LEAF_CALLS)->ra,
			 UNWIND_AT_CFA);
	/* There is no debug file that could describe the stub. */
	assert_int_equal(image_rules_find(g->rules, g->image, r, g->text + LEAF_STUB)->ra,
			 UNWIND_OTHER);
}

static bool keeps_nothing(void *arg, const struct image *im)
{
	(void)im;
	++*(unsigned *)arg;
	return false;
}

static bool keeps_all(void *arg, const struct image *im)
{
	(void)arg, (void)im;
	return true;
}

static void rules_are_kept_as_long_as_they_are_used_or_wanted(void **state)
{
	struct stage *g = *state;
	unsigned asked = 0;

	assert_non_null(image_rules_get(g->rules, g->image, &arch_aarch64));
	image_rules_forget(g->rules, keeps_nothing, &asked); /* they were used */
	assert_true(image_rules_has(g->rules, g->image));
	image_rules_forget(g->rules, keeps_all, NULL);
	assert_true(image_rules_has(g->rules, g->image));
	image_rules_forget(g->rules, keeps_nothing, &asked);
	assert_false(image_rules_has(g->rules, g->image));
	assert_int_equal(asked, 1);
	assert_non_null(image_rules_get(g->rules, g->image, &arch_aarch64));
	assert_true(image_rules_has(g->rules, g->image));
}

static void what_has_no_file_has_no_rules(void **state)
{
	static const struct image_key keys[] = {
		{ .kind = IMAGE_JIT, .name = "//anon", .pid = 7 },
		{ .kind = IMAGE_USER, .name = "/does/not/exist" },
		{ .kind = IMAGE_UNKNOWN, .name = "[heap]" },
	};
	struct stage *g = *state;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct image *im = symbolizer_image(g->symbolizer, &keys[i]);

		assert_null(image_rules_get(g->rules, im, &arch_aarch64));
		assert_null(image_rules_get(g->rules, im, &arch_aarch64));
	}
}

/* As with a process in a container, whose file the recorder reaches through another process. */
static void a_file_that_is_found_later_is_read_then(void **state)
{
	struct stage *g = *state;
	_cleanup_(freep) char *path = xasprintf("/tmp/perf-test-rules-%d", (int)getpid());
	_cleanup_(freep) char *program = xasprintf("/proc/self/fd/%d", g->program);
	const struct image_key key = { .kind = IMAGE_USER, .name = path };
	struct image *im = symbolizer_image(g->symbolizer, &key);

	unlink(path);
	assert_null(image_rules_get(g->rules, im, &arch_aarch64));
	assert_int_equal(symlink(program, path), 0);
	assert_non_null(image_rules_get(g->rules, im, &arch_aarch64));
	unlink(path);
}

static void jit_code_is_of_the_machine_that_is_told(void **state)
{
	struct stage *g = *state;
	struct image *im = symbolizer_image(
		g->symbolizer,
		&(struct image_key){ .kind = IMAGE_JITDUMP, .name = "/x/jit-7.dump", .pid = 7 });
	struct cfi_rules *r = image_rules_get(g->rules, im, &arch_x86_64);

	assert_ptr_equal(cfi_rules_arch(r), &arch_x86_64);
	assert_int_equal(image_rules_find(g->rules, im, r, 0x1000)->ra, UNWIND_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(an_image_has_the_rules_of_its_file),
		TEST(rules_are_kept_as_long_as_they_are_used_or_wanted),
		TEST(what_has_no_file_has_no_rules),
		TEST(a_file_that_is_found_later_is_read_then),
		TEST(jit_code_is_of_the_machine_that_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
