/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A program for aarch64, made in memory, with all ways of returning: by a frame record, by the link
 * register alone, through a stub, never, and to the place that a signal interrupted; and a function
 * of Go.
 */
#include "elf/built-elf.h"

/* Offsets in its .text. */
enum {
	LEAF_CALLER = 0x00,   /* keeps a frame record */
	LEAF_SETS_FP = 0x04,  /* the record is stored, but not in use yet */
	LEAF_CALLS = 0x08,    /* calls something */
	LEAF_RESTORED = 0x10, /* the record is gone, although CFI does not say so */
	LEAF_RETURNS = 0x14,
	LEAF_LEAF = 0x18, /* keeps none */
	LEAF_STUB = 0x24, /* has no CFI */
	LEAF_START = 0x34,
	LEAF_SIGNAL = 0x3c,
	LEAF_PAST = 0x44,
	LEAF_GO = 0x48,          /* a function of Go, with a record for the function it calls */
	LEAF_GO_SETS_FP = 0x50,  /* sets it to its own record */
	LEAF_GO_STORES = 0x54,   /* the other record */
	LEAF_GO_CALLS = 0x5c,    /* the frame pointer points to that record */
	LEAF_GO_RETURNED = 0x60, /* still */
	LEAF_GO_RESET = 0x64,
};

static const uint32_t leaf_code[] = {
	0xa9be7bfd, /* 00 stp x29, x30, [sp, #-32]! */
	0x910003fd, /* 04 mov x29, sp */
	0x94000010, /* 08 bl */
	0xa9407bfd, /* 0c ldp x29, x30, [sp] */
	0x910083ff, /* 10 add sp, sp, #32 */
	0xd65f03c0, /* 14 ret */
	0x91000400, /* 18 add x0, x0, #1 */
	0xb4ffffe0, /* 1c cbz x0 */
	0xd65f03c0, /* 20 ret */
	0x90000010, /* 24 adrp x16 */
	0xf9400211, /* 28 ldr x17, [x16] */
	0x91000210, /* 2c add x16, x16 */
	0xd61f0220, /* 30 br x17 */
	0xd280001d, /* 34 mov x29, #0 */
	0x14000000, /* 38 b */
	0xd2801168, /* 3c mov x8, #139 */
	0xd4000001, /* 40 svc #0 */
	0xd503201f, /* 44 nop */
	0xf81e0ffe, /* 48 str x30, [sp, #-32]! */
	0xf81f83fd, /* 4c stur x29, [sp, #-8] */
	0xd10023fd, /* 50 sub x29, sp, #8 */
	0xa93eeffd, /* 54 stp x29, x27, [sp, #-24] */
	0xd10063fd, /* 58 sub x29, sp, #24 */
	0x94000010, /* 5c bl */
	0xd10023fd, /* 60 sub x29, sp, #8 */
	0xa97ffbfd, /* 64 ldp x29, x30, [sp, #-8] */
	0x910083ff, /* 68 add sp, sp, #32 */
	0xd65f03c0, /* 6c ret */
};

struct leaf_frames {
	uint8_t bytes[4096];
	size_t n;
};

static inline void leaf_put(struct leaf_frames *f, const void *bytes, size_t n)
{
	memcpy(f->bytes + f->n, bytes, n);
	f->n += n;
}

/* Pads the entry that began at @start, and fills in its length. */
static inline void leaf_close(struct leaf_frames *f, size_t start)
{
	uint32_t length;

	f->n = (f->n + 7) & ~(size_t)7;
	length = (uint32_t)(f->n - start - sizeof(length));
	memcpy(f->bytes + start, &length, sizeof(length));
}

/* Appends a CIE: CFA = sp, return address in x30, plain addresses. */
static inline size_t leaf_cie(struct leaf_frames *f, const char *augmentation)
{
	static const uint8_t rest[] = { 4, 0x78, 30, 1, 0, 0x0c, 31, 0 };
	size_t start = f->n;

	leaf_put(f, "\0\0\0\0\0\0\0\0\1", 9);
	leaf_put(f, augmentation, strlen(augmentation) + 1);
	leaf_put(f, rest, sizeof(rest));
	leaf_close(f, start);
	return start;
}

static inline void leaf_fde(struct leaf_frames *f, size_t cie, uint64_t addr, uint64_t size,
			    const void *program, size_t program_size)
{
	size_t start = f->n;
	uint32_t back = (uint32_t)(start + 4 - cie);

	leaf_put(f, "\0\0\0\0", 4);
	leaf_put(f, &back, sizeof(back));
	leaf_put(f, &addr, sizeof(addr));
	leaf_put(f, &size, sizeof(size));
	leaf_put(f, "", 1);
	leaf_put(f, program, program_size);
	leaf_close(f, start);
}

/*
 * Builds the program in @b, with its frames in the section @frames. Returns the offset of .text in
 * the file.
 */
static inline uint64_t leaf_elf_build(struct built_elf *b, const char *frames)
{
	/*
	 * From the second instruction on the CFA is sp + 32, with x29 and x30 below it, until 14.
	 */
	static const uint8_t caller[] = { 0x41, 0x0e, 32,   0x9d, 4,    0x9e,
					  3,    0x44, 0xdd, 0xde, 0x0e, 0x00 };
	static const uint8_t start[] = { 0x07, 30 };
	/* Go's CFI does not mention x29. */
	static const uint8_t go[] = { 0x41, 0x0e, 32, 0x9e, 4, 0x48, 0xde, 0x0e, 0x00 };
	struct leaf_frames f = { .n = 0 };

	built_begin(b);

	size_t text = built_add(b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, leaf_code,
				sizeof(leaf_code));
	uint64_t addr = b->sections[text].sh_addr;
	size_t cie = leaf_cie(&f, "zR");

	leaf_fde(&f, cie, addr + LEAF_CALLER, LEAF_LEAF - LEAF_CALLER, caller, sizeof(caller));
	leaf_fde(&f, cie, addr + LEAF_LEAF, LEAF_STUB - LEAF_LEAF, "", 0);
	leaf_fde(&f, cie, addr + LEAF_START, LEAF_SIGNAL - LEAF_START, start, sizeof(start));
	leaf_fde(&f, cie, addr + LEAF_GO, sizeof(leaf_code) - LEAF_GO, go, sizeof(go));
	leaf_fde(&f, leaf_cie(&f, "zRS"), addr + LEAF_SIGNAL, LEAF_PAST - LEAF_SIGNAL, "", 0);
	leaf_put(&f, "\0\0\0\0", 4);
	built_add(b, frames, SHT_PROGBITS, SHF_ALLOC, f.bytes, f.n);
	built_end(b, EM_AARCH64, ET_DYN);
	return b->sections[text].sh_offset;
}
