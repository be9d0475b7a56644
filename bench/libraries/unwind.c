/* SPDX-License-Identifier: MIT */
/*
 * Call frame information by our reader and by libdw: the rule for an address; and what a frame of a
 * recording's stacks takes us, when places are new and when they are known. Answers: how many
 * addresses have a rule.
 *
 *     unwind FILE [RECORDING...]
 *
 * Needs: libdw
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules.h"
#include "elf/file.h"
#include "session/consumer.h"
#include "session/stack-unwind.h"
#include "symbol/symbolizer.h"
#include "versus.h"

#define ADDRESSES  20000
#define AGAIN      20
#define FRAMES_MAX 127

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Places in the code of a file, all of them asked for so many times. */
struct question {
	const char *path;
	unsigned times;
	uint64_t at[ADDRESSES];
};

static uint64_t rules_by_library(const void *question)
{
	const struct question *q = question;
	Dwarf_Op memory[3], *ops;
	struct elf_file *f = NULL;
	uint64_t found = 0;
	Dwarf_CFI *cfi;
	size_t n_ops;

	elf_file_open(q->path, &f);
	cfi = dwarf_getcfi_elf(elf_file_handle(f));
	for (size_t i = 0; i < ADDRESSES * q->times; i++) {
		Dwarf_Frame *frame;
		uint64_t addr = 0;

		elf_file_address(f, q->at[i % ADDRESSES], &addr);
		if (dwarf_cfi_addrframe(cfi, addr, &frame) != 0)
			continue;
		dwarf_frame_cfa(frame, &ops, &n_ops);
		for (int reg = 29; reg <= 30; reg++)
			dwarf_frame_register(frame, reg, memory, &ops, &n_ops);
		free(frame);
		found++;
	}
	return found;
}

static uint64_t rules_by_us(const void *question)
{
	const struct question *q = question;
	struct elf_file *f = NULL;
	struct cfi_rules *r;
	uint64_t found = 0;

	elf_file_open(q->path, &f);
	r = cfi_rules_new(f);
	for (size_t i = 0; i < ADDRESSES * q->times; i++)
		found += cfi_rules_find(r, q->at[i % ADDRESSES]) != &unwind_rule_unknown;
	return found;
}

static void measure_rules(const char *path)
{
	static struct question q;
	struct elf_section text;
	struct elf_file *f;

	if (elf_file_open(path, &f) < 0 || !elf_file_section_find(f, ".text", &text)) {
		fprintf(stderr, "%s cannot be read\n", path);
		return;
	}
	q.path = path;
	for (size_t i = 0; i < ADDRESSES; i++)
		q.at[i] = text.offset + (uint64_t)random() % text.size / 4 * 4;
	elf_file_free(f);
	q.times = 1;
	versus("the rule for an address, once", rules_by_us, rules_by_library, &q, ADDRESSES);
	q.times = AGAIN;
	versus("the same addresses again and again", rules_by_us, rules_by_library, &q,
	       ADDRESSES * AGAIN);
}

struct samples {
	struct {
		struct sample sample;
		uint64_t time;
		void *copy;
	} * items;
	size_t n, room;
	struct session *session;
};

static int keep(void *arg, const struct sample_batch *b)
{
	struct samples *to = arg;

	for (size_t i = 0; i < b->n; i++) {
		struct delivered kept = *b->items[i].record;
		size_t size = kept.raw.header.size;
		void *copy = xmalloc(size);

		memcpy(copy, kept.raw.bytes, size);
		kept.raw.bytes = copy;
		to->items = array_reserve(to->items, &to->room, to->n + 1, sizeof(to->items[0]));
		to->items[to->n].copy = copy;
		to->items[to->n].time = kept.time;
		to->n += session_decode_sample(to->session, &kept, &to->items[to->n].sample) >= 0;
	}
	return 0;
}

/* Nanoseconds for each frame of all stacks. */
static double unwind_all(const struct samples *from, struct stack_unwinder *u,
			 const struct session *s, size_t *ret_frames)
{
	double start = now_ns();

	*ret_frames = 0;
	for (size_t i = 0; i < from->n; i++)
		*ret_frames += stack_unwind(u, s, &from->items[i].sample, from->items[i].time,
					    FRAMES_MAX)
				       .n;
	return (now_ns() - start) / (double)*ret_frames;
}

static void measure_stacks(const char *path)
{
	struct symbolizer *symbols = symbolizer_new(&(struct symbolizer_options){ 0 });
	struct session_options o = { .path = path, .force = true, .symbolizer = symbols };
	struct stack_unwinder *u = stack_unwinder_new(), *fresh = stack_unwinder_new();
	struct diag diag = { 0 };
	struct samples samples = { 0 };
	struct session *s;
	double first, cold, warm;
	size_t frames;

	if (session_open(&o, &s, &diag) < 0) {
		fprintf(stderr, "%s cannot be read\n", path);
		return;
	}
	samples.session = s;
	session_feed(s, NULL, &(struct consumer){ .samples = keep, .arg = &samples }, &diag);
	first = unwind_all(&samples, u, s, &frames);
	cold = unwind_all(&samples, fresh, s, &frames);
	warm = unwind_all(&samples, fresh, s, &frames);
	printf("%zu frames: %.1f ns each with reading the files, %.1f ns for a new thread, %.1f ns "
	       "when all is known\n",
	       frames, first, cold, warm);
}

int main(int argc, char **argv)
{
	versus_title("unwinding", "libdw");
	measure_rules(argc > 1 ? argv[1] : "/proc/self/exe");
	for (int i = 2; i < argc; i++)
		measure_stacks(argv[i]);
	return EXIT_SUCCESS;
}
