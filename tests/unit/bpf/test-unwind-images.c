/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "bpf/unwind-images.h"
#include "elf/built-elf.h"
#include "kernel/proc-maps.h"

#define ROWS   (1 << 20)
#define CHUNKS (1 << 12)

/* Memory as that of the maps in the kernel. */
static void begin(struct unwind_images *u, size_t rows, size_t chunks)
{
	*u = (struct unwind_images){ .maps = {
					     .rows = xcalloc(rows, sizeof(uint32_t)),
					     .rules = xcalloc(FLAT_RULES_MAX,
							      sizeof(struct flat_rule)),
					     .chunks = xcalloc(chunks, sizeof(struct unwind_chunk)),
					     .rows_max = rows,
					     .chunks_max = chunks,
				     } };
}

static void end(struct unwind_images *u)
{
	unwind_images_done(u);
	free(u->maps.rows);
	free(u->maps.rules);
	free(u->maps.chunks);
}

/* Our own map of code whose name is, or ends with, @name. */
static struct proc_map map_of(const char *name, char **text)
{
	struct proc_map m = { 0 };
	const char *at;
	size_t length, n = strlen(name);

	assert_int_equal(file_read(-100, "/proc/self/maps", 1 << 20, text, &length), 0);
	at = *text;
	while (proc_maps_next(&at, &length, &m))
		if (m.prot & 4 && m.name_length >= n &&
		    !memcmp(m.name + m.name_length - n, name, n))
			return m;
	fail();
	return m;
}

static void a_file_is_loaded_chunk_by_chunk(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of("test-unwind-images", &text);
	struct unwind_images u;
	uint32_t first, n, chunk;
	int error;

	(void)state;
	begin(&u, ROWS, CHUNKS);

	struct unwind_image *im = unwind_images_find(&u, getpid(), &m, &error);

	assert_non_null(im);
	assert_ptr_equal(unwind_images_find(&u, getpid(), &m, &error), im);
	unwind_image_chunks(im, &first, &n);
	assert_true(n > 0);
	chunk = first +
		(uint32_t)(((uintptr_t)a_file_is_loaded_chunk_by_chunk - m.start + m.pgoff) /
			   FLAT_CHUNK_SIZE);
	assert_true(chunk < first + n);
	assert_int_equal(unwind_images_load(&u, chunk, FLAT_CALLERS), 0);
	assert_int_equal(u.maps.chunks[chunk].tables[FLAT_CALLERS].state, UNWIND_LOADED);
	assert_true(u.maps.chunks[chunk].tables[FLAT_CALLERS].n > 1);
	assert_int_equal(u.maps.chunks[chunk].tables[FLAT_RUNNING].state, UNWIND_UNLOADED);
	while (unwind_images_fill(&u) > 0)
		;
	assert_int_equal(u.n_wanted, 0);
	unwind_images_empty(&u);
	assert_int_equal(u.maps.chunks[chunk].tables[FLAT_CALLERS].state, UNWIND_UNLOADED);
	end(&u);
}

static void full_tables_are_told(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of("test-unwind-images", &text);
	uint64_t here = (uintptr_t)full_tables_are_told - m.start + m.pgoff;
	struct unwind_images u;
	int error = 0;

	(void)state;
	begin(&u, 1, 1);
	assert_null(unwind_images_find(&u, getpid(), &m, &error));
	assert_int_equal(error, -ENOSPC);
	end(&u);
	begin(&u, 1, CHUNKS);
	assert_non_null(unwind_images_find(&u, getpid(), &m, &error));
	/* A piece of code with several functions. */
	assert_int_equal(unwind_images_load(&u, (uint32_t)(here / FLAT_CHUNK_SIZE), FLAT_CALLERS),
			 -ENOSPC);
	end(&u);
}

static void the_vdso_and_what_is_no_file(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of("[vdso]", &text);
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, ROWS, CHUNKS);
	assert_non_null(unwind_images_find(&u, getpid(), &m, &error));
	m.name_length = 0;
	assert_null(unwind_images_find(&u, getpid(), &m, &error));
	assert_int_equal(error, 0);
	/* Chunks that nobody has. */
	assert_int_equal(unwind_images_load(&u, CHUNKS - 1, FLAT_CALLERS), 0);
	assert_int_equal(unwind_images_load(&u, 0, FLAT_TABLES), 0);
	end(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_loaded_chunk_by_chunk),
		cmocka_unit_test(full_tables_are_told),
		cmocka_unit_test(the_vdso_and_what_is_no_file),
	};

	return HAVE_LIBELF ? cmocka_run_group_tests(tests, NULL, NULL) : built_skip();
}
