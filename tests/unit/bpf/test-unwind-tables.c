/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what talks to the kernel. */
/*
 * The service of the tables, without the kernel: the functions of bpf/module.h that it calls are
 * those of this file. Maps are ordinary memory, and requests come from the test.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "bpf/unwind-tables.c"

#include <semaphore.h>
#include <sys/wait.h>

#include "elf/built-elf.h"
#include "skip.h"

#define PUTS_MAX 16

struct bpf_module {
	struct unwind_shared *shared;
	struct unwind_mapped *maps;
	uint32_t *rows;
	struct flat_rule *rules;
	struct unwind_chunk *chunks;
	const char *missing; /* a map that does not exist */
	uint32_t sizes[4];
	struct {
		uint32_t key;
		struct unwind_process value;
		uint64_t epoch;
	} puts[PUTS_MAX];
	unsigned n_puts, n_clears;
	uint64_t clear_epoch;
	int put_result;
	int sum_result;
	int reader_result;
};

struct bpf_reader {
	struct bpf_module *module;
	bpf_take_fn *take;
	void *arg;
	int fd;
	unsigned n_asked, n_reads;
	unsigned n_full, n_passes; /* times that the rows are full; then passes */
	struct unwind_wish wish;
	sem_t done;
};

/* The only reader; the test feeds it. */
static struct bpf_reader reader;

static bool is_missing(const struct bpf_module *m, const char *map)
{
	return m->missing && !strcmp(m->missing, map);
}

int bpf_module_size(struct bpf_module *m, const char *map, uint32_t n)
{
	static const char *const names[] = { "unwind_rows", "unwind_chunks", "unwind_maps",
					     "unwind_processes" };

	if (is_missing(m, map))
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(map, names[i]))
			m->sizes[i] = n;
	return 0;
}

int bpf_module_put(struct bpf_module *m, const char *map, const void *key, const void *value,
		   struct diag *diag)
{
	(void)diag;
	assert_string_equal(map, "unwind_processes");
	assert_true(m->n_puts < PUTS_MAX);
	memcpy(&m->puts[m->n_puts].key, key, sizeof(uint32_t));
	memcpy(&m->puts[m->n_puts].value, value, sizeof(struct unwind_process));
	m->puts[m->n_puts++].epoch = m->shared->epoch;
	return m->put_result;
}

void bpf_module_clear(struct bpf_module *m, const char *map)
{
	if (!strcmp(map, "runtime_processes"))
		return;
	assert_string_equal(map, "unwind_processes");
	m->n_clears++;
	m->clear_epoch = m->shared->epoch;
}

/* No process of this test has a runtime. */
void bpf_module_remove(struct bpf_module *m, const char *map, const void *key)
{
	(void)m, (void)key;
	assert_string_equal(map, "runtime_processes");
}

int bpf_module_map_memory(struct bpf_module *m, const char *map, void **ret, struct diag *diag)
{
	const struct {
		const char *name;
		void *bytes;
	} all[] = { { "unwind_shared", m->shared },
		    { "unwind_maps", m->maps },
		    { "unwind_rows", m->rows },
		    { "unwind_rules", m->rules },
		    { "unwind_chunks", m->chunks } };

	if (is_missing(m, map))
		return diag_set(diag, -EPERM, "no memory of %s", map);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i].name, map)) {
			*ret = all[i].bytes;
			return 0;
		}
	fail_msg("unknown map %s", map);
	return 0;
}

int bpf_module_sum(const struct bpf_module *m, const char *map, size_t n, uint64_t *ret,
		   struct diag *diag)
{
	if (!strcmp(map, "runtime_counts"))
		return 0;
	assert_string_equal(map, "unwind_counts");
	for (size_t i = 0; i < n; i++)
		ret[i] = 100 + i;
	return m->sum_result ? diag_set(diag, m->sum_result, "no counts") : 0;
}

int bpf_reader_open(struct bpf_module *m, const char *map, bpf_take_fn *take, void *arg,
		    struct bpf_reader **ret, struct diag *diag)
{
	assert_string_equal(map, "unwind_wishes");
	if (m->reader_result)
		return diag_set(diag, m->reader_result, "no reader");
	reader = (struct bpf_reader){
		.module = m, .take = take, .arg = arg, .fd = eventfd(0, EFD_CLOEXEC)
	};
	assert_int_equal(sem_init(&reader.done, 0, 0), 0);
	*ret = &reader;
	return 0;
}

