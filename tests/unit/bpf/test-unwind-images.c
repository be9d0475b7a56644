/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The tests use internal functions, for images of sizes that no file has. */
#include "bpf/unwind-images.c"

#include "base/file.h"
#include "elf/built-elf.h"
#include "scratch-folder.h"
#include "skip.h"

#define ROWS   (1 << 20)
#define CHUNKS (1 << 12)

/* Allocates memory in the place of the maps in the kernel. */
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

/* Returns our own code mapping whose name is, or ends with, @name. */
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
	struct proc_map m = map_of(program_invocation_short_name, &text);
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
	struct proc_map m = map_of(program_invocation_short_name, &text);
	uint64_t here = (uintptr_t)full_tables_are_told - m.start + m.pgoff;
	struct unwind_images u;
	int error = 0;

	(void)state;
	begin(&u, ROWS, CHUNKS);
	u.n_chunks = CHUNKS;
	assert_null(unwind_images_find(&u, getpid(), &m, &error));
	assert_int_equal(error, -ENOSPC);
	unwind_images_empty(&u);
	assert_non_null(unwind_images_find(&u, getpid(), &m, &error));
	end(&u);
	begin(&u, 1, CHUNKS);
	assert_non_null(unwind_images_find(&u, getpid(), &m, &error));
	/* This piece of code has several functions. */
	assert_int_equal(unwind_images_load(&u, (uint32_t)(here / FLAT_CHUNK_SIZE), FLAT_CALLERS),
			 -ENOSPC);
	unwind_images_refuse(&u, (uint32_t)(here / FLAT_CHUNK_SIZE), FLAT_CALLERS);
	assert_int_equal(u.maps.chunks[here / FLAT_CHUNK_SIZE].tables[FLAT_CALLERS].first, 0);
	assert_int_equal(u.maps.chunks[here / FLAT_CHUNK_SIZE].tables[FLAT_CALLERS].n, 1);
	end(&u);
}

/* Such an image would evict the images of all others, again and again. */
static void an_image_that_wants_too_much_gets_nothing(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of(program_invocation_short_name, &text);
	struct unwind_images u;
	int error = -1;

	(void)state;
	begin(&u, 1, 1);
	assert_null(unwind_images_find(&u, getpid(), &m, &error));
	assert_int_equal(error, 0);
	end(&u);
}

/* Maps another copy of this program, as a file of another user. */
static void map_copy(const char *folder, unsigned nth)
{
	_cleanup_(freep) char *path = xasprintf("%s/copy%u", folder, nth);
	_cleanup_(freep) char *command = xasprintf("cp /proc/%d/exe %s", getpid(), path);
	int fd;

	assert_int_equal(system(command), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED);
	close(fd);
}

static void all_images_of_a_user_get_half_of_the_room(void **state)
{
	struct unwind_images u;
	uint32_t first, n = 0;
	int error;

	if (geteuid() != 0)
		skip_because("only root may do this");
	begin(&u, ROWS, CHUNKS);
	for (unsigned i = 0; i < 6; i++) {
		_cleanup_(freep) char *name = xasprintf("/copy%u", i), *text = NULL;
		struct unwind_image *im;

		map_copy(*state, i);

		struct proc_map m = map_of(name, &text);

		im = unwind_images_find(&u, getpid(), &m, &error);
		assert_int_equal(error, 0);
		if (i == 0) {
			assert_non_null(im);
			unwind_image_chunks(im, &first, &n);
			u.maps.chunks_max = 8 * (size_t)n;
		}
		assert_int_equal(im != NULL, i < 4);
	}
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
	assert_int_equal(u.n, 1);
	assert_ptr_equal(unwind_images_find(&u, getpid(), &m, &error), u.items[0]);
	assert_int_equal(u.n, 1);
	m.name_length = 0;
	assert_null(unwind_images_find(&u, getpid(), &m, &error));
	assert_int_equal(error, 0);
	/* No image has these chunks. */
	assert_int_equal(unwind_images_load(&u, CHUNKS - 1, FLAT_CALLERS), 0);
	assert_int_equal(unwind_images_load(&u, 0, FLAT_TABLES), 0);
	end(&u);
}

/* Adds an image of @size bytes, all of it code, for @machine. */
static struct unwind_image *add_made(struct unwind_images *u, uint64_t key, uint32_t uid,
				     uint64_t size, uint16_t machine, int *ret_error)
{
	static struct built_elf b;
	struct elf_file *file;

	built_begin(&b);
	built_end(&b, machine, ET_EXEC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &file), 0);
	*ret_error = 0;
	return unwind_image_add(u, key, uid, file, size, ret_error);
}

