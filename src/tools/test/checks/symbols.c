/* SPDX-License-Identifier: MIT */
/* Names of functions, and their code, as they are on this machine. */
#include <config.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "code/disassembler.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "kernel/kernel-notes.h"
#include "symbol/code.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel-debug.h"
#include "symbol/kernel-symbols.h"
#include "symbol/symbolizer.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

struct counts {
	struct selftest_run *t;
	struct elf_file *file;
	struct image *image;
	struct kallsyms *kallsyms;
	uint64_t distance;
	size_t looked, found, different;
};

/* The maximum number of functions of a file that are looked up. */
#define LOOKUPS_MAX 20000

static void check_symbols_look_up(const struct elf_symbol *s, void *arg)
{
	struct counts *c = arg;
	const struct symbol *sym;
	uint64_t offset;

	if (s->kind != ELF_SYMBOL_FUNCTION || !s->size || c->looked >= LOOKUPS_MAX ||
	    !elf_file_offset(c->file, s->addr, s->section, &offset))
		return;
	c->looked++;
	sym = image_symbol_find(c->image, offset + s->size / 2);
	/* A function can have several names. The test is that it contains the offset. */
	if (sym && sym->start <= offset && sym->end > offset) {
		c->found++;
	} else if (c->different++ < 10) {
		fprintf(c->t->out, "%s at %#llx: %s\n", s->name, (unsigned long long)s->addr,
			sym ? sym->name : "nothing");
	}
}

/*
 * Prints a line for each function or variable of perf, as in perf 7.2, because shell tests look
 * here for them.
 */
static void list_symbol(const struct elf_symbol *s, void *arg)
{
	struct selftest_run *t = arg;

	if (s->size)
		fprintf(t->out, " %llx-%llx %c %s\n", (unsigned long long)s->addr,
			(unsigned long long)(s->addr + s->size), s->binding, s->name);
}

static enum selftest_outcome test_symbols(struct selftest_run *t)
{
	_cleanup_(freep) char *path = t->dso ? realpath(t->dso, NULL) : xstrdup(t->perf);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(symbolizer_freep) struct symbolizer *s = NULL;
	static const struct symbolizer_options none;
	struct image_key key = { .kind = IMAGE_USER, .name = path };
	struct counts c = { .t = t };
	int r = path ? elf_file_open(path, &f) : -errno;

	EXPECT(t, r >= 0, "'%s' cannot be read as an ELF file: %s", t->dso ? t->dso : t->perf,
	       strerror(-r));
	s = symbolizer_new(&none);
	c.file = f;
	c.image = symbolizer_image(s, &key);
	elf_symbols_read(f, ELF_SYMTAB, list_symbol, t);
	if (elf_symbols_read(f, ELF_SYMTAB, check_symbols_look_up, &c) < 0)
		elf_symbols_read(f, ELF_DYNSYM, check_symbols_look_up, &c);
	fprintf(t->out, "%zu of %zu functions of %s are found\n", c.found, c.looked, path);
	if (!c.looked)
		return selftest_skip(t, "%s is stripped: it has no names of functions", path);
	EXPECT(t, c.found * 100 >= c.looked * 99,
	       "of %zu functions of %s only %zu are found by "
	       "address",
	       c.looked, path, c.found);
	return SELFTEST_OK;
}

const struct selftest check_symbols = {
	.name = "Symbols",
	.why = "profiles show wrong functions",
	.run = test_symbols,
};

static void compare_kernel(const struct elf_symbol *s, void *arg)
{
	struct counts *c = arg;
	uint64_t addr;

	if (s->kind != ELF_SYMBOL_FUNCTION || s->binding != 'g' || c->looked >= LOOKUPS_MAX ||
	    !kallsyms_address(c->kallsyms, s->name, &addr))
		return;
	c->looked++;
	if (addr - s->addr == c->distance)
		c->found++;
	else if (c->different++ < 10)
		fprintf(c->t->out, "%s: %#llx and %#llx\n", s->name, (unsigned long long)s->addr,
			(unsigned long long)addr);
}

static void check_symbols_take_text(const struct elf_symbol *s, void *arg)
{
	if (!strcmp(s->name, "_stext"))
		*(uint64_t *)arg = s->addr;
}

static enum selftest_outcome read_kallsyms(struct selftest_run *t, struct kallsyms **ret)
{
	int r = kallsyms_read("/proc/kallsyms", "_stext", ret);

	if (r == -EPERM)
		return selftest_skip(t, "addresses of the kernel are hidden; run as root, "
					"or '" KALLSYMS_SHOW "'");
	if (r < 0)
		return selftest_skip(t, "/proc/kallsyms cannot be read: %s", strerror(-r));
	return SELFTEST_OK;
}

