/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of interpreted languages in the memory of a process: the input is the symbols
 * of an image, frames, and the process's memory. A runtime is found in it as in a real process, and
 * the frames get their names.
 *
 * Whatever the memory contains, a reader takes limited time and memory, the addresses are in the
 * image of the language, and its names have no character on which a terminal would act.
 *
 * The seeds are what perf read from real processes (Python 3.7 to 3.13, Node 20, OpenJDK 17), and
 * memory made by hand for the others.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "runtime/functions.h"
#include "runtime/internal.h"
#include "runtime/memory.h"
#include "runtime/runtime.h"
#include "runtime/thread-key.h"
#include "runtime/v8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define READS_MAX  1000000
#define BYTES_MAX  ((uint64_t)1 << 30)
#define FRAMES_MAX 64

/* In front: the image, and how its process keeps the values of keys. */
struct head {
	uint8_t kind, is_aarch64, n_symbols, n_frames;
	uint32_t reserved;
	uint64_t bias;
	struct runtime_libc libc;
};

/* Memory from `addr` on: `size` bytes follow, which are repeated up to `span`. */
struct segment {
	uint64_t addr, span;
	uint32_t size, reserved;
};

#define SEGMENTS_MAX 4096

static struct {
	struct {
		struct segment s;
		const uint8_t *bytes;
	} items[SEGMENTS_MAX];
	size_t n;
	uint64_t reads, bytes;
} memory;

static void set_memory(const uint8_t *at, const uint8_t *end)
{
	memory.n = memory.reads = memory.bytes = 0;
	while (memory.n < SEGMENTS_MAX && (size_t)(end - at) > sizeof(struct segment)) {
		struct segment s;

		memcpy(&s, at, sizeof(s));
		at += sizeof(s);
		if (s.size > (size_t)(end - at))
			s.size = (uint32_t)(end - at);
		memory.items[memory.n].s = s;
		memory.items[memory.n].bytes = at;
		memory.n += s.size > 0;
		at += s.size;
	}
}

/* Reads what a segment has at @addr, at most @n bytes. Returns their number. */
static size_t read_part(uint64_t addr, uint8_t *to, size_t n)
{
	for (size_t i = 0; i < memory.n; i++) {
		const struct segment *s = &memory.items[i].s;
		uint64_t at = addr - s->addr;
		size_t k = s->size - at % s->size;

		if (at >= s->span)
			continue;
		k = k < n ? k : n;
		k = k < s->span - at ? k : (size_t)(s->span - at);
		memcpy(to, memory.items[i].bytes + at % s->size, k);
		return k;
	}
	return 0;
}

/* Takes the place of the one in runtime/memory.c. */
int memory_read(int pid, uint64_t addr, void *ret, size_t n)
{
	uint8_t *to = ret;

	(void)pid;
	memory.bytes += n;
	if (++memory.reads > READS_MAX || memory.bytes > BYTES_MAX)
		abort();
	while (n) {
		size_t k = read_part(addr, to, n);

		if (!k)
			return -EFAULT;
		addr += k;
		to += k;
		n -= k;
	}
	return 0;
}

static const struct runtime_type *type_of(uint8_t kind)
{
	static const struct runtime_type *const types[] = { &runtime_python, &runtime_java,
							    &runtime_v8, &runtime_ruby,
							    &runtime_php };

	return types[kind % (sizeof(types) / sizeof(types[0]))];
}

static bool take(const uint8_t **at, const uint8_t *end, void *to, size_t n)
{
	if ((size_t)(end - *at) < n)
		return false;
	memcpy(to, *at, n);
	*at += n;
	return true;
}

/* Makes the image. The symbols are in the order of the runtime's list. */
static bool take_image(const uint8_t **at, const uint8_t *end, const struct head *h,
		       struct runtime_image *im)
{
	const struct runtime_wanted *w;

	im->type = type_of(h->kind);
	im->arch = h->is_aarch64 & 1 ? &arch_aarch64 : &arch_x86_64;
	w = im->type->wanted;
	for (unsigned i = 0; i < h->n_symbols; i++) {
		struct runtime_symbol s;

		if (!take(at, end, &s, sizeof(s)))
			return false;
		if (w->name)
			memcpy((char *)im + (w++)->offset, &s, sizeof(s));
	}
	if (im->type != &runtime_v8)
		return im->type->accept(im, NULL);
	/* This comes from the file. */
	return take(at, end, &im->v8.layout, sizeof(im->v8.layout)) &&
	       v8_layout_fits(&im->v8.layout);
}

static void check_symbol(const struct elf_symbol *s, void *arg)
{
	struct text shown = TEXT_EMPTY;

	(void)arg;
	escape_terminal(&shown, s->name, strlen(s->name));
	if (strcmp(shown.chars, s->name) != 0)
		abort();
	text_done(&shown);
}

static void check_image(struct runtime_functions *f, enum runtime_kind kind)
{
	struct bytes image = { 0 };
	struct elf_file *file;

	if (runtime_functions_put(f, kind, &image)) {
		if (elf_file_open_memory(image.data, image.n, &file) < 0)
			abort();
		elf_symbols_read(file, ELF_SYMTAB, check_symbol, NULL);
		elf_file_free(file);
	}
	bytes_done(&image);
}

/* Names the frames, and checks where they are. */
static void check_frames(const struct runtime_process *p, const uint64_t *words, size_t n)
{
	struct runtime_functions *f = runtime_functions_new(0);
	enum runtime_kind kind = (enum runtime_kind)p->kind;
	const struct runtime_mapping m = runtime_functions_mapping(f, kind);
	struct runtime_addresses to = { 0 };

	runtime_functions_set_process(f, 1, p);
	runtime_functions_read(f, 1, words);
	runtime_functions_translate(f, RUNTIME_STACKS_SAMPLES, 1, words, n, &to);
	for (size_t i = 0; i < to.n; i++)
		if (to.items[i] - m.start >= m.size)
			abort();
	check_image(f, kind);
	free(to.items);
	runtime_functions_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;
	struct runtime_image im = { 0 };
	struct runtime_process p;
	uint64_t words[2 * FRAMES_MAX];
	struct head h;
	size_t n;

	if (!take(&at, end, &h, sizeof(h)) || !take_image(&at, end, &h, &im))
		return 0;
	n = h.n_frames % (FRAMES_MAX + 1) * 2;
	if (!take(&at, end, words, n * sizeof(words[0])))
		return 0;
	for (size_t i = 0; i < n; i += 2)
		words[i] = RUNTIME_FRAME(RUNTIME_SORT(words[i]), RUNTIME_OBJECT(words[i]));
	set_memory(at, end);
	if (runtime_process_find(&im, getpid(), h.bias, &h.libc, &p) >= 0 && n)
		check_frames(&p, words, n);
	return 0;
}
