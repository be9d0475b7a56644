/* SPDX-License-Identifier: MIT */
/*
 * Gathers the data of tracefs, debugfs and /proc/kallsyms about a place where the kernel rejects a
 * probe.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/probe-refusal.h"
#include "kernel/tracefs.h"

#define TEXT_SIZE_MAX (64 << 20)

static char *probe_refusal_facts_read_text(const char *root, const char *path)
{
	_cleanup_(freep) char *whole = xasprintf("%s%s", root, path);
	char *text = NULL;

	return file_read(AT_FDCWD, whole, TEXT_SIZE_MAX, &text, NULL) < 0 ? NULL : text;
}

/* The place in a line: [MODULE:]SYMBOL[+OFFSET] or 0xADDRESS. */
struct probe_refusal_facts_place {
	char *module, *symbol;
	uint64_t offset; /* an address without @symbol */
};

static void probe_refusal_facts_place_done(struct probe_refusal_facts_place *p)
{
	free(p->module);
	free(p->symbol);
}

static void parse_place(const char *line, struct probe_refusal_facts_place *ret)
{
	const char *word = line + strcspn(line, " ");
	size_t n;

	word += strspn(word, " ");
	n = strcspn(word, " +:%");
	if (word[n] == ':') {
		ret->module = xstrndup(word, n);
		word += n + 1;
		n = strcspn(word, " +%");
	}
	if (!strncmp(word, "0x", 2)) {
		ret->offset = strtoull(word, NULL, 16);
		return;
	}
	ret->symbol = xstrndup(word, n);
	if (word[n] == '+')
		ret->offset = strtoull(word + n + 1, NULL, 0);
}

/* A line of kallsyms: address, kind, name and, after a tab, [module]. */
struct symbol {
	uint64_t addr;
	char kind;
	const char *name;
	size_t length;
	bool in_module;
};

static const char *probe_refusal_facts_next_symbol(const char *at, struct symbol *ret)
{
	char *end;

	if (!at || !*at)
		return NULL;
	ret->addr = strtoull(at, &end, 16);
	if (end[0] != ' ' || !end[1] || end[2] != ' ')
		return NULL;
	ret->kind = end[1];
	ret->name = end + 3;
	ret->length = strcspn(ret->name, "\t\n");
	ret->in_module = ret->name[ret->length] == '\t';
	at = ret->name + strcspn(ret->name, "\n");
	return *at ? at + 1 : at;
}

static bool probe_refusal_facts_is_called(const struct symbol *s, const char *name)
{
	return strlen(name) == s->length && !memcmp(s->name, name, s->length);
}

static uint64_t probe_refusal_facts_find_address(const char *kallsyms,
						 const struct probe_refusal_facts_place *p)
{
	struct symbol s;

	if (!p->symbol)
		return p->offset;
	for (const char *at = kallsyms; (at = probe_refusal_facts_next_symbol(at, &s));)
		if (probe_refusal_facts_is_called(&s, p->symbol) &&
		    s.in_module == (p->module != NULL))
			return s.addr ? s.addr + p->offset : 0;
	return 0;
}

/* Finds the function around @addr, and whether that is permanent code. */
static void probe_refusal_facts_find_function(const char *kallsyms, uint64_t addr,
					      struct probe_refusal *r)
{
	struct symbol best = { 0 }, s;
	uint64_t from = 0, to = 0;

	for (const char *at = kallsyms; (at = probe_refusal_facts_next_symbol(at, &s));) {
		if (probe_refusal_facts_is_called(&s, "_stext"))
			from = s.addr;
		else if (probe_refusal_facts_is_called(&s, "_etext"))
			to = s.addr;
		if (strchr("tTwW", s.kind) && s.addr <= addr && s.addr > best.addr)
			best = s;
	}
	r->is_code = best.in_module || (addr >= from && addr < to);
	if (!best.addr)
		return;
	r->function = xstrndup(best.name, best.length);
	r->offset = addr - best.addr;
}

/* Searches the text of kprobe_blacklist_seq_show(): 0xFROM-0xTO, a tab, the symbol. */
static char *find_in_blacklist(const char *list, uint64_t addr)
{
	for (const char *at = list; at && *at; at = *at ? at + 1 : at) {
		char *end;
		uint64_t from = strtoull(at, &end, 16);
		uint64_t to = *end == '-' ? strtoull(end + 1, &end, 16) : 0;

		at = end + strcspn(end, "\n");
		if (*end == '\t' && addr >= from && addr < to)
			return xstrndup(end + 1, strcspn(end + 1, " \n"));
	}
	return NULL;
}

static bool probe_refusal_facts_has_line(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += n)
		if ((at == text || at[-1] == '\n') && strchr(" \n", at[n]))
			return true;
	return false;
}

static bool needs_four_bytes(void)
{
	const struct arch *host = arch_host();

	return host && host->instruction_size == 4;
}

void refusal_texts_done(struct refusal_texts *x)
{
	free(x->kallsyms);
	free(x->blacklist);
	free(x->traced);
}

static void read_texts(const struct tracefs *t, const char *root, struct refusal_texts *x)
{
	if (x->were_read)
		return;
	x->were_read = true;
	x->kallsyms = probe_refusal_facts_read_text(root, "/proc/kallsyms");
	x->blacklist = probe_refusal_facts_read_text(root, "/sys/kernel/debug/kprobes/blacklist");
	x->traced = probe_refusal_facts_read_text(tracefs_path(t), "/available_filter_functions");
}

static void gather_place(const struct refusal_texts *x, struct probe_refusal *r)
{
	_cleanup_(probe_refusal_facts_place_done) struct probe_refusal_facts_place place = { 0 };
	uint64_t addr;

	parse_place(r->line, &place);
	addr = x->kallsyms ? probe_refusal_facts_find_address(x->kallsyms, &place) : 0;
	r->is_code = true;
	if (!addr) {
		r->function = place.symbol ? xstrdup(place.symbol) : NULL;
		r->offset = place.offset;
		return;
	}
	probe_refusal_facts_find_function(x->kallsyms, addr, r);
	r->blacklisted = find_in_blacklist(x->blacklist, addr);
	r->is_misaligned = needs_four_bytes() && addr % 4;
	r->is_untraced = x->traced && *x->traced && r->function &&
			 !probe_refusal_facts_has_line(x->traced, r->function);
}

void probe_refusal_gather(const struct tracefs *t, const char *root, struct refusal_texts *x,
			  struct probe_refusal *r)
{
	_cleanup_(freep) char *lockdown =
		probe_refusal_facts_read_text(root, "/sys/kernel/security/lockdown");

	r->log = probe_refusal_facts_read_text(tracefs_path(t), "/error_log");
	r->is_locked_down = lockdown && !strstr(lockdown, "[none]");
	if (r->is_user || r->line[0] == '-')
		return;
	read_texts(t, root, x);
	gather_place(x, r);
}
