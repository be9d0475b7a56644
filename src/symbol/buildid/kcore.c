/* SPDX-License-Identifier: MIT */
#include "symbol/buildid/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/output-file.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "kernel/kallsyms-text.h"
#include "kernel/kernel-notes.h"
#include "symbol/buildid/cache.h"

#define CODE_SIZE_MAX (1ull << 30)
#define RANGES_MAX    4096

/* A range of code in memory, and its offsets in kcore (@from) and in the copy (@to). */
struct range {
	uint64_t start, end, from, to;
};

struct kcore_ranges {
	struct range *items;
	size_t n, room;
	uint64_t size;
};

/* Adds [@start, @end) if the file has all of it. */
static void kcore_add_range(struct kcore_ranges *r, struct elf_file *kcore, uint64_t start,
			    uint64_t end)
{
	uint64_t from, last;

	if (end <= start || end - start > CODE_SIZE_MAX - r->size || r->n == RANGES_MAX ||
	    !elf_file_offset(kcore, start, 0, &from) ||
	    !elf_file_offset(kcore, end - 1, 0, &last) || last - from != end - 1 - start)
		return;
	*ARRAY_ADD(r) = (struct range){ .start = start, .end = end, .from = from };
	r->size += end - start;
}

/* Finds the range from _stext to _etext; -EPERM: hidden. */
static int kcore_find_kernel(const char *list, uint64_t *ret_start, uint64_t *ret_end)
{
	uint64_t start = 0, end = 0;
	struct kallsyms_line l;

	for (const char *at = list, *stop = list + strlen(list); kallsyms_next(&at, stop, &l);) {
		if (l.module || l.name_length != 6)
			continue;
		if (!memcmp(l.name, "_stext", 6))
			start = l.addr;
		else if (!memcmp(l.name, "_etext", 6))
			end = l.addr;
	}
	if (!start)
		return -EPERM;
	*ret_start = start;
	*ret_end = end;
	return 0;
}

/*
 * Adds the ranges in lines like "nf_tables 286720 17 - Live 0xffffffffc0a00000": name, size, users,
 * their names, state, address.
 */
static void kcore_add_modules(struct kcore_ranges *r, struct elf_file *kcore, const char *modules)
{
	while (*modules) {
		size_t n = strcspn(modules, "\n");
		_cleanup_(freep) char *line = xstrndup(modules, n);
		unsigned long long size, addr;

		if (sscanf(line, "%*s %llu %*s %*s %*s 0x%llx", &size, &addr) == 2 && addr &&
		    size < CODE_SIZE_MAX)
			kcore_add_range(r, kcore, addr, addr + size);
		modules += n + (modules[n] == '\n');
	}
}

/*
 * Writes the headers of a file that has only program headers and code, for the machine of @kcore.
 */
static int write_headers(struct output_file *o, struct elf_file *kcore, struct kcore_ranges *r)
{
	Elf64_Ehdr e = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = elf_file_machine(kcore),
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(e),
		.e_ehsize = sizeof(e),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (uint16_t)r->n,
	};
	uint64_t at = sizeof(e) + r->n * sizeof(Elf64_Phdr);
	int error = output_file_write(o, &e, sizeof(e));

	for (size_t i = 0; i < r->n && error >= 0; i++) {
		struct range *x = &r->items[i];
		Elf64_Phdr p = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_W | PF_X,
			.p_offset = at,
			.p_vaddr = x->start,
			.p_filesz = x->end - x->start,
			.p_memsz = x->end - x->start,
			.p_align = 4096,
		};

		at += x->end - x->start;
		error = output_file_write(o, &p, sizeof(p));
	}
	return error;
}

static int write_code(struct output_file *o, int from, const struct kcore_ranges *r)
{
	char buffer[64 << 10];

	for (size_t i = 0; i < r->n; i++) {
		uint64_t at = r->items[i].from, left = r->items[i].end - r->items[i].start;

		while (left) {
			size_t want = left < sizeof(buffer) ? (size_t)left : sizeof(buffer);
			ssize_t n = pread(from, buffer, want, (off_t)at);

			if (n <= 0)
				return n < 0 ? -errno : -EIO;

			int e = output_file_write(o, buffer, (size_t)n);

			if (e < 0)
				return e;
			at += (uint64_t)n;
			left -= (uint64_t)n;
		}
	}
	return 0;
}

/* Explains an error of writing @path; @size is the size of the copy. */
static int kcore_explain(int error, const char *path, uint64_t size, struct diag *diag)
{
	if (error < 0 && !diag->message)
		diag_set(diag, error, "cannot write '%s': %s", path, strerror(-error));
	if (error == -ENOSPC || error == -EDQUOT || error == -EFBIG)
		diag_hint(diag,
			  "The kernel's code takes %.1f MB there: make room, or keep the cache "
			  "elsewhere with 'perf --buildid-dir DIR'.",
			  (double)size / 1e6);
	return error;
}

