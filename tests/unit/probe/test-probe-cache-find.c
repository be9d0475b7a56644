/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "marked-program.h"
#include "probe/probe-cache.h"
#include "symbol/buildid/cache.h"
#include "symbol/scratch.h"

struct fixture {
	char *path, *dir;
	unsigned at; /* offset of the first marker */
	struct trace_probes found;
	struct diag diag;
};

static void begin(struct fixture *f, const char *dir)
{
	*f = (struct fixture){ .path = scratch_path(dir, "program"),
			       .dir = scratch_path(dir, "cache") };
	f->at = marked_program(f->path, 1);
	assert_true(f->at);
}

static void end(struct fixture *f)
{
	trace_probes_done(&f->found);
	diag_done(&f->diag);
	free(f->path);
	free(f->dir);
}

/* Caches a probe called probe_x:@event at @offset of the program @path. */
static void keep(struct fixture *f, const char *event, uint64_t offset, const char *path)
{
	struct build_id own = marked_id(1);
	struct trace_probe p = { .group = (char *)"probe_x",
				 .event = (char *)event,
				 .is_user = true,
				 .path = (char *)path,
				 .offset = offset };

	assert_int_equal(probe_cache_store(f->dir, path, &own, event, &p, 1, &f->diag), 0);
}

/* Replaces the cached probes of the program by @text. */
static void keep_text(struct fixture *f, const char *text)
{
	struct build_id own = marked_id(1);

	keep(f, "work", 0x80, f->path);

	_cleanup_(freep) char *kept = buildid_cache_find(f->dir, &own, "probes");

	assert_non_null(kept);
	scratch_write(kept, text);
}

static void finds(struct fixture *f, const char *dir, const char *program, const char *pattern,
		  const char *expected)
{
	struct text t = TEXT_EMPTY;

	trace_probes_done(&f->found);
	f->found = (struct trace_probes){ 0 };
	if (probe_cache_find(dir, program, pattern, &f->found, &f->diag) != 0)
		fail_msg("%s: %s", pattern, f->diag.message);
	for (size_t i = 0; i < f->found.n; i++)
		text_addf(&t, "%s%s:%s+0x%llx", i ? " " : "", f->found.items[i].group,
			  f->found.items[i].event,
			  (unsigned long long)f->found.items[i].offset - f->at);
	assert_string_equal(t.chars, expected);
	text_done(&t);
}

static void finds_nothing(struct fixture *f, const char *dir, const char *program,
			  const char *pattern, const char *message, const char *hint)
{
	size_t before = f->found.n;

	assert_int_equal(probe_cache_find(dir, program, pattern, &f->found, &f->diag), -ENOENT);
	assert_int_equal(f->found.n, before);
	assert_string_equal(f->diag.message, message);
	assert_string_equal(f->diag.hint, hint);
}

static void a_program_has_its_markers_with_and_without_a_cache(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, NULL, f.path, "tock", "sdt_app:tock+0x4");
	finds(&f, NULL, f.path, "sdt_app:tick", "sdt_app:tick+0x0 sdt_app:tick+0x8");
	finds(&f, f.dir, f.path, "t?ck", "sdt_app:tick+0x0 sdt_app:tick+0x8 sdt_app:tock+0x4");
	assert_string_equal(f.found.items[0].path, f.path);
	assert_true(f.found.items[0].is_user);
	assert_int_equal(f.found.items[0].n_args, 2);
	end(&f);
}

/* Otherwise each of them would be found twice. */
static void markers_of_a_program_are_not_taken_from_the_cache_too(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, f.dir, f.path, "tock", "sdt_app:tock+0x4");
	finds(&f, f.dir, f.path, "tock", "sdt_app:tock+0x4");
	finds(&f, f.dir, NULL, "tock", "sdt_app:tock+0x4");
	end(&f);
}

static void what_is_found_is_added_to_what_is_there(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds(&f, NULL, f.path, "tock", "sdt_app:tock+0x4");
	assert_int_equal(probe_cache_find(NULL, f.path, "tick", &f.found, &f.diag), 0);
	assert_int_equal(f.found.n, 3);
	assert_string_equal(f.found.items[0].event, "tock");
	assert_int_equal(probe_cache_find(NULL, f.path, "none", &f.found, &f.diag), -ENOENT);
	assert_int_equal(f.found.n, 3);
	end(&f);
}

static void a_link_is_the_program_it_leads_to(void **state)
{
	_cleanup_(freep) char *link = scratch_path(*state, "link");
	struct fixture f;

	begin(&f, *state);
	assert_int_equal(symlink(f.path, link), 0);
	finds(&f, NULL, link, "tock", "sdt_app:tock+0x4");
	assert_string_equal(f.found.items[0].path, f.path);
	end(&f);
}

static void kept_probes_of_a_program_are_found_beside_its_markers(void **state)
{
	struct fixture f;

	begin(&f, *state);
	keep(&f, "work", f.at + 0x80, f.path);
	finds(&f, f.dir, f.path, "work", "probe_x:work+0x80");
	finds(&f, f.dir, f.path, "*:*o*k", "sdt_app:tock+0x4 probe_x:work+0x80");
	finds(&f, f.dir, NULL, "work", "probe_x:work+0x80");
	finds_nothing(&f, NULL, NULL, "work",
		      "no marker 'work' is known, as the cache is turned off",
		      "'perf buildid-cache --add PROGRAM' adds the markers of a program; "
		      "'perf list sdt' lists them.");
	end(&f);
}