void bpf_reader_close(struct bpf_reader *r)
{
	if (!r)
		return;
	sem_destroy(&r->done);
	closep(&r->fd);
}

int bpf_reader_fd(const struct bpf_reader *r)
{
	return r->fd;
}

/*
 * Runs in the thread. Delivers a request and then fills the rows, so that the wanted images cannot
 * be loaded. After everything was emptied, it does the same again. A few passes later it wakes the
 * test. The descriptor stays readable until then.
 */
int bpf_reader_read(struct bpf_reader *r)
{
	struct unwind_tables *t = r->arg;

	if (r->n_asked <= t->emptied && r->n_asked < r->n_full) {
		assert_int_equal(r->take(r->arg, &r->wish, sizeof(r->wish)), 0);
		r->n_asked++;
		t->images.n_rows = ROWS_MAX;
	} else if (!r->n_full && !r->n_asked) {
		assert_int_equal(r->take(r->arg, &r->wish, sizeof(r->wish)), 0);
		r->n_asked++;
	} else if (r->n_asked >= r->n_full && ++r->n_reads == r->n_passes) {
		eventfd_read(r->fd, &(eventfd_t){ 0 });
		sem_post(&r->done);
	}
	return 0;
}

static struct bpf_module *new_module(void)
{
	struct bpf_module *m = xcalloc(1, sizeof(*m));

	m->shared = xcalloc(1, sizeof(*m->shared));
	m->maps = xcalloc(MAPS_MAX, sizeof(*m->maps));
	m->rows = xcalloc(ROWS_MAX, sizeof(*m->rows));
	m->rules = xcalloc(FLAT_RULES_MAX, sizeof(*m->rules));
	m->chunks = xcalloc(CHUNKS_MAX, sizeof(*m->chunks));
	return m;
}

static void free_module(struct bpf_module *m)
{
	free(m->shared);
	free(m->maps);
	free(m->rows);
	free(m->rules);
	free(m->chunks);
	free(m);
}

/* Sets up tables without a thread. */
static int begin(void **state)
{
	struct unwind_tables *t = xcalloc(1, sizeof(*t));

	t->module = new_module();
	t->stop_fd = -1;
	assert_int_equal(map_memory(t, NULL), 0);
	*state = t;
	return 0;
}

static int end(void **state)
{
	struct unwind_tables *t = *state;
	struct bpf_module *m = t->module;

	unwind_tables_free(t);
	free_module(m);
	return 0;
}

/* Our own code mappings, in the order of addresses. */
struct own_maps {
	struct proc_map items[64];
	size_t n;
	char *text;
};

static void own_maps_done(struct own_maps *m)
{
	free(m->text);
}

static void own_maps_read(struct own_maps *ret)
{
	const char *at;
	size_t length;
	struct proc_map m;

	ret->n = 0;
	assert_int_equal(file_read(AT_FDCWD, "/proc/self/maps", MAPS_TEXT_MAX, &ret->text, &length),
			 0);
	at = ret->text;
	while (proc_maps_next(&at, &length, &m))
		if (m.prot & PROT_EXEC) {
			assert_true(ret->n < ARRAY_SIZE(ret->items));
			ret->items[ret->n++] = m;
		}
}

static bool is_at(const struct proc_map *m, uint64_t addr)
{
	return addr >= m->start && addr < m->end;
}

static struct unwind_wish wish_of(uint32_t process, const void *pc)
{
	return (struct unwind_wish){ .process = process,
				     .pid = (uint32_t)getpid(),
				     .code_pages = 77,
				     .stack_start = 0x7ffe0000,
				     .pc = (uintptr_t)pc };
}

static void ask(struct unwind_tables *t, const struct unwind_wish *w)
{
	assert_int_equal(take_wish(t, w, sizeof(*w)), 0);
}

static size_t room_for(size_t n)
{
	return n + n / 4 + 1;
}

