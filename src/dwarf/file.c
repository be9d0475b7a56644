/* SPDX-License-Identifier: MIT */
#include "dwarf/file.h"

#include <elf.h>
#include <errno.h>

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

#include "base/file.h"
#include "base/memory.h"
#include "dwarf/sections.h"
#include "elf/image.h"

struct dwarf_file {
	struct elf_file *file, *alt_file, *package;
	struct elf_file *unpacked;     /* the file of @dwarf, if sections are compressed; or NULL */
	struct elf_file *alt_unpacked; /* the same for @alt */
	Dwarf *dwarf, *alt;
	struct elf_file *no_alt; /* of @alt, as long as it is empty: see dwarf_shut_alt() */
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

/* The address that libdwfl gave to the section .text. */
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

	/* Takes the descriptor over on success. */
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
 * Without an alternate file libdw opens what .gnu_debugaltlink names, whatever that is. So it gets
 * one that has nothing in it, until dwarf_file_set_alt() brings the real one.
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
