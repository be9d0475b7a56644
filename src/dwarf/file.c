/* SPDX-License-Identifier: MIT */
#include "dwarf/file.h"

#include <config.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <zstd.h>

#include "elf/file.h"

bool elf_has_dwarf(struct elf_file *f)
{
	struct elf_section s;

	return (elf_file_section_find(f, ".debug_info", &s) ||
		elf_file_section_find(f, ".zdebug_info", &s)) &&
	       s.type != SHT_NOBITS && s.size > 0;
}

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/workers.h"
#include "elf/image.h"
#include "elf/unzip.h"

struct dwarf_file {
	struct elf_file *file, *alt_file, *package;
	struct elf_file *unpacked;     /* the file of @dwarf, if sections are compressed; or NULL */
	struct elf_file *alt_unpacked; /* the same for @alt */
	Dwarf *dwarf, *alt;
	struct elf_file *no_alt; /* used as @alt while that is empty: see dwarf_shut_alt() */
	Dwfl *dwfl;              /* for a relocatable file; then it owns @dwarf */
	uint64_t text;
};

void dwarf_file_free(struct dwarf_file *f)
{
	if (!f)
		return;
	if (f->dwfl)
		dwfl_end(f->dwfl);
	else
		dwarf_end(f->dwarf);
	dwarf_end(f->alt);
	elf_file_free(f->unpacked);
	elf_file_free(f->alt_unpacked);
	elf_file_free(f->no_alt);
	elf_file_free(f->file);
	elf_file_free(f->alt_file);
	elf_file_free(f->package);
	free(f);
}

struct Dwarf *dwarf_file_handle(struct dwarf_file *f)
{
	return f->dwarf;
}

struct elf_file *dwarf_file_elf(struct dwarf_file *f)
{
	return f->file;
}

uint64_t dwarf_file_text(const struct dwarf_file *f)
{
	return f->text;
}

/* libdwfl's own search for debug files is switched off: we have already found them. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc, char **ret)
{
	(void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc,
		(void)ret;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Copies @file into a memfd, because libdwfl reads only files. Returns the descriptor. */
static int copy_to_memory(struct elf_file *file)
{
	size_t size;
	const char *bytes = elf_rawfile(elf_file_handle(file), &size);
	_cleanup_(closep) int fd = memfd_create("relocatable", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (!bytes)
		return -EBADMSG;

	int r = file_write(fd, bytes, size);
	int copy = fd;

	if (r < 0)
		return r;
	fd = -1;
	return copy;
}

/* Returns the address that libdwfl gave to the section .text. */
static uint64_t dwarf_file_find_text(Dwfl_Module *module, struct elf_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	struct elf_section text;
	size_t index = elf_file_section_find(file, ".text", &text);
	Elf_Scn *scn = elf && index ? elf_getscn(elf, index) : NULL;
	GElf_Shdr h;

	return scn && gelf_getshdr(scn, &h) ? h.sh_addr + bias : 0;
}

static int open_relocatable(struct dwarf_file *f)
{
	Dwarf_Addr bias;
	int fd = copy_to_memory(f->file);

	if (fd < 0)
		return fd;
	f->dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(f->dwfl);

	/* Takes ownership of the descriptor on success. */
	Dwfl_Module *module = dwfl_report_offline(f->dwfl, "", "", fd);

	dwfl_report_end(f->dwfl, NULL, NULL);
	if (!module)
		close(fd);
	f->dwarf = module ? dwfl_module_getdwarf(module, &bias) : NULL;
	if (!f->dwarf)
		return -EBADMSG;
	f->text = dwarf_file_find_text(module, f->file);
	return 0;
}

/* Opens @file. Sections that we cannot decompress are left to libdw. */
static Dwarf *open_linked(struct elf_file *file, enum dwarf_use use, struct elf_file **ret_unpacked)
{
	if (elf_unpack_dwarf(file, use, ret_unpacked) >= 0)
		file = *ret_unpacked;
	return dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL);
}

/*
 * Gives libdw an empty alternate file. Without one, libdw opens any file that .gnu_debugaltlink
 * names. dwarf_file_set_alt() sets the real one later.
 */
static void dwarf_shut_alt(struct dwarf_file *f)
{
	struct elf_piece empty = { .name = ".debug_info", .size = 1 };
	struct elf_section s;
	size_t size;

	if (!elf_file_section_find(f->file, ".gnu_debugaltlink", &s))
		return;

	uint8_t *bytes = elf_image_new(&empty, 1, elf_file_machine(f->file), &size);

	if (elf_file_take_memory(bytes, size, &f->no_alt) < 0)
		return;
	f->alt = dwarf_begin_elf(elf_file_handle(f->no_alt), DWARF_C_READ, NULL);
	if (f->alt)
		dwarf_setalt(f->dwarf, f->alt);
}

