/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes jit-PID.dump, which is written by programs that are being profiled, into directories where
 * others may write too. Reading ends, no code is empty or goes beyond the last address, the parts
 * that a record gives lie within the file, and all uses of a dump work: names by address and time,
 * rules for unwinding, code to disassemble, and the files that inject writes.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "session/image-rules.h"
#include "symbol/code.h"
#include "symbol/jit-code.h"
#include "symbol/jitdump.h"
#include "symbol/symbolizer.h"
#include "transform/jit-images.h"
#include "dwarf/unwind/cfi-rules.h"

/* The rules of at most this many addresses of a function are looked up. */
#define ADDRESSES_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* EM_X86_64, EM_AARCH64 */
static const struct arch *const machines[] = { &arch_x86_64, &arch_aarch64 };

static bool lies_within(struct jitdump_part p, size_t size)
{
	return !p.size || (p.offset <= size && p.size <= size - p.offset);
}

static void check_code(const struct jitdump_code *c, void *arg)
{
	size_t size = *(const size_t *)arg;

	if (!c->size || c->addr + c->size < c->addr)
		abort();
	if (!lies_within(c->code, size) || !lies_within(c->eh_frame, size) ||
	    !lies_within(c->eh_frame_hdr, size) || !lies_within(c->lines, size))
		abort();
	if (c->code.size && c->code.size != c->size)
		abort();
}

static void check_rules(struct image_rules *rules, const struct jit_load *l,
			const struct arch *arch)
{
	struct cfi_rules *r = image_rules_get(rules, l->image, arch);

	for (uint64_t i = 0; i < ADDRESSES_MAX && i < l->end - l->start; i++)
		if (!image_rules_find(rules, l->image, r, l->start + i))
			abort();
}

/*
 * Checks that a lookup at the start and time of a load finds it, or a later load of the same time.
 */
static void check_load(const struct jit_code *c, const struct jit_load *load,
		       struct code_store *codes)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t from = 0, until = UINT64_MAX;
	const struct jit_load *l = jit_code_find(c, load->start, load->since, &from, &until);
	const struct symbol *sym;
	struct code code;

	if (!l || l->since != load->since || l->number < load->number || from != l->since ||
	    until < from)
		abort();
	sym = image_symbol_find(l->image, load->start);
	if (!sym)
		abort();
	if (code_read(codes, l->image, sym, &code, &d) >= 0)
		code_done(&code);
}

static void check_names(const struct jit_request *request)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct jit_code *c = symbolizer_jit_code(s, request);
	struct code_store *codes = code_store_new();
	size_t n = 0;
	const struct jit_load *loads = c ? jit_code_loads(c, &n) : NULL;

	for (size_t i = 0; i < n; i++)
		check_load(c, &loads[i], codes);
	for (size_t m = 0; m < ARRAY_SIZE(machines); m++) {
		struct image_rules *rules = image_rules_new(1);

		for (size_t i = 0; i < n; i++)
			check_rules(rules, &loads[i], machines[m]);
		image_rules_free(rules);
	}
	code_store_free(codes);
	symbolizer_free(s);
}

static void check_inject(const char *path)
{
	const struct jit_dump_request request = { .path = path, .is_monotonic = true };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct jit_dump_images images = { 0 };

	if (jit_dump_images_write(&request, &images, &d) < 0)
		abort();
	for (size_t i = 0; i < images.n; i++)
		unlink(images.items[i].path);
	jit_dump_images_done(&images);
}

static void store(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char directory[] = "/dev/shm/fuzz-jitdump-XXXXXX", path[64];
	struct jitdump_header header;

	if (jitdump_parse(data, size, &header, check_code, &size) < 0)
		return 0;
	if (!mkdtemp(directory))
		abort();
	/* A dump is trusted only if its file name has the process id of its header. */
	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, (int)(header.pid & INT32_MAX));
	store(path, data, size);
	check_names(&(struct jit_request){ .path = path });
	check_names(&(struct jit_request){ .path = path, .is_other_clock = true });
	check_inject(path);
	unlink(path);
	if (rmdir(directory) < 0)
		abort();
	return 0;
}
