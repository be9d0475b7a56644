/* SPDX-License-Identifier: MIT */
#include "symbol/buildid/sdt-probes.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/operand.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "elf/file.h"
#include "elf/sdt.h"
#include "elf/symbols.h"

/* The largest programs have a few hundred probes; the search by name is linear. */
#define PROBES_MAX 10000

/* A probe: its first line ("%sdt_x:y=y"), and the lines of all its places. */
struct probe {
	char *head;
	struct text lines;
};

struct sdt_probes_list {
	struct probe *items;
	size_t n, room;
	const char *program; /* its path in definitions */
	struct elf_file *file;
};

static void sdt_probes_done(struct sdt_probes_list *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->items[i].head);
		text_done(&p->items[i].lines);
	}
	free(p->items);
}

/*
 * True if @s may be a word of a command for the kernel, as names are: other characters are not
 * allowed.
 */
static bool sdt_probes_is_word(const char *s)
{
	return *s &&
	       !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

static struct probe *sdt_probes_add_probe(struct sdt_probes_list *p, char *head)
{
	struct probe *probe = ARRAY_ADD(p);

	*probe = (struct probe){ .head = head, .lines = TEXT_EMPTY };
	return probe;
}

/* Returns the probe with the first line @head. NULL: there are too many. */
static struct probe *probe_headed(struct sdt_probes_list *p, const char *head)
{
	/* The places of an inlined probe are usually consecutive. */
	for (size_t i = p->n; i-- > 0;)
		if (!strcmp(p->items[i].head, head))
			return &p->items[i];
	return p->n == PROBES_MAX ? NULL : sdt_probes_add_probe(p, xstrdup(head));
}

/* Reads probes that are already known. Only the first line of a probe begins with '%'. */
static void read_known(struct sdt_probes_list *p, const char *known)
{
	for (size_t n; *known && p->n < PROBES_MAX; known += n + (known[n] == '\n')) {
		n = strcspn(known, "\n");
		if (*known == '%' || *known == '#')
			sdt_probes_add_probe(p, xstrndup(known, n));
		else if (p->n && n) {
			text_add_bytes(&p->items[p->n - 1].lines, known, n);
			text_add_char(&p->items[p->n - 1].lines, '\n');
		}
	}
}

/*
 * True if a definition in @lines is for @place, which is the definition without semaphore and
 * arguments.
 */
static bool sdt_probes_has_place(const char *lines, const struct text *place)
{
	for (const char *at = lines; (at = strstr(at, place->chars)); at++)
		if (strchr("( \n", at[place->length]))
			return true;
	return false;
}

/* The state of searching a variable by name. */
struct sdt_probes_search {
	struct elf_file *file;
	uint64_t bias; /* link address minus file offset at the probe */
	const char *name;
	uint64_t addr;
	size_t found;
};

static void try_symbol(const struct elf_symbol *s, void *arg)
{
	struct sdt_probes_search *search = arg;

	if (s->kind != ELF_SYMBOL_OBJECT || strcmp(s->name, search->name))
		return;
	search->found++;
	search->addr = s->addr;
}

static bool sdt_probes_find_variable(void *arg, const char *name, uint64_t *ret)
{
	struct sdt_probes_search *s = arg;

	s->name = name;
	s->found = 0;
	if (elf_symbols_read(s->file, ELF_SYMTAB, try_symbol, s) < 0)
		elf_symbols_read(s->file, ELF_DYNSYM, try_symbol, s);
	*ret = s->addr - s->bias;
	/* If two static variables have the same name, it is not known which one is meant. */
	return s->found == 1;
}

static void add_arguments(const struct sdt_probes_list *p, const struct sdt_note *n,
			  struct text *line)
{
	struct sdt_probes_search search = { .file = p->file };
	struct sdt_place place = { .arch = arch_of_elf(elf_file_machine(p->file)), .arg = &search };
	const char *at = n->arguments;
	uint64_t addr;

	if (elf_file_address(p->file, n->offset, &addr)) {
		search.bias = addr - n->offset;
		place.variable = sdt_probes_find_variable;
	}
	for (unsigned number = 1; sdt_argument_next(&at, &place, number, line);)
		number++;
}

static void sdt_probes_add_note(const struct sdt_note *n, void *arg)
{
	struct sdt_probes_list *p = arg;

	if (!sdt_probes_is_word(n->provider) || !sdt_probes_is_word(n->name))
		return;

	_cleanup_(freep) char *head = xasprintf("%%sdt_%s:%s=%s", n->provider, n->name, n->name);
	_cleanup_(text_done) struct text line = TEXT_EMPTY;
	struct probe *probe = probe_headed(p, head);

	text_addf(&line, "p:sdt_%s/%s %s:0x%llx", n->provider, n->name, p->program,
		  (unsigned long long)n->offset);
	if (!probe || sdt_probes_has_place(probe->lines.chars, &line))
		return;
	if (n->semaphore)
		text_addf(&line, "(0x%llx)", (unsigned long long)n->semaphore);
	add_arguments(p, n, &line);
	text_add_char(&line, '\n');
	text_add(&probe->lines, line.chars);
}

static void sdt_probes_collect(struct sdt_probes_list *p, const char *path)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	/* The kernel's command language has no quotes. */
	if (!path || strpbrk(p->program, " \t\n") || elf_file_open(path, &f) < 0)
		return;
	p->file = f;
	elf_sdt_for_each(f, sdt_probes_add_note, p);
}