/* The same build at another path is another program. */
static void places_in_other_programs_are_left_out(void **state)
{
	_cleanup_(freep) char *other = scratch_path(*state, "other");
	_cleanup_(freep) char *hint = NULL;
	struct fixture f;

	begin(&f, *state);
	marked_program(other, 1);
	keep(&f, "work", f.at + 0x80, other);
	hint = xasprintf("Markers are those of its section .note.stapsdt: readelf -n %s", f.path);

	_cleanup_(freep) char *message = xasprintf("'%s' has no marker 'work'", f.path);

	finds_nothing(&f, f.dir, f.path, "work", message, hint);
	finds(&f, f.dir, other, "work", "probe_x:work+0x80");
	end(&f);
}

static void all_places_and_all_images_are_looked_at(void **state)
{
	_cleanup_(freep) char *other = scratch_path(*state, "other");
	struct fixture f;

	begin(&f, *state);

	_cleanup_(freep) char *text = xasprintf("#work\np:probe_x/work %s:0x%x\n"
						"p:probe_x/work %s:0x%x\n",
						other, f.at, f.path, f.at + 16);

	keep_text(&f, text);
	finds(&f, f.dir, f.path, "work", "probe_x:work+0x10");
	marked_program(other, 2);
	finds(&f, f.dir, other, "tock", "sdt_app:tock+0x4");
	finds(&f, f.dir, f.path, "tock", "sdt_app:tock+0x4");
	keep_text(&f, "%sdt_app:tock=tock\np:sdt_app/tock /none:0x4\n");
	finds(&f, f.dir, NULL, "tock", "sdt_app:tock+0x4");
	assert_string_equal(f.found.items[0].path, other);
	end(&f);
}

static void probes_of_the_kernel_are_none_of_a_program(void **state)
{
	struct fixture f;

	begin(&f, *state);
	keep_text(&f, "#open\np:probe_x/open _text+16\n");
	assert_int_equal(probe_cache_find(f.dir, f.path, "open", &f.found, &f.diag), -ENOENT);
	assert_non_null(strstr(f.diag.message, "has no marker 'open'"));
	end(&f);
}

static void a_program_that_changed_is_named(void **state)
{
	struct fixture f;

	begin(&f, *state);
	keep(&f, "work", f.at + 0x80, f.path);
	assert_int_equal(unlink(f.path), 0);
	marked_program(f.path, 2);

	_cleanup_(freep) char *message =
		xasprintf("'%s' is no longer the one that 'work' was noted for", f.path);
	_cleanup_(freep) char *hint = xasprintf("Note what it has now: perf buildid-cache --add %s",
						f.path);

	finds_nothing(&f, f.dir, NULL, "work", message, hint);
	assert_int_equal(unlink(f.path), 0);
	finds_nothing(&f, f.dir, NULL, "work", message, hint);
	end(&f);
}

/* No kernel has such a build-id. */
static void a_kernel_that_changed_is_named(void **state)
{
	struct fixture f;

	begin(&f, *state);
	keep_text(&f, "#open\np:probe_x/open _text+16\n");
	finds_nothing(&f, f.dir, NULL, "open",
		      "'the kernel' is no longer the one that 'open' was noted for",
		      "Note what it has now: perf buildid-cache --add the kernel");
	keep_text(&f, "#open\np:probe_x/open no_such_module:open+16\n");
	finds_nothing(&f, f.dir, NULL, "open",
		      "'no_such_module' is no longer the one that 'open' was noted for",
		      "Note what it has now: perf buildid-cache --add no_such_module");
	/* The first one is named. */
	keep_text(&f, "#open\np:probe_x/open no_such_module:open+16\np:probe_x/open _text+16\n");
	finds_nothing(&f, f.dir, NULL, "open",
		      "'no_such_module' is no longer the one that 'open' was noted for",
		      "Note what it has now: perf buildid-cache --add no_such_module");
	end(&f);
}

static void similar_names_are_suggested(void **state)
{
	struct fixture f;

	begin(&f, *state);
	keep(&f, "work", f.at + 0x80, f.path);

	_cleanup_(freep) char *message = xasprintf("'%s' has no marker 'probe_x:wrok'", f.path);
	_cleanup_(freep) char *hint =
		xasprintf("Did you mean 'probe_x:work'?\nMarkers are those of its section "
			  ".note.stapsdt: readelf -n %s",
			  f.path);
	_cleanup_(freep) char *known = xasprintf("no marker or probe 'probe_x:wrok' is known in %s",
						 f.dir);

	finds_nothing(&f, f.dir, f.path, "probe_x:wrok", message, hint);
	finds_nothing(&f, f.dir, NULL, "probe_x:wrok", known,
		      "Did you mean 'probe_x:work'?\n'perf buildid-cache --add PROGRAM' adds the "
		      "markers of a program; 'perf list sdt' lists them.");
	end(&f);
}

static void a_program_that_is_not_there_has_no_markers(void **state)
{
	struct fixture f;

	begin(&f, *state);
	finds_nothing(&f, f.dir, "/no/such", "work", "'/no/such' has no marker 'work'",
		      "Markers are those of its section .note.stapsdt: readelf -n /no/such");
	end(&f);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_program_has_its_markers_with_and_without_a_cache),
		IN_SCRATCH(markers_of_a_program_are_not_taken_from_the_cache_too),
		IN_SCRATCH(what_is_found_is_added_to_what_is_there),
		IN_SCRATCH(a_link_is_the_program_it_leads_to),
		IN_SCRATCH(kept_probes_of_a_program_are_found_beside_its_markers),
		IN_SCRATCH(places_in_other_programs_are_left_out),
		IN_SCRATCH(all_places_and_all_images_are_looked_at),
		IN_SCRATCH(probes_of_the_kernel_are_none_of_a_program),
		IN_SCRATCH(a_program_that_changed_is_named),
		IN_SCRATCH(a_kernel_that_changed_is_named),
		IN_SCRATCH(similar_names_are_suggested),
		IN_SCRATCH(a_program_that_is_not_there_has_no_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