static struct unwind_image *add_chunks(struct unwind_images *u, uint64_t key, uint32_t uid,
				       uint64_t n, int *ret_error)
{
	return add_made(u, key, uid, n * FLAT_CHUNK_SIZE, EM_X86_64, ret_error);
}

static void the_end_of_code_is_that_of_its_last_section(void **state)
{
	static const char bytes[100] = { 0 };
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	static struct built_elf b;
	uint64_t end_of_text;
	size_t text;

	(void)state;
	built_begin(&b);
	text = built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, bytes, 100);
	end_of_text = b.sections[text].sh_offset + 100;
	built_add(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, bytes, 100);
	b.sections[built_add(&b, ".none", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, bytes, 100)]
		.sh_offset = 900;
	/* One section before the others, and two that reach beyond the file. */
	b.sections[built_add(&b, ".init", SHT_PROGBITS, SHF_EXECINSTR, bytes, 100)].sh_offset = 64;
	b.sections[built_add(&b, ".long", SHT_PROGBITS, SHF_EXECINSTR, bytes, 100)].sh_size =
		100000;
	b.sections[built_add(&b, ".far", SHT_PROGBITS, SHF_EXECINSTR, bytes, 1)].sh_offset = 90000;
	built_end(&b, EM_X86_64, ET_EXEC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &file), 0);
	assert_int_equal(end_of_code(file, b.size), end_of_text);
	assert_int_equal(end_of_code(file, end_of_text), end_of_text);
	assert_int_equal(end_of_code(file, end_of_text - 1), 164);
	assert_int_equal(end_of_code(file, 64), 64);
	/* A section of no bytes at the very end does not count. */
	assert_int_equal(end_of_code(file, 90001), 90001);
}

static void a_part_of_a_chunk_is_a_chunk(void **state)
{
	struct unwind_images u;
	uint32_t first, n;
	int error;

	(void)state;
	begin(&u, 100, 64);
	unwind_image_chunks(add_made(&u, 1, 0, 2 * FLAT_CHUNK_SIZE, EM_X86_64, &error), &first, &n);
	assert_int_equal(first, 0);
	assert_int_equal(n, 2);
	unwind_image_chunks(add_made(&u, 2, 0, 2 * FLAT_CHUNK_SIZE + 1, EM_X86_64, &error), &first,
			    &n);
	assert_int_equal(first, 2);
	assert_int_equal(n, 3);
	unwind_image_chunks(add_made(&u, 3, 0, 2 * FLAT_CHUNK_SIZE - 1, EM_X86_64, &error), &first,
			    &n);
	assert_int_equal(first, 5);
	assert_int_equal(n, 2);
	assert_int_equal(u.n_chunks, 7);
	assert_int_equal(u.n, 3);
	assert_ptr_equal(u64_map_find(&u.by_file, 2), u.items[1]);
	end(&u);
}

static void chunks_belong_to_the_image_that_they_were_given_to(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 100, 64);
	assert_null(image_of_chunk(&u, 0));
	add_chunks(&u, 1, 0, 3, &error);
	assert_ptr_equal(image_of_chunk(&u, 2), u.items[0]);
	assert_null(image_of_chunk(&u, 3));
	add_chunks(&u, 2, 0, 1, &error);
	add_chunks(&u, 3, 0, 5, &error);
	for (uint32_t i = 0; i < 9; i++)
		assert_ptr_equal(image_of_chunk(&u, i), u.items[i < 3 ? 0 : i < 4 ? 1 : 2]);
	assert_null(image_of_chunk(&u, 9));
	end(&u);
}

