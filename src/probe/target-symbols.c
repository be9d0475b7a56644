/* SPDX-License-Identifier: MIT */
#include "probe/target-symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/relay.h"
#include "elf/symbols.h"
#include "symbol/kallsyms.h"

void target_symbols_done(struct target_symbols *l)
{
	free(l->items);
	arena_done(&l->names);
	*l = (struct target_symbols){ 0 };
}

/*
 * True if @line is of the module @module. Module names have '_' where their files may have '-'.
 * NULL: the kernel with all modules.
 */
static bool target_symbols_is_wanted(const struct kallsyms_line *line, const char *module)
{
	if (!module)
		return true;
	if (!line->module)
		return false;
	for (size_t i = 0; i < line->module_length; i++)
		if (line->module[i] != (module[i] == '-' ? '_' : module[i]))
			return false;
	return !module[line->module_length];
}

/*
 * True if @line is a mapping symbol: ARM kernels mark changes between code and data with $x and $d.
 */
static bool is_mark(const struct kallsyms_line *line)
{
	return line->name_length >= 2 && line->name[0] == '$' && strchr("xdta", line->name[1]) &&
	       (line->name_length == 2 || line->name[2] == '.');
}

/* True if @type is code. Labels and weak functions count; only data does not. */
static bool target_symbols_is_code(char type)
{
	return (type | 0x20) == 't' || (type | 0x20) == 'w';
}

/*
 * The kernel generates the text of its list while it is read, which takes longer than everything
 * else here. Another thread parses the lines in the meantime.
 */
#define CHUNK_SIZE   (128u << 10)
#define CHUNKS_AHEAD 8

/* A piece of the list that ends with a line. One more byte may be written after it. */
struct list_chunk {
	char *text;
	size_t size;
};

struct list_reading {
	struct target_symbols *symbols;
	const char *module;
	size_t hidden;
	struct list_chunk chunks[CHUNKS_AHEAD];
};

static void target_symbols_add_line(struct target_symbols *l, const struct list_chunk *c,
				    const struct kallsyms_line *line)
{
	*ARRAY_ADD(l) = (struct probe_symbol){
		.name = line->name,
		.addr = line->addr,
		.module = line->module,
		.module_length = line->module_length,
		.is_function = target_symbols_is_code(line->type),
	};
	c->text[line->name - c->text + (ptrdiff_t)line->name_length] = '\0';
}

static void target_symbols_take_lines(struct list_reading *r, const struct list_chunk *c)
{
	const char *at = c->text, *end = at + c->size;
	struct kallsyms_line line;

	while (kallsyms_next(&at, end, &line)) {
		if (!target_symbols_is_wanted(&line, r->module) ||
		    !kallsyms_type_counts(line.type) || is_mark(&line))
			continue;
		if (line.addr)
			target_symbols_add_line(r->symbols, c, &line);
		else
			r->hidden++;
	}
}

static int take_slot(void *arg, unsigned slot, unsigned worker)
{
	struct list_reading *r = arg;

	(void)worker;
	target_symbols_take_lines(r, &r->chunks[slot]);
	return 0;
}

static void target_symbols_hand_over(struct list_reading *r, struct relay *relay,
				     struct list_chunk c)
{
	unsigned slot;

	if (!relay) {
		target_symbols_take_lines(r, &c);
		return;
	}
	relay_slot(relay, &slot);
	r->chunks[slot] = c;
	relay_start(relay);
}

/* Fills @c, which may have some bytes already. Returns 1 if there is more, 0 at the end. */
static int target_symbols_fill(int fd, struct list_chunk *c)
{
	while (c->size < CHUNK_SIZE) {
		ssize_t n = read(fd, c->text + c->size, CHUNK_SIZE - c->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		c->size += (size_t)n;
	}
	return 1;
}

/* Returns the size of the complete lines in @c. */
static size_t whole_lines(const struct list_chunk *c)
{
	const char *last = memrchr(c->text, '\n', c->size);

	return last ? (size_t)(last + 1 - c->text) : c->size;
}

static int probe_target_symbols_read_list(struct list_reading *r, struct relay *relay, int fd)
{
	struct list_chunk c = { 0 }, next = { 0 };
	size_t sum = 0;
	int more = 1;

	while (more > 0) {
		size_t whole;

		c = next;
		if (!c.text)
			c.text = arena_alloc(&r->symbols->names, CHUNK_SIZE + 1);
		more = target_symbols_fill(fd, &c);
		whole = more > 0 ? whole_lines(&c) : c.size;
		next = (struct list_chunk){ .size = c.size - whole };
		if (next.size) {
			next.text = arena_alloc(&r->symbols->names, CHUNK_SIZE + 1);
			memcpy(next.text, c.text + whole, next.size);
		}
		c.size = whole;
		sum += whole;
		if (more >= 0)
			target_symbols_hand_over(r, relay, c);
		if (sum > KALLSYMS_SIZE_MAX)
			return -EFBIG;
	}
	return more;
}

int target_symbols_read_list(struct target_symbols *l, const char *path, const char *module)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct list_reading reading = { .symbols = l, .module = module };
	struct relay *relay;
	int r;

	if (fd < 0)
		return -errno;
	relay = relay_new(&(struct relay_work){
		.depth = CHUNKS_AHEAD, .threads = 1, .run = take_slot, .arg = &reading });
	r = probe_target_symbols_read_list(&reading, relay, fd);
	relay_free(relay);
	if (r < 0 || l->n)
		return r;
	return reading.hidden ? -EPERM : -ENODATA;
}

