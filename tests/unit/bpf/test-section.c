/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/cleanup.h"
#include "bpf/section.h"

static struct bpf_section section_of(const char *text)
{
	struct bpf_section s;
	struct diag diag = { 0 };

	assert_int_equal(bpf_section_parse(text, &s, &diag), 0);
	diag_done(&diag);
	return s;
}

static void old_sections_are_probes_and_tracepoints(void **state)
{
	struct bpf_section s = section_of("func=kmem_cache_alloc");

	(void)state;
	assert_int_equal(s.place, BPF_PLACE_PROBE);
	assert_string_equal(s.definition, "func=kmem_cache_alloc");
	assert_null(s.program);
	bpf_section_done(&s);

	s = section_of("sched:sched_switch");
	assert_int_equal(s.place, BPF_PLACE_TRACEPOINT);
	assert_string_equal(s.event, "sched:sched_switch");
	bpf_section_done(&s);
}

static void settings_stand_before_the_probe(void **state)
{
	struct bpf_section s = section_of("exec=/usr/bin/x;inlines=no\nmain_entry=main argc");

	(void)state;
	assert_string_equal(s.program, "/usr/bin/x");
	assert_string_equal(s.definition, "main_entry=main argc");
	assert_true(s.no_inlines);
	bpf_section_done(&s);

	s = section_of("module=ext4;w=ext4_write_begin:3 pos");
	assert_string_equal(s.module, "ext4");
	assert_string_equal(s.definition, "w=ext4_write_begin:3 pos");
	assert_false(s.no_inlines);
	bpf_section_done(&s);

	/* A pattern of source lines also follows a ';', and belongs to the definition. */
	s = section_of("a=vfs_read;if*");
	assert_string_equal(s.definition, "a=vfs_read;if*");
	bpf_section_done(&s);
}

static void sections_of_libbpf_are_known(void **state)
{
	static const struct {
		const char *text;
		enum bpf_place place;
		const char *event, *definition, *program;
	} cases[] = {
		{ "tp/sched/sched_switch", BPF_PLACE_TRACEPOINT, "sched:sched_switch", NULL, NULL },
		{ "?tracepoint/a/b", BPF_PLACE_TRACEPOINT, "a:b", NULL, NULL },
		{ "kprobe/vfs_read+0x4", BPF_PLACE_PROBE, NULL, "vfs_read+0x4", NULL },
		{ "kretprobe/vfs_read", BPF_PLACE_PROBE, NULL, "vfs_read%return", NULL },
		{ "uprobe//bin/sh:main", BPF_PLACE_PROBE, NULL, "main", "/bin/sh" },
		{ "uretprobe/libc:malloc", BPF_PLACE_PROBE, NULL, "malloc%return", "libc" },
		{ "raw_tp/sched_switch", BPF_PLACE_OWN, NULL, NULL, NULL },
		{ "fentry/vfs_read", BPF_PLACE_OWN, NULL, NULL, NULL },
		{ "xdp", BPF_PLACE_OWN, NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpf_section s = section_of(cases[i].text);

		assert_int_equal(s.place, cases[i].place);
		if (cases[i].event)
			assert_string_equal(s.event, cases[i].event);
		if (cases[i].definition)
			assert_string_equal(s.definition, cases[i].definition);
		if (cases[i].program)
			assert_string_equal(s.program, cases[i].program);
		bpf_section_done(&s);
	}
}

static void what_is_incomplete_is_marked(void **state)
{
	static const char *const texts[] = { "tp/sched",  "tp//x",   "tp/a/",        "tp/a/b/c",
					     "uprobe/sh", "kprobe/", "exec=/bin/sh;" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct bpf_section s = { .place = 77 };
		struct diag diag = { 0 };

		assert_int_equal(bpf_section_parse(texts[i], &s, &diag), -EINVAL);
		assert_non_null(diag.excerpt);
		assert_int_equal(s.place, 77);
		diag_done(&diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_sections_are_probes_and_tracepoints),
		cmocka_unit_test(settings_stand_before_the_probe),
		cmocka_unit_test(sections_of_libbpf_are_known),
		cmocka_unit_test(what_is_incomplete_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