static void the_shares_of_images_and_of_users(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 100, 64);
	assert_null(add_chunks(&u, 1, 0, 17, &error));
	assert_int_equal(error, 0);
	assert_non_null(add_chunks(&u, 2, 1000, 16, &error));
	assert_non_null(add_chunks(&u, 3, 1000, 15, &error));
	assert_null(add_chunks(&u, 4, 1000, 2, &error));
	assert_int_equal(error, 0);
	assert_int_equal(u.n_chunks, 31);
	/* A refused image does not count. */
	assert_non_null(add_chunks(&u, 5, 1000, 1, &error));
	assert_null(add_chunks(&u, 6, 1000, 1, &error));
	assert_int_equal(error, 0);
	/* Another user has a share of its own, and root may use all that is left. */
	assert_non_null(add_chunks(&u, 7, 1001, 8, &error));
	assert_non_null(add_chunks(&u, 8, 0, 16, &error));
	assert_null(add_chunks(&u, 9, 0, 9, &error));
	assert_int_equal(error, -ENOSPC);
	assert_non_null(add_chunks(&u, 10, 0, 8, &error));
	assert_int_equal(u.n_chunks, 64);
	assert_null(add_chunks(&u, 11, 1001, 1, &error));
	assert_int_equal(error, -ENOSPC);
	assert_int_equal(u.n, 6);
	unwind_images_empty(&u);
	assert_int_equal(u.n_chunks, 0);
	assert_non_null(add_chunks(&u, 12, 1000, 16, &error));
	end(&u);
}

/* The images have no code, so that each table is one row. */
static void rows_are_counted_up_to_the_last(void **state)
{
	struct unwind_images u;
	const struct unwind_table *t;
	int error;

	(void)state;
	begin(&u, 64, 64);
	u.maps.rows_max = 4;
	add_chunks(&u, 1, 0, 8, &error);
	assert_int_equal(unwind_images_load(&u, 1, FLAT_CALLERS), 0);
	t = &u.maps.chunks[1].tables[FLAT_CALLERS];
	/* The first two rows are for chunks without rows of their own. */
	assert_int_equal(t->first, 2);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->state, UNWIND_LOADED);
	assert_int_equal(u.n_rows, 3);
	/* The table is loaded already. */
	assert_int_equal(unwind_images_load(&u, 1, FLAT_CALLERS), 0);
	assert_int_equal(u.n_rows, 3);
	assert_int_equal(unwind_images_load(&u, 2, FLAT_RUNNING), 0);
	assert_int_equal(u.maps.chunks[2].tables[FLAT_RUNNING].first, 3);
	assert_int_equal(u.n_rows, 4);
	assert_int_equal(u.items[0]->n_rows, 2);
	assert_int_equal(unwind_images_load(&u, 3, FLAT_CALLERS), -ENOSPC);
	assert_int_equal(u.maps.chunks[3].tables[FLAT_CALLERS].state, UNWIND_UNLOADED);
	assert_int_equal(u.n_rows, 4);
	/* There is no capacity even for the reserved rows. */
	u.n_rows = 0;
	u.maps.rows_max = 1;
	u.items[0]->n_rows = 0;
	assert_int_equal(unwind_images_load(&u, 3, FLAT_CALLERS), -ENOSPC);
	u.maps.rows_max = 2;
	assert_int_equal(unwind_images_load(&u, 3, FLAT_CALLERS), -ENOSPC);
	u.maps.rows_max = 3;
	assert_int_equal(unwind_images_load(&u, 3, FLAT_CALLERS), 0);
	end(&u);
}

static void an_image_gets_half_of_the_rows(void **state)
{
	struct unwind_images u;
	const struct unwind_table *t;
	int error;

	(void)state;
	begin(&u, 64, 64);
	add_chunks(&u, 1, 0, 4, &error);
	u.items[0]->n_rows = 32;
	assert_int_equal(unwind_images_load(&u, 0, FLAT_CALLERS), 0);
	assert_int_equal(u.n_rows, 3);
	assert_int_equal(u.items[0]->n_rows, 33);
	assert_int_equal(unwind_images_load(&u, 1, FLAT_CALLERS), 0);
	t = &u.maps.chunks[1].tables[FLAT_CALLERS];
	assert_int_equal(t->state, UNWIND_LOADED);
	assert_int_equal(t->first, 0);
	assert_int_equal(t->n, 1);
	assert_int_equal(u.n_rows, 3);
	end(&u);
}

static void only_what_is_not_loaded_is_refused(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 64, 64);
	add_chunks(&u, 1, 0, 4, &error);
	assert_int_equal(unwind_images_load(&u, 1, FLAT_CALLERS), 0);
	unwind_images_refuse(&u, 1, FLAT_CALLERS);
	assert_int_equal(u.maps.chunks[1].tables[FLAT_CALLERS].first, 2);
	/* The BPF program may have marked the table. */
	u.maps.chunks[1].tables[FLAT_RUNNING].state = UNWIND_ASKED;
	unwind_images_refuse(&u, 1, FLAT_RUNNING);
	assert_int_equal(u.maps.chunks[1].tables[FLAT_RUNNING].state, UNWIND_LOADED);
	assert_int_equal(u.maps.chunks[1].tables[FLAT_RUNNING].first, 0);
	assert_int_equal(u.maps.chunks[1].tables[FLAT_RUNNING].n, 1);
	unwind_images_refuse(&u, 4, FLAT_RUNNING);
	assert_int_equal(u.maps.chunks[4].tables[FLAT_RUNNING].state, UNWIND_UNLOADED);
	unwind_images_refuse(&u, 2, FLAT_TABLES);
	assert_int_equal(u.maps.chunks[3].tables[FLAT_CALLERS].state, UNWIND_UNLOADED);
	end(&u);
}