/* Returns the number of tables of kind @k that are loaded. */
static unsigned n_loaded(const struct unwind_tables *t, enum flat_table k)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->images.n_chunks; i++)
		n += t->images.maps.chunks[i].tables[k].state == UNWIND_LOADED;
	return n;
}

static void maps_are_sized_before_loading(void **state)
{
	static const char *const names[] = { "unwind_rows", "unwind_chunks", "unwind_maps",
					     "unwind_processes" };
	struct bpf_module m = { 0 };
	struct unwind_host host;

	(void)state;
	if (!arch_host()->convention || !arch_host()->convention->trap)
		skip_because("no unwinding on this machine");
	assert_int_equal(unwind_tables_prepare(&m, &host, NULL), 0);
	assert_int_equal(host.pc, arch_host()->convention->trap->pc);
	/* An element of `unwind_rows` is two rows. */
	assert_int_equal(m.sizes[0], 2097152);
	assert_int_equal(m.sizes[1], 131072);
	assert_int_equal(m.sizes[2], 65536);
	assert_int_equal(m.sizes[3], 8192);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		m.missing = names[i];
		assert_int_equal(unwind_tables_prepare(&m, &host, &diag), -ENOENT);
		assert_string_equal(diag.message, "BPF: the tables of the unwinder are missing");
	}
}

static void a_process_is_told_with_all_its_code(void **state)
{
	struct unwind_tables *t = *state;
	_cleanup_(own_maps_done) struct own_maps own;
	struct unwind_wish w = wish_of(4711, (const void *)(uintptr_t)begin);
	const struct bpf_module *m = t->module;

	own_maps_read(&own);
	ask(t, &w);
	assert_int_equal(m->n_puts, 1);
	assert_int_equal(m->puts[0].key, 4711);
	assert_int_equal(m->puts[0].value.code_pages, 77);
	assert_int_equal(m->puts[0].value.stack_start, 0x7ffe0000);
	assert_int_equal(m->puts[0].value.first_map, 0);
	assert_int_equal(m->puts[0].value.n_maps, own.n);
	/* No program can be reading a place that is new: the epoch stays. */
	assert_int_equal(m->puts[0].epoch, 0);
	assert_int_equal(t->shared->epoch, 0);
	assert_int_equal(t->processes, 1);
	assert_int_equal(t->n_maps, room_for(own.n));
	assert_int_equal(m->n_clears, 0);
	for (size_t i = 0; i < own.n; i++) {
		assert_true(t->maps[i].start == own.items[i].start);
		assert_true(t->maps[i].end == own.items[i].end);
		assert_true(t->maps[i].shift == own.items[i].start - own.items[i].pgoff);
		if (is_at(&own.items[i], w.pc)) {
			assert_int_equal(t->maps[i].first_chunk, 0);
			assert_true(t->maps[i].n_chunks > 0);
		}
	}
}

/* Returns the start of the code of the C library. */
static uint64_t library_start(void)
{
	_cleanup_(own_maps_done) struct own_maps own;

	own_maps_read(&own);
	for (size_t i = 0; i < own.n; i++)
		if (own.items[i].name_length > 9 &&
		    !memcmp(own.items[i].name + own.items[i].name_length - 9, "libc.so.6", 9))
			return own.items[i].start;
	return 0;
}

/* The program has the lowest of our mappings; the C library lies behind it. */
static void where_it_was_interrupted_is_loaded_first(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish in_program = wish_of(1, (const void *)(uintptr_t)begin);
	struct unwind_wish in_library = wish_of(2, (const void *)(uintptr_t)library_start());
	uint32_t chunk;

	if (!in_library.pc) {
		print_message("# the C library has another name\n");
		skip();
	}

	/*
	 * The program is wanted, and the library as well, because the process was interrupted in
	 * it.
	 */
	ask(t, &in_library);
	assert_int_equal(n_loaded(t, FLAT_RUNNING), 1);
	assert_int_equal(t->images.n_wanted, 2);
	unwind_images_empty(&t->images);
	ask(t, &in_program);
	chunk = t->maps[0].first_chunk +
		(uint32_t)((in_program.pc - t->maps[0].shift) / FLAT_CHUNK_SIZE);
	assert_int_equal(t->images.maps.chunks[chunk].tables[FLAT_RUNNING].state, UNWIND_LOADED);
	assert_int_equal(n_loaded(t, FLAT_RUNNING), 1);
	assert_int_equal(n_loaded(t, FLAT_CALLERS), 0);
	assert_int_equal(t->images.n_wanted, 1);
}