static enum selftest_outcome test_vmlinux(struct selftest_run *t)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(freep) char *path = NULL;
	static const struct symbolizer_options none;
	struct utsname uts;
	struct kernel_request request = { .options = &none };
	struct counts c = { .t = t };
	uint64_t link = 0, here;

	NEED(read_kallsyms(t, &k));
	if (uname(&uts) == 0)
		request.release = uts.release;
	if (build_id_of_kernel(&request.build_id) < 0)
		return selftest_skip(t, "/sys/kernel/notes has no build-id of the kernel");
	if (kernel_debug_find(&request, &f, &path) < 0)
		return selftest_skip(t,
				     "there is no vmlinux for this kernel; install the debug "
				     "symbols of %s",
				     request.release ? request.release : "the kernel");
	elf_symbols_read(f, ELF_SYMTAB, check_symbols_take_text, &link);
	if (!link || !kallsyms_address(k, "_stext", &here))
		return selftest_skip(t, "%s or /proc/kallsyms has no _stext", path);
	c.kallsyms = k;
	c.distance = here - link;
	elf_symbols_read(f, ELF_SYMTAB, compare_kernel, &c);
	fprintf(t->out, "%s: %zu of %zu functions are where kallsyms says\n", path, c.found,
		c.looked);
	EXPECT(t, c.looked, "%s and /proc/kallsyms have no function in common", path);
	EXPECT(t, c.found * 100 >= c.looked * 99, "of %zu functions of %s %zu are elsewhere",
	       c.looked, path, c.looked - c.found);
	return SELFTEST_OK;
}

const struct selftest check_vmlinux = {
	.name = "vmlinux symtab matches kallsyms",
	.why = "functions of the kernel get wrong names",
	.run = test_vmlinux,
};

/* The number of images that are read while only a few files may be open. */
#define IMAGES     24
#define FILES_OPEN 12

struct wanted_symbol {
	const char *name;
	uint64_t addr;
	uint32_t section;
};

static void take_wanted(const struct elf_symbol *s, void *arg)
{
	struct wanted_symbol *w = arg;

	if (!strcmp(s->name, w->name))
		w->addr = s->addr, w->section = s->section;
}

/* Reads the code of kit_spin(), which is in this program and therefore also in memory. */
static enum selftest_outcome read_own_code(struct selftest_run *t, struct symbolizer *s,
					   struct code_store *store, struct code *ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct image_key key = { .kind = IMAGE_USER, .name = t->perf };
	struct wanted_symbol wanted = { .name = "kit_spin" };
	const struct symbol *sym;
	struct image *image;
	uint64_t offset;
	int r = elf_file_open(t->perf, &f);

	EXPECT(t, r >= 0, "%s cannot be read", t->perf);
	elf_symbols_read(f, ELF_SYMTAB, take_wanted, &wanted);
	if (!wanted.addr || !elf_file_offset(f, wanted.addr, wanted.section, &offset))
		return selftest_skip(t, "perf itself is stripped");
	image = symbolizer_image(s, &key);
	sym = image_symbol_find(image, offset);
	EXPECT(t, sym, "no function is found in perf itself");
	EXPECT(t, code_read(store, image, sym, ret, &d) >= 0, "the code of %s cannot be read: %s",
	       sym->name, d.message);
	return SELFTEST_OK;
}

static enum selftest_outcome test_code(struct selftest_run *t)
{
	static const struct symbolizer_options none;
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&none);
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(code_done) struct code code = { 0 };

	NEED(read_own_code(t, s, store, &code));
	fprintf(t->out, "%zu bytes at %#llx\n", code.n, (unsigned long long)code.start);
	EXPECT(t, code.n > 16, "a function has %zu bytes", code.n);
	EXPECT(t, !memcmp(code.bytes, (const void *)kit_spin, code.n),
	       "code in the file is not what is in memory");
	return SELFTEST_OK;
}

const struct selftest check_object_code = {
	.name = "Object code reading",
	.why = "perf annotate shows instructions that did not run",
	.run = test_code,
};

static enum selftest_outcome test_disassembler(struct selftest_run *t)
{
	static const struct symbolizer_options none;
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&none);
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(disassembler_freep) struct disassembler *d = NULL;
	_cleanup_(code_done) struct code code = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text listing = TEXT_EMPTY;
	_cleanup_(freep) char *from = NULL;
	_cleanup_(freep) char *to = NULL;
	struct instruction in;
	bool compare;

	NEED(read_own_code(t, s, store, &code));
	if (disassembler_new(code.arch, SYNTAX_ATT, &d, &diag) < 0)
		return kit_skip_diag(t, &diag);
	from = xasprintf("--start-address=%#llx", (unsigned long long)code.start);
	to = xasprintf("--stop-address=%#llx", (unsigned long long)code.start + code.n);
	compare = RUN(t, &listing, t->objdump ? t->objdump : "objdump", "-d", "--no-show-raw-insn",
		      from, to, t->perf) == 0;
	EXPECT(t, compare || !t->objdump, "'%s' does not run", t->objdump);
	for (size_t at = 0; at < code.n; at += in.length) {
		char line[32];

		disassemble(d, code.bytes + at, code.n - at, code.start + at, &in);
		fprintf(t->out, "%llx: %s\n", (unsigned long long)code.start + at, in.text);
		EXPECT(t, !in.is_unknown, "the instruction at %#llx is not known",
		       (unsigned long long)code.start + at);
		snprintf(line, sizeof(line), " %llx:", (unsigned long long)code.start + at);
		EXPECT(t, !compare || strstr(listing.chars, line),
		       "objdump has no instruction at %s", line);
	}
	return SELFTEST_OK;
}

const struct selftest check_disassembler = {
	.name = "Disassembler",
	.why = "perf annotate has no instructions to show",
	.run = test_disassembler,
};