static void images_are_wanted_once(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 64, 40000);
	add_chunks(&u, 1, 0, 8192, &error);
	add_chunks(&u, 2, 0, 8193, &error);
	unwind_images_want(&u, 5);
	unwind_images_want(&u, 6);
	assert_int_equal(u.n_wanted, 1);
	assert_true(u.items[0]->is_wanted);
	assert_false(u.items[1]->is_wanted);
	/* The second image is too large to be loaded ahead. */
	unwind_images_want(&u, 8192);
	assert_int_equal(u.n_wanted, 1);
	assert_true(u.items[1]->is_wanted);
	unwind_images_want(&u, 39999);
	assert_int_equal(u.n_wanted, 1);
	end(&u);
}

static void fill_all(struct unwind_images *u, unsigned n)
{
	while (n--)
		assert_int_equal(unwind_images_fill(u), 1);
	assert_int_equal(u->n_wanted, 0);
	assert_int_equal(unwind_images_fill(u), 0);
}

/* Returns the chunks of the first @n that have the table @t, as bits. */
static unsigned chunks_with(const struct unwind_images *u, unsigned n, enum flat_table t)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < n; i++)
		bits |= (unsigned)(u->maps.chunks[i].tables[t].state == UNWIND_LOADED) << i;
	return bits;
}

static void wanted_images_are_filled_where_they_have_code(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 100000, 128);
	add_chunks(&u, 1, 0, 4, &error);
	add_chunks(&u, 2, 0, 4, &error);
	u.items[1]->code = (struct flat_range){ FLAT_CHUNK_SIZE, 3 * FLAT_CHUNK_SIZE };
	assert_int_equal(unwind_images_fill(&u), 0);
	unwind_images_want(&u, 4);
	fill_all(&u, 4);
	/* All tables of x86 are quick to make. */
	assert_int_equal(chunks_with(&u, 8, FLAT_CALLERS), 6 << 4);
	assert_int_equal(chunks_with(&u, 8, FLAT_RUNNING), 6 << 4);
	/* The code is one byte longer on both sides. */
	u.items[0]->code = (struct flat_range){ FLAT_CHUNK_SIZE - 1, 3 * FLAT_CHUNK_SIZE + 1 };
	unwind_images_want(&u, 0);
	fill_all(&u, 4);
	assert_int_equal(chunks_with(&u, 4, FLAT_CALLERS), 15);
	end(&u);
}

static void what_takes_long_is_only_made_when_asked_for(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 100000, 128);
	add_made(&u, 1, 0, FLAT_CHUNK_SIZE, EM_AARCH64, &error)->code.end = FLAT_CHUNK_SIZE;
	add_made(&u, 2, 0, FLAT_CHUNK_SIZE, EM_NONE, &error)->code.end = FLAT_CHUNK_SIZE;
	unwind_images_want(&u, 0);
	unwind_images_want(&u, 1);
	assert_int_equal(u.n_wanted, 2);
	fill_all(&u, 2);
	assert_int_equal(chunks_with(&u, 2, FLAT_CALLERS), 3);
	assert_int_equal(chunks_with(&u, 2, FLAT_RUNNING), 2);
	assert_int_equal(unwind_images_load(&u, 0, FLAT_RUNNING), 0);
	assert_int_equal(chunks_with(&u, 2, FLAT_RUNNING), 3);
	end(&u);
}

static void filling_tells_when_there_is_no_room(void **state)
{
	struct unwind_images u;
	int error;

	(void)state;
	begin(&u, 64, 64);
	add_chunks(&u, 1, 0, 2, &error);
	u.items[0]->code = (struct flat_range){ 0, 2 * FLAT_CHUNK_SIZE };
	unwind_images_want(&u, 0);
	u.n_rows = 64;
	assert_int_equal(unwind_images_fill(&u), -ENOSPC);
	assert_int_equal(u.items[0]->n_filled, 1);
	assert_int_equal(unwind_images_fill(&u), -ENOSPC);
	/* Both images were tried. */
	assert_int_equal(unwind_images_fill(&u), 0);
	end(&u);
}