/* The maps are made by hand: an image of one chunk, mapped as larger than it is. */
static void only_what_the_image_has_is_loaded(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(1, (const void *)(uintptr_t)begin);
	struct unwind_mapped *m;
	uint64_t start;

	ask(t, &w);
	t->images.n_wanted = 0;
	memset(t->images.maps.chunks, 0, t->images.n_chunks * sizeof(struct unwind_chunk));
	m = &t->maps[100];
	start = t->maps[0].start;
	m[0] = (struct unwind_mapped){ start - 4096, start, start - 4096, 0, 0 };
	m[1] = (struct unwind_mapped){ start, start + 4 * FLAT_CHUNK_SIZE, start, 0, 1 };
	/* Addresses below the map, above it, and in a part of it that no chunk covers. */
	for (w.pc = start - 1; w.pc != 0;) {
		assert_int_equal(load_first(t, &w, 100, 2), 0);
		assert_int_equal(n_loaded(t, FLAT_RUNNING), 0);
		w.pc = w.pc == start - 1                     ? start + 4 * FLAT_CHUNK_SIZE
		       : w.pc == start + 4 * FLAT_CHUNK_SIZE ? start + FLAT_CHUNK_SIZE
							     : 0;
	}
	w.pc = start + FLAT_CHUNK_SIZE - 1;
	assert_int_equal(load_first(t, &w, 100, 1), 0);
	assert_int_equal(n_loaded(t, FLAT_RUNNING), 0);
	assert_int_equal(load_first(t, &w, 100, 2), 0);
	assert_int_equal(t->images.maps.chunks[0].tables[FLAT_RUNNING].state, UNWIND_LOADED);
	assert_int_equal(n_loaded(t, FLAT_RUNNING), 1);
	m[1].first_chunk = 1;
	w.pc = start;
	assert_int_equal(load_first(t, &w, 100, 2), 0);
	assert_int_equal(t->images.maps.chunks[1].tables[FLAT_RUNNING].state, UNWIND_LOADED);
	/* If the rows are full, an error is returned. */
	m[1].first_chunk = 2;
	t->images.n_rows = ROWS_MAX;
	assert_int_equal(load_first(t, &w, 100, 2), -ENOSPC);
}

static void a_process_keeps_its_place_while_it_fits(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_place *p = unwind_tables_find_place(t, 7, 4), *other;

	assert_int_equal(p->first, 0);
	assert_int_equal(p->room, 6);
	assert_int_equal(t->n_maps, 6);
	assert_ptr_equal(unwind_tables_find_place(t, 7, 6), p);
	assert_int_equal(t->n_maps, 6);
	other = unwind_tables_find_place(t, 8, 0);
	assert_int_equal(other->first, 6);
	assert_int_equal(other->room, 1);
	assert_ptr_equal(unwind_tables_find_place(t, 7, 7), p);
	assert_int_equal(p->first, 7);
	assert_int_equal(p->room, 9);
	assert_int_equal(t->n_maps, 16);
	/* The last place that fits, and one that does not. */
	t->n_maps = MAPS_MAX - 5;
	assert_null(unwind_tables_find_place(t, 9, 4));
	assert_int_equal(t->n_maps, MAPS_MAX - 5);
	t->n_maps = MAPS_MAX - 6;
	assert_int_equal(unwind_tables_find_place(t, 9, 4)->first, MAPS_MAX - 6);
	assert_int_equal(t->n_maps, MAPS_MAX);
	assert_null(unwind_tables_find_place(t, 10, 0));
	assert_ptr_equal(unwind_tables_find_place(t, 7, 9), p);
	/*
	 * When the maps are full, a process that has outgrown its place keeps it until all are
	 * forgotten.
	 */
	assert_null(unwind_tables_find_place(t, 7, 10));
	assert_int_equal(p->room, 9);
}

/*
 * BPF programs may be reading the place: they see an odd epoch during the change, and a new even
 * one after it.
 */