void sdt_probes_add(const char *known, const char *name, const char *path, struct text *out)
{
	_cleanup_(sdt_probes_done) struct sdt_probes_list p = { .program = name };

	read_known(&p, known);
	sdt_probes_collect(&p, path);
	for (size_t i = 0; i < p.n; i++)
		text_addf(out, "%s\n%s", p.items[i].head, p.items[i].lines.chars);
}

int sdt_probes_store(const char *entry, const char *name, const char *path)
{
	_cleanup_(freep) char *file = xasprintf("%s/probes", entry), *known = NULL;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int r = file_read(AT_FDCWD, file, SDT_PROBES_SIZE_MAX, &known, NULL);

	/* The file is too long to be our own, so it is written anew instead of being truncated. */
	if (r < 0 && r != -ENOENT && r != -EFBIG)
		return r;
	sdt_probes_add(known ? known : "", name, path, &t);
	if (known && !strcmp(known, t.chars))
		return 0;
	return output_file_replace(file, t.chars, t.length, 0644);
}

#define OPERAND_MAX 64

/* Adds "@+0x4018": the location of a global variable. */
static bool sdt_argument_add_variable(const struct arch_operand *o, const struct sdt_place *place,
				      struct text *out)
{
	_cleanup_(freep) char *name = xstrndup(o->name, o->name_length);
	uint64_t at;

	if (!place->variable || !place->variable(place->arg, name, &at))
		return false;
	text_addf(out, "@+0x%" PRIx64, at + (uint64_t)o->number);
	return true;
}

static bool sdt_argument_add_operand(const char *s, size_t length, const struct sdt_place *place,
				     struct text *out)
{
	char copy[OPERAND_MAX];
	struct arch_operand o;

	if (!length || length >= OPERAND_MAX || !place->arch || !place->arch->sdt_operand)
		return false;
	memcpy(copy, s, length);
	copy[length] = '\0';
	if (!place->arch->sdt_operand(copy, length, &o))
		return false;
	switch (o.kind) {
	case OPERAND_CONSTANT:
		text_addf(out, "\\%" PRId64, o.number);
		break;
	case OPERAND_REGISTER:
		text_addf(out, "%%%s", o.reg);
		break;
	case OPERAND_MEMORY:
		text_addf(out, "%+" PRId64 "(%%%s)", o.number, o.reg);
		break;
	case OPERAND_VARIABLE:
		return sdt_argument_add_variable(&o, place, out);
	}
	return true;
}

/* Returns ":s32" for -4; "" if there is no size; NULL for a size that the kernel does not have. */
static const char *sdt_argument_type_of(const char *size, size_t length)
{
	static const char *const types[] = { ":u8", ":u16", ":u32", ":u64",
					     ":s8", ":s16", ":s32", ":s64" };
	static const char sizes[] = "1248";
	bool negative = length && *size == '-';
	const char *digit = size + negative;

	if (!length)
		return "";
	/* A letter after the size stands for a floating-point number. */
	if (length < 1u + negative || (length > 1u + negative && isdigit((unsigned char)digit[1])))
		return NULL;

	const char *found = *digit ? strchr(sizes, *digit) : NULL;

	return found ? types[(found - sizes) + (negative ? 4 : 0)] : NULL;
}

/* Returns the end of the argument at @s: a blank, but not one within brackets. */
static size_t argument_length(const char *s)
{
	size_t n = 0, depth = 0;

	for (; s[n] && (depth || s[n] != ' '); n++) {
		if (s[n] == '[')
			depth++;
		else if (s[n] == ']' && depth)
			depth--;
	}
	return n;
}

bool sdt_argument_next(const char **at, const struct sdt_place *place, unsigned number,
		       struct text *out)
{
	const char *s = *at + strspn(*at, " ");
	size_t length = argument_length(s), sign = 0;
	const char *separator = memchr(s, '@', length);
	struct text operand = TEXT_EMPTY;

	if (!length)
		return false;
	*at = s + length;
	if (separator)
		sign = (size_t)(separator - s);

	const char *type = sdt_argument_type_of(s, sign), *word = separator ? separator + 1 : s;

	if (type && sdt_argument_add_operand(word, (size_t)(s + length - word), place, &operand))
		text_addf(out, " arg%u=%s%s", number, operand.chars, type);
	text_done(&operand);
	return true;
}