/* The kernel gets the compiled tables: rows, and the rules that they name. */
static void rows_and_rules_are_copied(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of(program_invocation_short_name, &text);
	uint64_t here = (uintptr_t)rows_and_rules_are_copied - m.start + m.pgoff;
	uint32_t chunk = (uint32_t)(here / FLAT_CHUNK_SIZE);
	struct unwind_images u;
	struct unwind_image *im;
	const struct unwind_table *t;
	struct flat_rules rules = { 0 };
	struct flat_rows rows = { 0 };
	int error;

	(void)state;
	begin(&u, ROWS, CHUNKS);
	im = unwind_images_find(&u, getpid(), &m, &error);
	assert_int_equal(im->code.start, m.pgoff);
	assert_int_equal(im->code.end, m.pgoff + (m.end - m.start));
	for (int k = 0; k < FLAT_TABLES; k++) {
		t = &u.maps.chunks[chunk].tables[k];
		assert_int_equal(unwind_images_load(&u, chunk, (enum flat_table)k), 0);
		flat_chunk_compile(im->rules, (enum flat_table)k, chunk, &im->code, &rules, &rows);
		assert_int_equal(t->n, rows.n);
		assert_memory_equal(u.maps.rows + t->first, rows.items, rows.n * sizeof(uint32_t));
		assert_int_equal(u.n_told, rules.n);
		assert_memory_equal(u.maps.rules, rules.items, rules.n * sizeof(struct flat_rule));
		assert_int_equal(u.maps.rules[rules.n].kind, 0);
	}
	/* Rules that were copied before are not written again. */
	u.maps.rules[1].cfa_offset = 4711;
	memset(u.maps.rules + u.n_told, 0xee, 1000 * sizeof(struct flat_rule));
	assert_int_equal(unwind_images_load(&u, chunk - 1, FLAT_CALLERS), 0);
	assert_int_equal(u.maps.rules[1].cfa_offset, 4711);
	assert_int_equal(u.maps.rules[u.n_told].kind, 0xee);
	assert_int_equal(u.maps.rules[u.n_told - 1].kind, u.rules.items[u.n_told - 1].kind);
	flat_rules_done(&rules);
	flat_rows_done(&rows);
	end(&u);
}

static void all_that_was_seen_mapped_is_code(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of(program_invocation_short_name, &text);
	const uint64_t size = m.end - m.start, offset = 8192;
	struct unwind_images u;
	struct unwind_image *im;
	int error;

	(void)state;
	begin(&u, ROWS, CHUNKS);
	m.pgoff = offset;
	im = unwind_images_find(&u, getpid(), &m, &error);
	m.pgoff = offset + 4096;
	assert_ptr_equal(unwind_images_find(&u, getpid(), &m, &error), im);
	assert_int_equal(im->code.start, offset);
	assert_int_equal(im->code.end, offset + 4096 + size);
	m.pgoff = offset - 4096;
	assert_ptr_equal(unwind_images_find(&u, getpid(), &m, &error), im);
	assert_int_equal(im->code.start, offset - 4096);
	assert_int_equal(im->code.end, offset + 4096 + size);
	assert_int_equal(u.n, 1);
	end(&u);
}

static struct unwind_image *find_path(struct unwind_images *u, const char *path)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = 0;
	struct unwind_image *im = unwind_images_find_file(u, fd, &error);

	assert_int_equal(error, 0);
	return im;
}

static void a_file_that_was_written_to_is_another(void **state)
{
	const struct timespec times[2] = { { 1000, 1 }, { 1000, 1 } };
	struct unwind_images u;
	struct unwind_image *first, *other;
	struct unwind_file id;
	struct stat st;

	(void)state;
	begin(&u, ROWS, CHUNKS);
	assert_int_equal(system("cp /proc/self/exe copy && head -c 3 copy >short"), 0);
	assert_null(find_path(&u, "short"));
	assert_null(find_path(&u, "."));
	first = find_path(&u, "copy");
	assert_non_null(first);
	assert_ptr_equal(find_path(&u, "copy"), first);
	assert_int_equal(utimensat(AT_FDCWD, "copy", times, 0), 0);
	other = find_path(&u, "copy");
	assert_non_null(other);
	assert_ptr_not_equal(other, first);
	assert_int_equal(u.n, 2);
	assert_int_equal(other->first_chunk, first->n_chunks);
	assert_int_equal(stat("copy", &st), 0);
	id = unwind_images_file_of(&st);
	assert_int_equal(id.dev, st.st_dev);
	assert_int_equal(id.ino, st.st_ino);
	assert_int_equal(id.size, st.st_size);
	assert_int_equal(id.mtime, 1000);
	assert_int_equal(id.mtime_ns, 1);
	assert_int_equal(id.ctime, st.st_ctim.tv_sec);
	assert_int_equal(id.ctime_ns, st.st_ctim.tv_nsec);
	assert_memory_equal(&other->file, &id, sizeof(id));
	/* Another file has the same hash: its rules are not used. */
	other->file.size++;
	assert_null(find_path(&u, "copy"));
	assert_int_equal(u.n, 2);
	end(&u);
}