static void a_place_is_written_again_under_an_odd_epoch(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(5, (const void *)(uintptr_t)begin);
	size_t n_maps;

	ask(t, &w);
	n_maps = t->n_maps;
	memset(t->maps, 0xee, n_maps * sizeof(t->maps[0]));
	/* The process has called exec meanwhile. */
	w.code_pages = 12;
	w.stack_start = 0x7fff0000;
	ask(t, &w);
	assert_int_equal(t->module->n_puts, 2);
	assert_int_equal(t->module->puts[1].key, 5);
	assert_int_equal(t->module->puts[1].value.code_pages, 12);
	assert_int_equal(t->module->puts[1].value.stack_start, 0x7fff0000);
	assert_int_equal(t->module->puts[1].value.first_map, 0);
	assert_int_equal(t->module->puts[1].epoch, 1);
	assert_int_equal(t->shared->epoch, 2);
	assert_int_equal(t->n_maps, n_maps);
	assert_int_equal(t->processes, 2);
	assert_true(t->maps[0].start <= w.pc && w.pc < t->maps[0].end);
	assert_int_equal(t->module->n_clears, 0);
}

/*
 * A process that unmaps gets fewer maps at the same place; one that maps too much gets another
 * place.
 */
static void what_is_mapped_and_unmapped_is_seen(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(5, (const void *)(uintptr_t)begin);
	size_t n, room, many;
	char *code;

	ask(t, &w);
	n = t->module->puts[0].value.n_maps;
	room = room_for(n);
	/* Every second page is executable, so that each is a map of its own. */
	many = room - n + 1;
	code = mmap(NULL, 2 * many * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(code != MAP_FAILED);
	for (size_t i = 0; i < many; i++)
		assert_int_equal(mprotect(code + 2 * i * 4096, 4096, PROT_READ | PROT_EXEC), 0);
	ask(t, &w);
	assert_int_equal(t->module->puts[1].value.n_maps, room + 1);
	assert_int_equal(t->module->puts[1].value.first_map, room);
	assert_int_equal(t->module->puts[1].epoch, 0);
	assert_int_equal(t->n_maps, room + room_for(room + 1));
	munmap(code, 2 * many * 4096);
	ask(t, &w);
	assert_int_equal(t->module->puts[2].value.n_maps, n);
	assert_int_equal(t->module->puts[2].value.first_map, room);
	assert_int_equal(t->module->puts[2].epoch, 1);
	assert_int_equal(t->shared->epoch, 2);
}

static void no_room_for_maps_forgets_processes_and_keeps_images(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(5, (const void *)(uintptr_t)begin);
	size_t n_images, room;

	ask(t, &w);
	n_images = t->images.n;
	room = t->n_maps;
	t->n_maps = MAPS_MAX;
	w.process = 6;
	ask(t, &w);
	assert_int_equal(t->module->n_clears, 1);
	assert_int_equal(t->module->clear_epoch, 1);
	assert_int_equal(t->shared->epoch, 2);
	assert_int_equal(t->module->n_puts, 2);
	assert_int_equal(t->module->puts[1].key, 6);
	assert_int_equal(t->module->puts[1].value.first_map, 0);
	assert_int_equal(t->n_maps, room);
	assert_null(u64_map_find(&t->places, 5));
	assert_non_null(u64_map_find(&t->places, 6));
	assert_int_equal(t->images.n, n_images);
	assert_int_equal(t->emptied, 0);
	assert_int_equal(t->processes, 2);
}

/* If the kernel's table of processes is full, it is cleared and tried again, once. */
static void a_refused_process_is_tried_once_more(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(5, (const void *)(uintptr_t)begin);

	t->module->put_result = -E2BIG;
	ask(t, &w);
	assert_int_equal(t->module->n_puts, 2);
	assert_int_equal(t->module->n_clears, 1);
	/* Nothing is loaded for a process that could not be added. */
	assert_int_equal(n_loaded(t, FLAT_RUNNING), 0);
	t->module->put_result = 0;
	ask(t, &w);
	assert_int_equal(t->module->n_puts, 3);
	assert_int_equal(t->module->n_clears, 1);
	assert_int_equal(n_loaded(t, FLAT_RUNNING), 1);
}

static void no_room_for_rows_empties_all_once_in_a_while(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish process = wish_of(5, (const void *)(uintptr_t)begin);
	struct unwind_wish chunk = { .chunk = 1, .table = FLAT_CALLERS };
	const struct unwind_table *to = &t->images.maps.chunks[1].tables[FLAT_CALLERS];
	uint64_t before = clock_ns(CLOCK_MONOTONIC);

	ask(t, &process);
	t->images.n_rows = ROWS_MAX;
	ask(t, &chunk);
	assert_int_equal(t->emptied, 1);
	assert_true(t->emptied_ns >= before && t->emptied_ns <= clock_ns(CLOCK_MONOTONIC));
	assert_int_equal(t->images.n, 0);
	assert_int_equal(t->images.n_chunks, 0);
	assert_int_equal(t->images.n_rows, 0);
	assert_int_equal(t->n_maps, 0);
	assert_null(u64_map_find(&t->places, 5));
	assert_int_equal(t->module->n_clears, 1);
	assert_int_equal(t->module->clear_epoch, 1);
	assert_int_equal(t->shared->epoch, 2);
	/*
	 * The number of the chunk is not valid any more: the chunk is neither loaded nor refused.
	 */
	assert_int_equal(to->state, UNWIND_UNLOADED);
	/* The rows are full again at once: only the requested table is refused. */
	ask(t, &process);
	t->images.n_rows = ROWS_MAX;
	ask(t, &chunk);
	assert_int_equal(t->emptied, 1);
	assert_true(t->images.n > 0);
	assert_int_equal(to->state, UNWIND_LOADED);
	assert_int_equal(to->first, 0);
	assert_int_equal(to->n, 1);
	assert_int_equal(t->module->n_clears, 1);
	/* After the interval, everything is emptied again. */
	t->emptied_ns = clock_ns(CLOCK_MONOTONIC) - EMPTY_AGAIN_NS;
	chunk.chunk = 2;
	ask(t, &chunk);
	assert_int_equal(t->emptied, 2);
	assert_int_equal(t->images.n, 0);
	assert_int_equal(t->module->n_clears, 2);
	assert_int_equal(to->state, UNWIND_UNLOADED);
}

static void the_time_between_two_emptyings_is_ten_seconds(void **state)
{
	struct unwind_tables *t = *state;

	t->emptied = 1;
	t->emptied_ns = clock_ns(CLOCK_MONOTONIC) - UINT64_C(9000000000);
	assert_false(unwind_tables_empty(t));
	assert_int_equal(t->emptied, 1);
	t->emptied_ns = clock_ns(CLOCK_MONOTONIC) - UINT64_C(10000000000);
	assert_true(unwind_tables_empty(t));
	assert_int_equal(t->emptied, 2);
	assert_int_equal(t->shared->epoch, 2);
}

static void no_room_for_chunks_serves_the_process_after_emptying(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(5, (const void *)(uintptr_t)begin);

	t->images.n_chunks = CHUNKS_MAX;
	ask(t, &w);
	assert_int_equal(t->emptied, 1);
	assert_int_equal(t->module->n_puts, 1);
	assert_int_equal(t->module->puts[0].epoch, 2);
	assert_int_equal(t->maps[0].first_chunk, 0);
	assert_true(t->maps[0].n_chunks > 0);
	/*
	 * Everything was emptied a moment ago: the process is not added, and nothing is forgotten
	 * for it.
	 */
	unwind_images_empty(&t->images);
	t->images.n_chunks = CHUNKS_MAX;
	w.process = 6;
	ask(t, &w);
	assert_int_equal(t->emptied, 1);
	assert_int_equal(t->module->n_puts, 1);
	assert_int_equal(t->module->n_clears, 1);
	assert_int_equal(t->processes, 1);
	assert_non_null(u64_map_find(&t->places, 5));
	t->images.n_chunks = 0;
}

static void a_chunk_is_loaded_when_it_is_asked_for(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish process = wish_of(5, (const void *)(uintptr_t)begin);
	struct unwind_wish chunk = { .chunk = 1, .table = FLAT_CALLERS };
	const struct unwind_table *tables = t->images.maps.chunks[1].tables;

	ask(t, &process);
	assert_int_equal(n_loaded(t, FLAT_CALLERS), 0);
	ask(t, &chunk);
	assert_int_equal(n_loaded(t, FLAT_CALLERS), 1);
	assert_int_equal(tables[FLAT_CALLERS].state, UNWIND_LOADED);
	assert_true(tables[FLAT_CALLERS].n > 0);
	assert_true(tables[FLAT_CALLERS].first >= 2);
	assert_int_equal(t->emptied, 0);
	assert_int_equal(t->module->n_clears, 0);
	/* No image has this chunk or this table. */
	chunk.chunk = CHUNKS_MAX;
	ask(t, &chunk);
	chunk = (struct unwind_wish){ .chunk = 1, .table = FLAT_TABLES };
	ask(t, &chunk);
	assert_int_equal(n_loaded(t, FLAT_CALLERS), 1);
}

static void wishes_of_another_size_and_processes_that_are_gone(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w[2] = { wish_of(5, (const void *)(uintptr_t)begin) };
	pid_t gone = fork();

	if (gone == 0)
		_exit(0);
	assert_int_equal(waitpid(gone, NULL, 0), gone);
	assert_int_equal(take_wish(t, w, sizeof(w[0]) - 1), 0);
	assert_int_equal(take_wish(t, w, sizeof(w[0]) + 1), 0);
	w[0].pid = (uint32_t)gone;
	ask(t, w);
	assert_int_equal(t->module->n_puts, 0);
	assert_int_equal(t->module->n_clears, 0);
	assert_int_equal(t->processes, 0);
	assert_int_equal(t->n_maps, 0);
}

/* Returns lines of maps without a file, every second of which is executable. */
static char *made_maps(size_t n, size_t *ret_length)
{
	const size_t line = 41;
	char *text = xcalloc(n + 1, 2 * line);
	size_t used = 0;

	for (size_t i = 0; i < 2 * n; i++)
		used += (size_t)snprintf(text + used, line + 1,
					 "%08zx-%08zx r%s 00001000 00:00 0 \n", (i + 1) * 4096,
					 (i + 2) * 4096, i % 2 ? "-xp" : "--p");
	*ret_length = used;
	return text;
}

static void maps_of_code_are_taken_up_to_a_limit(void **state)
{
	struct unwind_tables *t = *state;
	const size_t numbers[] = { UNWIND_MAPS_MAX - 1, UNWIND_MAPS_MAX, UNWIND_MAPS_MAX + 1 };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		size_t length, expected = i == 0 ? 4095 : 4096;
		_cleanup_(freep) char *text = made_maps(numbers[i], &length);
		struct code_maps maps = { 0 };

		assert_int_equal(unwind_tables_read_maps(t, getpid(), text, length, &maps), 0);
		assert_int_equal(maps.n, expected);
		assert_int_equal(maps.items[0].start, 2 * 4096);
		assert_int_equal(maps.items[1].start, 4 * 4096);
		assert_int_equal(maps.items[1].end, 5 * 4096);
		assert_int_equal(maps.items[1].shift, 3 * 4096);
		assert_int_equal(maps.items[1].n_chunks, 0);
		free(maps.items);
	}
}

