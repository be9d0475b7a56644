/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "scratch-folder.h"
#include "tools/archive/unpack-work.h"

static size_t n_notes;

static void count_note(void *arg, const struct note *note)
{
	(void)arg, (void)note;
	n_notes++;
}

/* Packs all that @script puts into the folder "in" into x.tar, and unpacks it in "out". */
static int unpack(const char *script, bool replaces)
{
	_cleanup_(freep) char *line =
		xasprintf("mkdir -p in out cache && cd in && %s && tar cf ../x.tar "
			  "$(ls -A)",
			  script);
	struct notes notes = { .listener = count_note };
	const struct archive_unpacking u = { .buildid_dir = "../cache",
					     .replaces = replaces,
					     .notes = &notes };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r;

	n_notes = 0;
	assert_int_equal(system(line), 0);
	assert_int_equal(chdir("out"), 0);
	r = archive_unpack_all(&u, "../x.tar", &d);
	assert_int_equal(r < 0, d.message != NULL);
	assert_int_equal(chdir(".."), 0);
	return r;
}

static void a_recording_comes_out(void **state)
{
	(void)state;
	assert_int_equal(unpack("echo PERFILE2 >perf.data && mkdir perf.data.dir && "
				"echo PERFILE2 >perf.data.dir/data && echo >perf.data.dir/data.0",
				false),
			 0);
	assert_int_equal(access("out/perf.data", F_OK), 0);
	assert_int_equal(access("out/perf.data.dir/data.0", F_OK), 0);
	assert_int_equal(n_notes, 0);
	/* No temporary files of the unpacking are left. */
	assert_int_equal(system("test $(ls -A out | wc -l) = 2"), 0);
}

static void nothing_else_does(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(
		unpack("echo evil >.bashrc && echo PERFILE2 >.profile && "
		       "echo no >perf.data.x && mkdir perf.data.y && echo >perf.data.y/run && "
		       "ln -s /etc/passwd perf.data.link && mkfifo perf.data.fifo && "
		       "echo PERFILE2 >perf.data.suid && chmod 6777 perf.data.suid && "
		       "echo PERFILE2 >perf.data.a && ln perf.data.a perf.data.b",
		       false),
		0);
	/* One of the two names of a file is left. */
	assert_int_equal(system("test \"$(ls -A out | sed 's/[ab]$/a/')\" = \"$(printf "
				"'perf.data.a\\nperf.data.suid')\""),
			 0);
	assert_int_equal(stat("out/perf.data.suid", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_true(n_notes > 3);
}

static void nothing_is_overwritten_unless_asked(void **state)
{
	_cleanup_(freep) char *text = NULL;

	(void)state;
	assert_int_equal(mkdir("out", 0755), 0);
	assert_int_equal(output_file_replace("out/perf.data", "mine", 4, 0600), 0);
	assert_int_equal(unpack("echo PERFILE2 >perf.data", false), -EEXIST);
	assert_int_equal(file_read_line(-100, "out/perf.data", &text), 0);
	assert_string_equal(text, "mine");
	assert_int_equal(unpack("echo PERFILE2 >perf.data", true), 0);
	assert_int_equal(system("grep -q PERFILE2 out/perf.data"), 0);
}

static void images_are_what_their_build_id_says(void **state)
{
	_cleanup_(freep) char *line = NULL;

	(void)state;
	/*
	 * A program under the id of another build, a link that leads out of the cache, and a list.
	 */
	assert_int_equal(
		unpack("mkdir -p sym/.build-id/ab sym/.build-id/cd sym/.build-id/ef "
		       "sym/bin/x/abcdef "
		       "'sym/[kernel.kallsyms]/efef' && cp /proc/self/exe sym/bin/x/abcdef/elf && "
		       "ln -s ../../bin/x/abcdef sym/.build-id/ab/cdef && "
		       "ln -s ../../../../etc/cdcd sym/.build-id/cd/cd && "
		       "echo '0 T _text' >'sym/[kernel.kallsyms]/efef/kallsyms' && "
		       "ln -s '../../[kernel.kallsyms]/efef' sym/.build-id/ef/ef && "
		       "tar cf perf.symbols.tar.x -C sym .build-id bin '[kernel.kallsyms]' && "
		       "rm -r sym && echo PERFILE2 >perf.data",
		       false),
		0);
	assert_int_not_equal(access("cache/bin", F_OK), 0);
	assert_int_not_equal(access("cache/.build-id/ab/cdef", F_OK), 0);
	assert_int_not_equal(access("cache/.build-id/cd/cd", F_OK), 0);
	assert_int_equal(access("cache/.build-id/ef/ef/kallsyms", F_OK), 0);
	assert_int_equal(n_notes, 1);
}

static void an_archive_without_images_is_told(void **state)
{
	(void)state;
	assert_int_equal(unpack("mkdir sym && echo >sym/x && tar cf perf.symbols.tar.x -C sym x && "
				"rm -r sym",
				false),
			 0);
	assert_int_equal(n_notes, 1);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_recording_comes_out),
		IN_FOLDER(nothing_else_does),
		IN_FOLDER(nothing_is_overwritten_unless_asked),
		IN_FOLDER(images_are_what_their_build_id_says),
		IN_FOLDER(an_archive_without_images_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
