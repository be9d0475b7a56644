/* SPDX-License-Identifier: MIT */
#include "dwarf/sections.h"

#include <config.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/workers.h"
#include "elf/file.h"
#include "elf/image.h"
#include "elf/unzip.h"

#define PACKED_BY_ZSTD 2    /* as in newer <elf.h> */
#define RATIO_MAX      1032 /* zlib's best compression ratio; zstd is not better for such data */
#define UNPACKED_MAX   (UINT64_C(1) << 31)
#define THREADS_MAX    4

/* The large ones come first, so that threads finish at about the same time. */
static const char *const wanted[] = {
	".debug_info",
	".debug_line",
	".debug_str",
	".debug_rnglists",
	".debug_ranges",
	".debug_abbrev",
	".debug_line_str",
	".debug_aranges",
	".debug_addr",
	".debug_types",
	".debug_str_offsets",
	/* From here on only for DWARF_FOR_VARIABLES. */
	".debug_loclists",
	".debug_loc",
	".debug_frame",
};

#define N_WANTED    (ARRAY_SIZE(wanted))
#define N_VARIABLES 3

struct packed {
	const uint8_t *bytes; /* as in the file, without the compression header */
	size_t size;
	uint32_t how; /* ELFCOMPRESS_*; 0: not packed */
	bool failed;
};

struct job {
	struct packed from[N_WANTED];
	struct elf_piece to[N_WANTED];
	size_t n, n_packed;
	uint64_t total;
	uint8_t *out;
	struct unzip *unzip;
};

/* Removes the compression header of @p and returns the decompressed size. */
static int sections_take_header(struct packed *p, uint64_t *ret_size)
{
	Elf64_Chdr h;

	if (p->size < sizeof(h))
		return -EBADMSG;
	memcpy(&h, p->bytes, sizeof(h));
	p->bytes += sizeof(h);
	p->size -= sizeof(h);
	if (!h.ch_type)
		return -ENOTSUP;
	if (h.ch_size / RATIO_MAX > p->size)
		return -EBADMSG;
	p->how = h.ch_type;
	*ret_size = h.ch_size;
	return 0;
}

static int sections_add_section(struct job *j, struct elf_file *f, const char *name)
{
	struct packed p = { .how = 0 };
	struct elf_section s;
	size_t index = elf_file_section_find(f, name, &s);
	uint64_t size;
	int r = 0;

	p.bytes = index ? elf_file_section_bytes(f, index, &p.size) : NULL;
	if (!p.bytes)
		return 0;
	size = p.size;
	if (s.flags & SHF_COMPRESSED)
		r = sections_take_header(&p, &size);
	if (r < 0)
		return r;
	if (size > UNPACKED_MAX - j->total)
		return -EBADMSG;
	j->total += size;
	j->n_packed += p.how != 0;
	j->from[j->n] = p;
	j->to[j->n++] = (struct elf_piece){ .name = name, .size = size };
	return 0;
}

static int sections_gather(struct job *j, struct elf_file *f, enum dwarf_use use)
{
	size_t n = use == DWARF_FOR_VARIABLES ? N_WANTED : N_WANTED - N_VARIABLES;
	int r = 0;

	if (!elf_file_is_64(f) || elf_file_is_swapped(f) || elf_file_type(f) == ET_REL)
		return -ENOTSUP;
	for (size_t i = 0; i < n && r >= 0; i++)
		r = sections_add_section(j, f, wanted[i]);
	return r < 0 ? r : j->n_packed ? 0 : -ENODATA;
}

static bool can_unpack(const struct packed *p)
{
	switch (p->how) {
	case 0:
	case ELFCOMPRESS_ZLIB:
		return true;
	case PACKED_BY_ZSTD:
		return HAVE_ZSTD;
	default:
		return false;
	}
}

static bool sections_unpack(const struct job *j, const struct packed *p, uint8_t *to, size_t size)
{
	if (p->how == ELFCOMPRESS_ZLIB)
		return unzip(j->unzip, p->bytes, p->size, to, size);
#if HAVE_ZSTD
	if (p->how == PACKED_BY_ZSTD)
		return ZSTD_decompress(to, size, p->bytes, p->size) == size;
#endif
	memcpy(to, p->bytes, size);
	return true;
}

static void unpack_piece(void *arg, size_t i, unsigned worker)
{
	struct job *j = arg;

	(void)worker;
	j->from[i].failed = !sections_unpack(j, &j->from[i], j->out + j->to[i].offset,
					     j->to[i].size);
}

static int unpack_all(struct job *j)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(0, THREADS_MAX);
	bool failed = false;

	workers_run(w, j->n, unpack_piece, j);
	for (size_t i = 0; i < j->n; i++)
		failed |= j->from[i].failed;
	return failed ? -EBADMSG : 0;
}

int elf_unpack_dwarf(struct elf_file *f, enum dwarf_use use, struct elf_file **ret)
{
	_cleanup_(unzip_freep) struct unzip *unzipper = NULL;
	_cleanup_(freep) uint8_t *out = NULL;
	struct job j = { .n = 0 };
	size_t size;
	int r = sections_gather(&j, f, use);

	if (r < 0)
		return r;
	j.unzip = unzipper = unzip_new();
	for (size_t i = 0; i < j.n; i++)
		if (!can_unpack(&j.from[i]))
			return -ENOTSUP;
	out = elf_image_new(j.to, j.n, elf_file_machine(f), &size);
	j.out = out;
	r = unpack_all(&j);
	return r < 0 ? r : elf_file_take_memory(TAKE(out), size, ret);
}