static void what_was_done_is_told(void **state)
{
	struct unwind_tables *t = *state;
	struct unwind_wish w = wish_of(5, (const void *)(uintptr_t)begin);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct unwind_tables_facts f;

	ask(t, &w);
	t->emptied = 3;
	assert_int_equal(unwind_tables_facts(t, &f, &diag), 0);
	assert_int_equal(f.processes, 1);
	assert_int_equal(f.images, t->images.n);
	assert_int_equal(f.rows, t->images.n_rows);
	assert_int_equal(f.emptied, 3);
	assert_int_equal(f.bytes, (16 << 20) + (2 << 20) + (2 << 20) + (1 << 20));
	for (size_t i = 0; i < UNWIND_RESULTS; i++)
		assert_int_equal(f.results[i], 100 + i);
	t->module->sum_result = -EIO;
	assert_int_equal(unwind_tables_facts(t, &f, &diag), -EIO);
	assert_string_equal(diag.message, "no counts");
}

static void what_is_missing_at_the_start_is_told(void **state)
{
	static const char *const names[] = { "unwind_shared", "unwind_maps", "unwind_rows",
					     "unwind_rules", "unwind_chunks" };
	struct bpf_module *m = new_module();
	struct unwind_tables *t = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		_cleanup_(freep) char *expected = xasprintf("no memory of %s", names[i]);

		m->missing = names[i];
		assert_int_equal(unwind_tables_start(m, NULL, &t, &diag), -EPERM);
		assert_null(t);
		assert_string_equal(diag.message, expected);
	}
	{
		_cleanup_(diag_done) struct diag diag = { 0 };

		m->missing = NULL;
		m->reader_result = -ENOMEM;
		assert_int_equal(unwind_tables_start(m, NULL, &t, &diag), -ENOMEM);
		assert_string_equal(diag.message, "no reader");
		assert_null(t);
	}
	free_module(m);
}

