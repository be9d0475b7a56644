/* SPDX-License-Identifier: MIT */
#include "elf/file.h"

#include <errno.h>

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/guarded-map.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/sealed-file.h"
#include "elf/build-id.h"
#include "elf/compressed.h"

struct elf_file {
	Elf *elf;
	int fd;
	char *unpacked;          /* contents of a compressed file, or NULL */
	struct guarded_map *map; /* or NULL */
	GElf_Ehdr header;
	GElf_Phdr *loads; /* PT_LOAD, by address */
	size_t n_loads;
	uint64_t identity;
};

void elf_file_free(struct elf_file *f)
{
	if (!f)
		return;
	elf_end(f->elf);
	closep(&f->fd);
	guarded_map_free(f->map);
	free(f->unpacked);
	free(f->loads);
	free(f);
}

struct Elf *elf_file_handle(struct elf_file *f)
{
	return f->elf;
}

uint64_t elf_file_identity(const struct elf_file *f)
{
	return f->identity;
}

static uint64_t elf_file_identity_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;

	const uint64_t facts[] = {
		st.st_dev,
		st.st_ino,
		(uint64_t)st.st_size,
		(uint64_t)st.st_mtim.tv_sec,
		(uint64_t)st.st_mtim.tv_nsec,
	};
	uint64_t id = 0;

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		id = sealed_identity(id, facts[i]);
	return id;
}

static int elf_file_by_address(const void *a, const void *b)
{
	const GElf_Phdr *x = a, *y = b;

	return (x->p_vaddr > y->p_vaddr) - (x->p_vaddr < y->p_vaddr);
}

static void read_loads(struct elf_file *f)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n) < 0 || n == 0)
		return;
	/* libelf has checked that this number of headers fits into the file. */
	f->loads = xcalloc(n, sizeof(f->loads[0]));
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr *p = &f->loads[f->n_loads];

		if (gelf_getphdr(f->elf, (int)i, p) && p->p_type == PT_LOAD)
			f->n_loads++;
	}
	qsort(f->loads, f->n_loads, sizeof(f->loads[0]), elf_file_by_address);
}

/* Reads the headers; shared by all ways of opening. */
static int elf_file_examine(struct elf_file *f)
{
	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &f->header))
		return -ENOEXEC;
	read_loads(f);
	return 0;
}

static int open_unpacked(struct elf_file *f)
{
	size_t size;
	int r = compressed_read(f->fd, &f->unpacked, &size);

	if (r < 0)
		return r;
	f->elf = elf_memory(f->unpacked, size);
	return 0;
}

/*
 * True if sections are compressed. When libelf decompresses one it writes to its header, which a
 * mapping does not permit.
 */
static bool has_packed_sections(Elf *elf)
{
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) != 0)
		return false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(scn, &h) ? elf_strptr(elf, strings, h.sh_name)
							 : NULL;

		if (name && (h.sh_flags & SHF_COMPRESSED || !strncmp(name, ".zdebug", 7)))
			return true;
	}
	return false;
}

/* Maps the file. False: it has to be read instead. */
static bool open_mapped(struct elf_file *f)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    guarded_map_new(f->fd, (uint64_t)st.st_size, &f->map) < 0)
		return false;
	f->elf = elf_memory((char *)guarded_map_bytes(f->map), (size_t)st.st_size);
	if (has_packed_sections(f->elf)) {
		elf_end(f->elf);
		guarded_map_free(TAKE(f->map));
		return false;
	}
	close(f->fd);
	f->fd = -1;
	return true;
}

static int elf_file_open_path(const char *path, bool mapped, struct elf_file **ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = xcalloc(1, sizeof(*f));
	int r;

	elf_version(EV_CURRENT);
	f->fd = input_file_open(path);
	if (f->fd < 0)
		return f->fd;
	f->identity = elf_file_identity_of(f->fd);
	if (compressed_is(f->fd)) {
		r = open_unpacked(f);
		if (r < 0)
			return r;
	} else if (!mapped || !open_mapped(f)) {
		f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	}
	r = elf_file_examine(f);
	if (r < 0)
		return r;
	*ret = TAKE(f);
	return 0;
}

int elf_file_open(const char *path, struct elf_file **ret)
{
	return elf_file_open_path(path, false, ret);
}

int elf_file_open_mapped(const char *path, struct elf_file **ret)
{
	return elf_file_open_path(path, true, ret);
}