static void target_symbols_add_symbol(const struct elf_symbol *s, void *arg)
{
	struct target_symbols *l = arg;

	*ARRAY_ADD(l) = (struct probe_symbol){
		.name = arena_strndup(&l->names, s->name, strlen(s->name)),
		.addr = s->addr,
		.size = s->size,
		.section = s->section,
		.is_function = s->kind == ELF_SYMBOL_FUNCTION || s->kind == ELF_SYMBOL_IFUNC,
		.is_ifunc = s->kind == ELF_SYMBOL_IFUNC,
		.is_label = s->kind == ELF_SYMBOL_LABEL,
		.binding = s->binding,
	};
}

int target_symbols_read_elf(struct target_symbols *l, struct elf_file *symbols,
			    struct elf_file *runtime)
{
	int r = elf_symbols_read(symbols, ELF_SYMTAB, target_symbols_add_symbol, l);

	/* The full table contains the dynamic symbols too. */
	if (runtime && !l->n)
		(void)elf_symbols_read(runtime, ELF_DYNSYM, target_symbols_add_symbol, l);
	if (runtime && l->n)
		(void)elf_symbols_read(runtime, ELF_PLT, target_symbols_add_symbol, l);
	if (l->n)
		return 0;
	return r < 0 ? r : -ENODATA;
}

struct sorted {
	struct probe_symbol symbol;
	size_t number;
};

static int target_symbols_by_address(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->symbol.addr != y->symbol.addr)
		return x->symbol.addr < y->symbol.addr ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* Sets the sizes of symbols: one of unknown size ends at the next one. */
static void find_sizes(struct target_symbols *l)
{
	uint64_t next = 0;

	for (size_t i = l->n; i-- > 0;) {
		struct probe_symbol *s = &l->items[i];

		if (i + 1 < l->n && l->items[i + 1].addr != s->addr)
			next = l->items[i + 1].addr;
		if (!s->size && next > s->addr)
			s->size = next - s->addr;
	}
}

void target_symbols_settle(struct target_symbols *l)
{
	bool in_order = true;

	for (size_t i = 1; i < l->n && in_order; i++)
		in_order = l->items[i - 1].addr <= l->items[i].addr;
	if (!in_order) {
		_cleanup_(freep) struct sorted *all = xcalloc(l->n, sizeof(*all));

		for (size_t i = 0; i < l->n; i++)
			all[i] = (struct sorted){ l->items[i], i };
		qsort(all, l->n, sizeof(*all), target_symbols_by_address);
		for (size_t i = 0; i < l->n; i++)
			l->items[i] = all[i].symbol;
	}
	find_sizes(l);
}

/* Returns the number of symbols that begin at @addr or before. */
static size_t count_before(const struct target_symbols *l, uint64_t addr)
{
	return BISECT(i, l->n, l->items[i].addr <= addr);
}

const struct probe_symbol *target_symbols_find(const struct target_symbols *l, uint64_t addr)
{
	const struct probe_symbol *best = NULL;

	for (size_t i = count_before(l, addr); i-- > 0;) {
		const struct probe_symbol *s = &l->items[i];

		if (best && s->addr != best->addr)
			break;
		if (addr - s->addr < (s->size ? s->size : 1) &&
		    (!best || s->is_function >= best->is_function))
			best = s;
	}
	return best;
}

bool symbol_name_is(const char *name, const char *typed)
{
	if (!typed)
		return true;

	const char *at = strchr(name, '@');
	size_t n = at && at != name && !strchr(typed, '@') ? (size_t)(at - name) : strlen(name);

	if (!glob_is_pattern(typed))
		return !strncmp(name, typed, n) && !typed[n];
	if (!name[n])
		return glob_matches(typed, name);

	_cleanup_(freep) char *bare = xstrndup(name, n);

	return glob_matches(typed, bare);
}