/* Runs the thread; see bpf_reader_read() above. */
static void run_thread(unsigned n_full, unsigned n_passes, struct bpf_module *m,
		       struct unwind_tables_facts *ret)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct unwind_tables *t = NULL;

	assert_int_equal(unwind_tables_start(m, NULL, &t, &diag), 0);
	assert_non_null(t);
	reader.n_full = n_full;
	reader.n_passes = n_passes;
	reader.wish = wish_of(5, (const void *)(uintptr_t)begin);
	assert_int_equal(eventfd_write(reader.fd, 1), 0);
	assert_int_equal(sem_wait(&reader.done), 0);
	assert_int_equal(unwind_tables_facts(t, ret, &diag), 0);
	unwind_tables_free(t);
}

static void the_thread_serves_and_empties(void **state)
{
	struct bpf_module *m = new_module();
	struct unwind_tables_facts f;

	(void)state;
	run_thread(2, 64, m, &f);
	/* It was emptied for the first time that it was full, and not for the second. */
	assert_int_equal(f.emptied, 1);
	assert_int_equal(f.processes, 2);
	assert_int_equal(m->n_clears, 1);
	assert_int_equal(m->n_puts, 2);
	assert_true(f.images > 0);
	free_module(m);
}

/* The thread runs more passes than the program has chunks. */
static void the_thread_loads_what_is_wanted_and_then_waits(void **state)
{
	struct bpf_module *m = new_module();
	struct unwind_tables_facts f;
	size_t n = 0;

	(void)state;
	run_thread(0, 4096, m, &f);
	assert_int_equal(f.emptied, 0);
	assert_int_equal(f.processes, 1);
	assert_int_equal(m->n_clears, 0);
	for (size_t i = 0; i < CHUNKS_MAX; i++)
		n += m->chunks[i].tables[FLAT_CALLERS].state == UNWIND_LOADED;
	assert_true(n > 1);
	free_module(m);
}