char *elf_file_folder(const struct elf_file *f)
{
	_cleanup_(freep) char *link = xasprintf("/proc/self/fd/%d", f->fd);
	char path[PATH_MAX];
	ssize_t n = f->fd < 0 ? -1 : readlink(link, path, sizeof(path) - 1);

	while (n > 0 && path[n - 1] != '/')
		n--;
	return n > 0 ? xstrndup(path, (size_t)n) : NULL;
}

int elf_file_open_memory(const void *bytes, size_t size, struct elf_file **ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = xcalloc(1, sizeof(*f));
	int r;

	elf_version(EV_CURRENT);
	f->fd = -1;
	/* libelf's parameter is not const, but reading changes nothing. */
	f->elf = elf_memory((char *)bytes, size);
	r = elf_file_examine(f);
	if (r < 0)
		return r;
	*ret = TAKE(f);
	return 0;
}

int elf_file_take_memory(uint8_t *bytes, size_t size, struct elf_file **ret)
{
	int r = elf_file_open_memory(bytes, size, ret);

	if (r < 0)
		free(bytes);
	else
		(*ret)->unpacked = (char *)bytes;
	return r;
}

int elf_file_open_packed(const void *bytes, size_t size, struct elf_file **ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = xcalloc(1, sizeof(*f));
	size_t unpacked;
	int r = compressed_unpack(bytes, size, COMPRESSED_MODULE_MAX, &f->unpacked, &unpacked);

	f->fd = -1;
	if (r < 0)
		return r;
	elf_version(EV_CURRENT);
	f->elf = elf_memory(f->unpacked, unpacked);
	r = elf_file_examine(f);
	if (r < 0)
		return r;
	*ret = TAKE(f);
	return 0;
}

uint16_t elf_file_machine(const struct elf_file *f)
{
	return f->header.e_machine;
}

uint64_t elf_file_entry(const struct elf_file *f)
{
	return f->header.e_entry;
}

uint16_t elf_file_type(const struct elf_file *f)
{
	return f->header.e_type;
}

bool elf_file_is_64(const struct elf_file *f)
{
	return f->header.e_ident[EI_CLASS] == ELFCLASS64;
}

bool elf_file_is_swapped(const struct elf_file *f)
{
	uint8_t own = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

	return f->header.e_ident[EI_DATA] != own;
}

static void fill_section(struct elf_file *f, const GElf_Shdr *h, struct elf_section *ret)
{
	const char *name = NULL;
	size_t strings;

	if (elf_getshdrstrndx(f->elf, &strings) == 0)
		name = elf_strptr(f->elf, strings, h->sh_name);
	*ret = (struct elf_section){
		.name = name ? name : "",
		.type = h->sh_type,
		.flags = h->sh_flags,
		.addr = h->sh_addr,
		.offset = h->sh_offset,
		.size = h->sh_size,
		.entry_size = h->sh_entsize,
		.link = h->sh_link,
	};
}

bool elf_file_section(struct elf_file *f, size_t index, struct elf_section *ret)
{
	Elf_Scn *scn = elf_getscn(f->elf, index);
	GElf_Shdr h;

	if (!scn || !gelf_getshdr(scn, &h))
		return false;
	fill_section(f, &h, ret);
	return true;
}

size_t elf_file_section_find(struct elf_file *f, const char *name, struct elf_section *ret)
{
	struct elf_section s;

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
		size_t index = elf_ndxscn(scn);

		if (elf_file_section(f, index, &s) && !strcmp(s.name, name)) {
			*ret = s;
			return index;
		}
	}
	return 0;
}

static uint64_t elf_file_size(struct elf_file *f)
{
	struct stat st;
	size_t size;

	if (f->fd >= 0 && !f->unpacked)
		return fstat(f->fd, &st) < 0 ? 0 : (uint64_t)st.st_size;
	return elf_rawfile(f->elf, &size) ? size : 0;
}

bool elf_file_has_bytes(struct elf_file *f, const struct elf_section *s)
{
	uint64_t size = elf_file_size(f);

	return s->type != SHT_NOBITS && s->size && s->size <= size && s->offset <= size - s->size;
}

const uint8_t *elf_file_section_bytes(struct elf_file *f, size_t index, size_t *ret_size)
{
	Elf_Scn *scn = elf_getscn(f->elf, index);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	if (!data || !data->d_buf)
		return NULL;
	*ret_size = data->d_size;
	return data->d_buf;
}