static void all_is_forgotten_but_memory(void **state)
{
	struct unwind_images u;
	uint32_t *rows;
	int error;

	(void)state;
	begin(&u, 64, 64);
	rows = u.maps.rows;
	add_chunks(&u, 1, 1000, 4, &error);
	unwind_images_load(&u, 3, FLAT_CALLERS);
	u.maps.chunks[4].tables[FLAT_CALLERS].state = UNWIND_ASKED;
	unwind_images_empty(&u);
	assert_int_equal(u.maps.chunks[3].tables[FLAT_CALLERS].state, UNWIND_UNLOADED);
	assert_int_equal(u.maps.chunks[4].tables[FLAT_CALLERS].state, UNWIND_ASKED);
	assert_ptr_equal(u.maps.rows, rows);
	assert_int_equal(u.maps.rows_max, 64);
	assert_int_equal(u.maps.chunks_max, 64);
	assert_int_equal(u.n, 0);
	assert_int_equal(u.n_rows, 0);
	assert_int_equal(u.n_chunks, 0);
	assert_int_equal(u.n_wanted, 0);
	assert_int_equal(u.n_told, 0);
	assert_int_equal(u.rules.n, 0);
	assert_null(u64_map_find(&u.by_file, 1));
	assert_null(u64_map_find(&u.by_owner, 1000));
	end(&u);
}

static void maps_that_are_no_files(void **state)
{
	_cleanup_(freep) char *text = NULL;
	struct proc_map m = map_of(program_invocation_short_name, &text), other;
	struct unwind_images u;
	int error = 1;

	(void)state;
	begin(&u, ROWS, CHUNKS);
	other = m;
	other.ino = 0;
	assert_null(unwind_images_find(&u, getpid(), &other, &error));
	assert_int_equal(error, 0);
	other = m;
	other.name++;
	other.name_length--;
	assert_null(unwind_images_find(&u, getpid(), &other, &error));
	other = m;
	other.name = "/nonexistent/file";
	other.name_length = 17;
	other.start = other.end = 0;
	other.ino = 1;
	assert_null(unwind_images_find(&u, getpid(), &other, &error));
	assert_int_equal(error, 0);
	assert_int_equal(u.n, 0);
	end(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_loaded_chunk_by_chunk),
		cmocka_unit_test(full_tables_are_told),
		cmocka_unit_test(an_image_that_wants_too_much_gets_nothing),
		cmocka_unit_test_setup_teardown(all_images_of_a_user_get_half_of_the_room,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test(the_vdso_and_what_is_no_file),
		cmocka_unit_test(the_end_of_code_is_that_of_its_last_section),
		cmocka_unit_test(a_part_of_a_chunk_is_a_chunk),
		cmocka_unit_test(chunks_belong_to_the_image_that_they_were_given_to),
		cmocka_unit_test(the_shares_of_images_and_of_users),
		cmocka_unit_test(rows_are_counted_up_to_the_last),
		cmocka_unit_test(an_image_gets_half_of_the_rows),
		cmocka_unit_test(only_what_is_not_loaded_is_refused),
		cmocka_unit_test(images_are_wanted_once),
		cmocka_unit_test(wanted_images_are_filled_where_they_have_code),
		cmocka_unit_test(what_takes_long_is_only_made_when_asked_for),
		cmocka_unit_test(filling_tells_when_there_is_no_room),
		cmocka_unit_test(rows_and_rules_are_copied),
		cmocka_unit_test(all_that_was_seen_mapped_is_code),
		cmocka_unit_test_setup_teardown(a_file_that_was_written_to_is_another,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test(all_is_forgotten_but_memory),
		cmocka_unit_test(maps_that_are_no_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