static void nothing_is_freed(void **state)
{
	(void)state;
	unwind_tables_free(NULL);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_are_sized_before_loading),
		SERVED(a_process_is_told_with_all_its_code),
		SERVED(where_it_was_interrupted_is_loaded_first),
		SERVED(only_what_the_image_has_is_loaded),
		SERVED(a_process_keeps_its_place_while_it_fits),
		SERVED(a_place_is_written_again_under_an_odd_epoch),
		SERVED(what_is_mapped_and_unmapped_is_seen),
		SERVED(no_room_for_maps_forgets_processes_and_keeps_images),
		SERVED(a_refused_process_is_tried_once_more),
		SERVED(no_room_for_rows_empties_all_once_in_a_while),
		SERVED(the_time_between_two_emptyings_is_ten_seconds),
		SERVED(no_room_for_chunks_serves_the_process_after_emptying),
		SERVED(a_chunk_is_loaded_when_it_is_asked_for),
		SERVED(wishes_of_another_size_and_processes_that_are_gone),
		SERVED(maps_of_code_are_taken_up_to_a_limit),
		SERVED(what_was_done_is_told),
		cmocka_unit_test(what_is_missing_at_the_start_is_told),
		cmocka_unit_test(the_thread_serves_and_empties),
		cmocka_unit_test(the_thread_loads_what_is_wanted_and_then_waits),
		cmocka_unit_test(nothing_is_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