static int dwarf_file_open_for(struct elf_file *file, enum dwarf_use use, struct dwarf_file **ret)
{
	_cleanup_(dwarf_file_freep) struct dwarf_file *f = xcalloc(1, sizeof(*f));

	f->file = file;
	if (!elf_has_dwarf(file))
		return -ENODATA;
	if (elf_file_type(file) == ET_REL) {
		int r = open_relocatable(f);

		if (r < 0)
			return r;
	} else {
		f->dwarf = open_linked(file, use, &f->unpacked);
		if (!f->dwarf)
			return -EBADMSG;
	}
	dwarf_shut_alt(f);
	*ret = TAKE(f);
	return 0;
}

int dwarf_file_open(struct elf_file *file, struct dwarf_file **ret)
{
	return dwarf_file_open_for(file, DWARF_FOR_LINES, ret);
}

int dwarf_file_open_for_variables(struct elf_file *file, struct dwarf_file **ret)
{
	return dwarf_file_open_for(file, DWARF_FOR_VARIABLES, ret);
}

void dwarf_file_set_alt(struct dwarf_file *f, struct elf_file *alt)
{
	Dwarf *opened = open_linked(alt, DWARF_FOR_LINES, &f->alt_unpacked);

	f->alt_file = alt;
	if (!opened)
		return;
	dwarf_setalt(f->dwarf, opened);
	dwarf_end(f->alt);
	f->alt = opened;
}

void dwarf_file_set_package(struct dwarf_file *f, struct elf_file *package)
{
	f->package = package;
}

struct elf_file *dwarf_file_package(struct dwarf_file *f)
{
	return f->package;
}

#define PACKED_BY_ZSTD 2    /* its value in newer <elf.h> */
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
	/* From here on, only for DWARF_FOR_VARIABLES. */
	".debug_loclists",
	".debug_loc",
	".debug_frame",
};

#define N_WANTED    (ARRAY_SIZE(wanted))
#define N_VARIABLES 3

struct packed {
	uint64_t offset; /* of the contents in the file, without the compression header */
	size_t size;
	uint32_t how; /* ELFCOMPRESS_*; 0: not packed */
	bool failed;
};

struct dwarf_file_job {
	struct elf_file *file;
	struct packed from[N_WANTED];
	struct elf_piece to[N_WANTED];
	size_t n, n_packed;
	uint64_t total;
	uint8_t *out;
	struct unzip *unzip;
};

/* Removes the compression header of @p and returns the decompressed size. */
static int sections_take_header(struct elf_file *f, struct packed *p, uint64_t *ret_size)
{
	Elf64_Chdr h;

	if (p->size < sizeof(h) || elf_file_read(f, p->offset, &h, sizeof(h)) < sizeof(h))
		return -EBADMSG;
	p->offset += sizeof(h);
	p->size -= sizeof(h);
	if (!h.ch_type)
		return -ENOTSUP;
	if (h.ch_size / RATIO_MAX > p->size)
		return -EBADMSG;
	p->how = h.ch_type;
	*ret_size = h.ch_size;
	return 0;
}

static int sections_add_section(struct dwarf_file_job *j, const char *name)
{
	struct elf_section s;
	uint64_t size;
	int r = 0;

	if (!elf_file_section_find(j->file, name, &s) || !elf_file_has_bytes(j->file, &s))
		return 0;

	struct packed p = { .offset = s.offset, .size = s.size };

	size = p.size;
	if (s.flags & SHF_COMPRESSED)
		r = sections_take_header(j->file, &p, &size);
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

static int sections_gather(struct dwarf_file_job *j, enum dwarf_use use)
{
	const struct elf_file *f = j->file;
	size_t n = use == DWARF_FOR_VARIABLES ? N_WANTED : N_WANTED - N_VARIABLES;
	int r = 0;

	if (!elf_file_is_64(f) || elf_file_is_swapped(f) || elf_file_type(f) == ET_REL)
		return -ENOTSUP;
	for (size_t i = 0; i < n && r >= 0; i++)
		r = sections_add_section(j, wanted[i]);
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

/* Decompresses one section. What was read of the file is not kept beside it. */
static bool sections_unpack(const struct dwarf_file_job *j, const struct packed *p, uint8_t *to,
			    size_t size)
{
	if (!p->how)
		return elf_file_read(j->file, p->offset, to, size) == size;

	_cleanup_(freep) uint8_t *bytes = xmalloc(p->size);

	if (elf_file_read(j->file, p->offset, bytes, p->size) < p->size)
		return false;
#if HAVE_ZSTD
	if (p->how == PACKED_BY_ZSTD)
		return ZSTD_decompress(to, size, bytes, p->size) == size;
#endif
	return unzip(j->unzip, bytes, p->size, to, size);
}

static void unpack_piece(void *arg, size_t i, unsigned worker)
{
	struct dwarf_file_job *j = arg;

	(void)worker;
	j->from[i].failed = !sections_unpack(j, &j->from[i], j->out + j->to[i].offset,
					     j->to[i].size);
}

static int unpack_all(struct dwarf_file_job *j)
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
	struct dwarf_file_job j = { .file = f };
	size_t size;
	int r = sections_gather(&j, use);

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