const uint8_t *elf_file_section_content(struct elf_file *f, size_t index, size_t *ret_size)
{
	Elf_Scn *scn = elf_getscn(f->elf, index);
	Elf_Data *data;
	GElf_Shdr h;

	if (!scn || !gelf_getshdr(scn, &h) || !(h.sh_flags & SHF_COMPRESSED))
		return elf_file_section_bytes(f, index, ret_size);
	/* Decompression changes the section's header, which is not permitted in borrowed bytes. */
	if (f->fd < 0 || elf_compress(scn, 0, 0) < 0)
		return NULL;
	data = elf_getdata(scn, NULL);
	if (!data || !data->d_buf)
		return NULL;
	*ret_size = data->d_size;
	return data->d_buf;
}

static bool notes_build_id(Elf_Data *data, struct build_id *ret)
{
	size_t next, name, desc;
	GElf_Nhdr h;

	for (size_t at = 0; data && (next = gelf_getnote(data, at, &h, &name, &desc)) > 0;
	     at = next) {
		const char *bytes = data->d_buf;

		if (h.n_type != NT_GNU_BUILD_ID || h.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    !h.n_descsz || memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0)
			continue;
		*ret = build_id_make(bytes + desc, h.n_descsz);
		return true;
	}
	return false;
}

/*
 * Searches sections first, because the program headers of a separate debug file point to missing
 * bytes.
 */
static bool sections_build_id(struct elf_file *f, struct build_id *ret)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_NOTE &&
		    notes_build_id(elf_getdata(scn, NULL), ret))
			return true;
	}
	return false;
}

static bool segments_build_id(struct elf_file *f, struct build_id *ret)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n) < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(f->elf, (int)i, &p) || p.p_type != PT_NOTE)
			continue;

		/* libelf refuses ranges outside of the file. */
		Elf_Data *data = elf_getdata_rawchunk(f->elf, (int64_t)p.p_offset, p.p_filesz,
						      p.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);

		if (notes_build_id(data, ret))
			return true;
	}
	return false;
}

int elf_file_build_id(struct elf_file *f, struct build_id *ret)
{
	return sections_build_id(f, ret) || segments_build_id(f, ret) ? 0 : -ENODATA;
}

bool elf_file_thread_storage(struct elf_file *f, uint64_t *ret_size, uint64_t *ret_align)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n) < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(f->elf, (int)i, &p) && p.p_type == PT_TLS) {
			*ret_size = p.p_memsz;
			*ret_align = p.p_align;
			return true;
		}
	}
	return false;
}

/* Returns the segment that is loaded at @addr, or NULL. */
static const GElf_Phdr *find_load(const struct elf_file *f, uint64_t addr)
{
	size_t n = BISECT(i, f->n_loads, f->loads[i].p_vaddr <= addr);

	if (!n || addr - f->loads[n - 1].p_vaddr >= f->loads[n - 1].p_memsz)
		return NULL;
	return &f->loads[n - 1];
}

bool elf_file_offset(struct elf_file *f, uint64_t addr, uint32_t section, uint64_t *ret)
{
	const GElf_Phdr *p = find_load(f, addr);
	struct elf_section s;

	if (p) {
		*ret = addr - p->p_vaddr + p->p_offset;
		return true;
	}
	if (!elf_file_section(f, section, &s) || !(s.flags & SHF_ALLOC))
		return false;
	*ret = addr - s.addr + s.offset;
	return true;
}

bool elf_file_address(const struct elf_file *f, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < f->n_loads; i++) {
		const GElf_Phdr *p = &f->loads[i];

		if (offset < p->p_offset || offset - p->p_offset >= p->p_filesz)
			continue;
		*ret = offset - p->p_offset + p->p_vaddr;
		return true;
	}
	return false;
}

size_t elf_file_read(struct elf_file *f, uint64_t offset, void *ret, size_t n)
{
	if (f->fd >= 0 && !f->unpacked) {
		ssize_t got = pread(f->fd, ret, n, (off_t)offset);

		return got < 0 ? 0 : (size_t)got;
	}

	size_t size;
	const char *bytes = elf_rawfile(f->elf, &size);

	if (!bytes || offset >= size)
		return 0;
	n = n < size - offset ? n : size - offset;
	memcpy(ret, bytes + offset, n);
	return n;
}

void elf_file_drop(struct elf_file *f)
{
	size_t size;

	if (f->map && elf_rawfile(f->elf, &size))
		guarded_map_drop(f->map, 0, size);
}

bool elf_file_has_code(struct elf_file *f)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn));) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && h.sh_flags & SHF_EXECINSTR)
			return h.sh_type != SHT_NOBITS;
	}
	return f->n_loads > 0;
}

int elf_build_id_read(const char *path, struct build_id *ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	int r = elf_file_open(path, &f);

	return r < 0 ? r : elf_file_build_id(f, ret);
}
