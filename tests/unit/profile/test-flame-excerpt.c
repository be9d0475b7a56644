/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/flame-excerpt.h"

static void add(struct flame_builder *b, const char *names, uint64_t weight)
{
	_cleanup_(freep) char *copy = xstrdup(names);
	char *rest = copy, *name;
	uint32_t box = 0;

	while ((name = strsep(&rest, ";")))
		box = flame_builder_box(b, box, flame_builder_text(b, name),
					flame_builder_text(b, name[0] == 'l' ? "libl" : "prog"),
					FLAME_USER);
	flame_builder_weigh(b, box, FLAME_AFTER, weight);
	flame_builder_weigh(b, box, FLAME_BEFORE, 1);
}

static struct flame *example(void)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");

	add(b, "main;lib;x", 10);
	add(b, "main;other;lib;x", 20);
	add(b, "main;other;lib;x;lib;y", 5);
	add(b, "main;other", 100);
	return flame_builder_finish(b, false);
}

/* Returns "name total/samples" of all boxes, with their depths. */
static char *text_of(const struct flame *f)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < f->n; i++)
		text_addf(&t, "%u%s=%u/%u ", f->boxes[i].depth, f->boxes[i].name,
			  (unsigned)f->boxes[i].value[FLAME_AFTER].total,
			  (unsigned)f->boxes[i].value[FLAME_BEFORE].total);
	return text_take(&t);
}

static void assert_part(const struct flame_excerpt *part, const char *wanted)
{
	_cleanup_(flame_freep) struct flame *f = example();
	_cleanup_(flame_freep) struct flame *got = flame_excerpt_new(f, part);
	_cleanup_(freep) char *text = text_of(got);

	assert_string_equal(text, wanted);
}

static void boxes_of_a_name_are_put_together(void **state)
{
	(void)state;
	assert_part(&(struct flame_excerpt){ .name = "x" }, "0all=35/3 1x=35/3 2lib=5/1 3y=5/1 ");
}

static void the_outermost_counts(void **state)
{
	(void)state;
	assert_part(&(struct flame_excerpt){ .name = "lib" },
		    "0all=35/3 1lib=35/3 2x=35/3 3lib=5/1 4y=5/1 ");
}

static void images_have_several_boxes(void **state)
{
	(void)state;
	assert_part(&(struct flame_excerpt){ .name = "lib", .object = "libl" },
		    "0all=35/3 1lib=35/3 2x=35/3 3lib=5/1 4y=5/1 ");
	assert_part(&(struct flame_excerpt){ .object = "libl" },
		    "0all=35/3 1lib=35/3 2x=35/3 3lib=5/1 4y=5/1 ");
	assert_part(&(struct flame_excerpt){ .name = "lib", .object = "prog" }, "0all=0/0 ");
}

static void a_name_that_is_nowhere_leaves_nothing(void **state)
{
	(void)state;
	assert_part(&(struct flame_excerpt){ .name = "nobody" }, "0all=0/0 ");
}

static void the_first_box_is_no_function(void **state)
{
	(void)state;
	assert_part(&(struct flame_excerpt){ .name = "all" }, "0all=0/0 ");
}

static void stacks_through_a_box_keep_what_it_stands_on(void **state)
{
	_cleanup_(flame_freep) struct flame *f = example();
	_cleanup_(flame_freep) struct flame *got = NULL, *all = NULL;
	_cleanup_(freep) char *text = NULL, *before = text_of(f), *after = NULL;
	uint32_t box = 0;

	(void)state;
	while (strcmp(f->boxes[box].name, "other"))
		box++;
	got = flame_excerpt_through(f, box + 1);
	text = text_of(got);
	assert_string_equal(text, "0all=25/2 1main=25/2 2other=25/2 3lib=25/2 4x=25/2 5lib=5/1 "
				  "6y=5/1 ");
	all = flame_excerpt_through(f, 0);
	after = text_of(all);
	assert_string_equal(after, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_of_a_name_are_put_together),
		cmocka_unit_test(the_outermost_counts),
		cmocka_unit_test(images_have_several_boxes),
		cmocka_unit_test(a_name_that_is_nowhere_leaves_nothing),
		cmocka_unit_test(the_first_box_is_no_function),
		cmocka_unit_test(stacks_through_a_box_keep_what_it_stands_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