static int write_kcore(const char *kcore, struct elf_file *f, struct kcore_ranges *r,
		       const char *to, struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("%s/kcore", to);
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	_cleanup_(closep) int in = open(kcore, O_RDONLY | O_CLOEXEC);
	int e;

	if (in < 0)
		return diag_set(diag, -errno, "cannot read '%s': %s", kcore, strerror(errno));
	e = output_file_begin(&o, path, 0, 0400, diag);
	if (e >= 0)
		e = write_headers(&o, f, r);
	if (e >= 0)
		e = write_code(&o, in, r);
	if (e >= 0)
		e = output_file_commit(&o, false);
	return kcore_explain(e, path, r->size, diag);
}

static int kcore_write_list(const char *to, const char *name, const char *text, struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", to, name);

	return kcore_explain(output_file_replace(path, text, strlen(text), 0400), path,
			     strlen(text), diag);
}

/* Reads the file @name beside @kcore. The caller frees the text. */
static int read_beside(const char *kcore, const char *name, char **ret)
{
	const char *slash = strrchr(kcore, '/');
	_cleanup_(freep) char *path =
		slash ? xasprintf("%.*s/%s", (int)(slash - kcore), kcore, name) : xstrdup(name);

	return file_read(AT_FDCWD, path, KALLSYMS_SIZE_MAX, ret, NULL);
}

int kcore_copy(const char *kcore, const char *to, struct diag *diag)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(freep) char *list = NULL, *modules = NULL;
	struct kcore_ranges r = { 0 };
	uint64_t start, end;
	int e = read_beside(kcore, "kallsyms", &list);

	if (e >= 0)
		e = read_beside(kcore, "modules", &modules);
	if (e >= 0)
		e = kcore_find_kernel(list, &start, &end);
	if (e >= 0)
		e = elf_file_open(kcore, &f);
	if (e < 0)
		return e;
	kcore_add_range(&r, f, start, end);
	kcore_add_modules(&r, f, modules);
	e = r.n ? write_kcore(kcore, f, &r, to, diag) : -ENODATA;
	free(r.items);
	if (e >= 0)
		e = kcore_write_list(to, "kallsyms", list, diag);
	return e < 0 ? e : kcore_write_list(to, "modules", modules, diag);
}

/*
 * Finds an entry below @parent with the same modules at the same addresses, or returns NULL. The
 * caller frees it.
 */
static char *find_same(const char *parent, const char *modules)
{
	_cleanup_(name_list_done) struct name_list entries = { 0 };

	if (name_list_read(AT_FDCWD, parent, true, &entries) < 0)
		return NULL;
	for (size_t i = 0; i < entries.n; i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s/modules", parent, entries.items[i]);
		_cleanup_(freep) char *other = NULL;

		if (file_read(AT_FDCWD, path, KALLSYMS_SIZE_MAX, &other, NULL) >= 0 &&
		    !strcmp(other, modules))
			return xasprintf("%s/%s", parent, entries.items[i]);
	}
	return NULL;
}

/* Returns the path of a new entry, named YYYYMMDDhhmmssff for the time now. */
static char *kcore_make_entry(const char *parent)
{
	struct timespec now;
	struct tm tm;
	char date[32];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s/%s%02ld", parent, date, now.tv_nsec / 10000000);
}

static void kcore_remove_entry(const char *entry)
{
	static const char *const files[] = { "kcore", "kallsyms", "modules" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", entry, files[i]);

		unlink(path);
	}
	rmdir(entry);
}

int kcore_cache_add(const char *dir, const char *kcore, char **ret_dir, struct diag *diag)
{
	_cleanup_(freep) char *modules = NULL;
	struct build_id id;
	/* A copy of kcore has no build-id, so it is assumed to be of the running kernel. */
	int r = build_id_of_kernel(&id);

	if (r >= 0)
		r = read_beside(kcore, "modules", &modules);
	if (r < 0)
		return r;

	_cleanup_(freep) char *parent = buildid_cache_entry(dir, "[kernel.kcore]", &id);
	_cleanup_(freep) char *same = find_same(parent, modules), *entry = kcore_make_entry(parent);

	if (same) {
		*ret_dir = TAKE(same);
		return 0;
	}
	r = file_make_directories(entry);
	if (r < 0)
		kcore_explain(r, entry, 0, diag);
	else
		r = kcore_copy(kcore, entry, diag);
	if (r < 0) {
		kcore_remove_entry(entry);
		return r;
	}
	*ret_dir = TAKE(entry);
	return 1;
}
