/* SPDX-License-Identifier: MIT */
#include "tools/c2c/lines-model.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/file-id.h"
#include "base/hash.h"
#include "base/memory.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

#define CPUMODE_KERNEL 1
#define SLOTS_MIN      1024

bool c2c_keys_have(const struct c2c_keys *k, enum c2c_key key)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->items[i] == key)
			return true;
	return false;
}

void c2c_lines_init(struct c2c_lines *l, const struct c2c_lines_options *o)
{
	*l = (struct c2c_lines){
		.o = *o, .seed = hash_seed(), .n_line_slots = SLOTS_MIN, .n_entry_slots = SLOTS_MIN
	};
	l->line_slots = xcalloc(SLOTS_MIN, sizeof(struct c2c_line *));
	l->entry_slots = xcalloc(SLOTS_MIN, sizeof(struct c2c_entry *));
}

void c2c_lines_done(struct c2c_lines *l)
{
	free(l->line_slots);
	free(l->entry_slots);
	free(l->items);
	u64_map_done(&l->images);
	arena_done(&l->arena);
}

/*
 * Returns grown memory for a set or list. These are in the arena: when they grow, their old memory
 * is not released.
 */
static void *c2c_lines_grown(struct arena *a, const void *items, uint32_t n, uint32_t *room,
			     size_t size)
{
	void *more;

	*room = *room ? 2 * *room : 2;
	more = arena_alloc(a, *room * size);
	if (n)
		memcpy(more, items, n * size);
	return more;
}

static void set_add(struct arena *a, struct c2c_set *s, uint32_t number)
{
	uint32_t at = s->n;

	while (at && s->items[at - 1] > number)
		at--;
	if (at && s->items[at - 1] == number)
		return;
	if (s->n == s->room)
		s->items = c2c_lines_grown(a, s->items, s->n, &s->room, sizeof(*s->items));
	memmove(&s->items[at + 1], &s->items[at], (s->n - at) * sizeof(*s->items));
	s->items[at] = number;
	s->n++;
}

static struct c2c_node *node_get(struct arena *a, struct c2c_nodes *l, uint32_t node)
{
	uint32_t at = l->n;

	while (at && l->items[at - 1].node > node)
		at--;
	if (at && l->items[at - 1].node == node)
		return &l->items[at - 1];
	if (l->n == l->room)
		l->items = c2c_lines_grown(a, l->items, l->n, &l->room, sizeof(*l->items));
	memmove(&l->items[at + 1], &l->items[at], (l->n - at) * sizeof(*l->items));
	l->items[at] = (struct c2c_node){ .node = node };
	l->n++;
	return &l->items[at];
}

/* Returns the number of an image, in order of appearance. */
static uintptr_t c2c_lines_image_number(struct c2c_lines *l, const struct image *im)
{
	uintptr_t n = (uintptr_t)u64_map_find(&l->images, (uintptr_t)im);

	if (!n) {
		n = l->images.n + 1;
		u64_map_put(&l->images, (uintptr_t)im, (void *)n);
	}
	return n;
}

/*
 * Computes the key of an image. A file is identified by its inode, whatever its name is; other
 * images by their name.
 */
static void image_key(struct c2c_lines *l, const struct map *m, uint64_t key[3])
{
	const struct file_id *file = m->ino && m->image ? image_file_id(m->image) : NULL;

	key[0] = m->ino;
	if (file) {
		key[1] = (uint64_t)file->maj << 32 | file->min;
		key[2] = file->generation;
	} else {
		key[1] = c2c_lines_image_number(l, m->image);
	}
}

/*
 * Computes the key of a line. Lines of a file that several processes map are one, wherever they are
 * mapped; memory without a file belongs to its process.
 */
static void line_key(struct c2c_lines *l, const struct c2c_access_record *a,
		     uint64_t key[C2C_LINE_KEY])
{
	const struct map *m = a->data;
	uint64_t place = a->addr;
	bool is_kernel = a->cpumode == CPUMODE_KERNEL;

	memset(key, 0, C2C_LINE_KEY * sizeof(*key));
	key[0] = (uint64_t)a->cpumode << 1 | !m;
	if (m)
		image_key(l, m, &key[1]);
	if (m && !is_kernel) {
		place = a->addr - m->start + m->pgoff;
		if (!(m->flags & MAP_SHARED) && !m->ino)
			key[3] = a->pid;
	}
	key[4] = place & ~(l->o.line_bytes - 1);
}

static void rehash_lines(struct c2c_lines *l)
{
	size_t n = 2 * l->n_line_slots;
	struct c2c_line **slots = xcalloc(n, sizeof(struct c2c_line *)), *next;

	for (size_t i = 0; i < l->n_line_slots; i++) {
		for (struct c2c_line *line = l->line_slots[i]; line; line = next) {
			size_t at = hash_bytes(l->seed, line->key, sizeof(line->key)) & (n - 1);

			next = line->chain;
			line->chain = slots[at];
			slots[at] = line;
		}
	}
	free(l->line_slots);
	l->line_slots = slots;
	l->n_line_slots = n;
}

static struct c2c_line *line_new(struct c2c_lines *l, const struct c2c_access_record *a,
				 const uint64_t key[C2C_LINE_KEY])
{
	struct c2c_line *line = arena_alloc(&l->arena, sizeof(*line));

	*line = (struct c2c_line){ .addr = a->addr & ~(l->o.line_bytes - 1),
				   .first_addr = a->addr,
				   .pid = a->pid,
				   .cpumode = a->cpumode,
				   .time = a->time,
				   .map = a->data };
	memcpy(line->key, key, sizeof(line->key));
	return line;
}

static struct c2c_line *c2c_lines_line_get(struct c2c_lines *l, const struct c2c_access_record *a)
{
	uint64_t key[C2C_LINE_KEY], hash;
	struct c2c_line *line;

	line_key(l, a, key);
	hash = hash_bytes(l->seed, key, sizeof(key));
	for (line = l->line_slots[hash & (l->n_line_slots - 1)]; line; line = line->chain)
		if (!memcmp(line->key, key, sizeof(key)))
			return line;
	if (l->n_lines >= l->n_line_slots)
		rehash_lines(l);
	line = line_new(l, a, key);
	line->chain = l->line_slots[hash & (l->n_line_slots - 1)];
	l->line_slots[hash & (l->n_line_slots - 1)] = line;
	l->n_lines++;
	return line;
}

/* The values that distinguish entries; values that were not requested are 0. */
struct entry_key {
	uint64_t line, offset, iaddr, dso;
	uint32_t pid, tid;
};

static struct entry_key entry_key(const struct c2c_keys *k, const struct c2c_entry *e)
{
	struct entry_key key;

	memset(&key, 0, sizeof(key));
	key.line = (uintptr_t)e->line;
	key.offset = e->offset;
	for (size_t i = 0; i < k->n; i++) {
		switch (k->items[i]) {
		case C2C_BY_PID:
			key.pid = e->pid;
			break;
		case C2C_BY_TID:
			key.tid = e->tid;
			break;
		case C2C_BY_IADDR:
			key.iaddr = e->iaddr;
			break;
		case C2C_BY_DSO:
			key.dso = (uintptr_t)e->dso;
			break;
		}
	}
	return key;
}

static uint64_t entry_hash(const struct c2c_lines *l, const struct c2c_entry *e)
{
	struct entry_key key = entry_key(&l->o.keys, e);

	return hash_bytes(l->seed, &key, sizeof(key));
}

static void rehash_entries(struct c2c_lines *l)
{
	size_t n = 2 * l->n_entry_slots;
	struct c2c_entry **slots = xcalloc(n, sizeof(struct c2c_entry *)), *next;

	for (size_t i = 0; i < l->n_entry_slots; i++) {
		for (struct c2c_entry *e = l->entry_slots[i]; e; e = next) {
			size_t at = entry_hash(l, e) & (n - 1);

			next = e->chain;
			e->chain = slots[at];
			slots[at] = e;
		}
	}
	free(l->entry_slots);
	l->entry_slots = slots;
	l->n_entry_slots = n;
}

static struct c2c_entry *entry_add(struct c2c_lines *l, const struct c2c_entry *like, uint64_t hash)
{
	struct c2c_entry *e = arena_alloc(&l->arena, sizeof(*e));

	if (l->n_entries >= l->n_entry_slots)
		rehash_entries(l);
	*e = *like;
	e->number = (uint32_t)l->n_entries;
	e->chain = l->entry_slots[hash & (l->n_entry_slots - 1)];
	l->entry_slots[hash & (l->n_entry_slots - 1)] = e;
	l->n_entries++;
	e->next = e->line->entries;
	e->line->entries = e;
	e->line->n_entries++;
	return e;
}

static struct c2c_entry *entry_get(struct c2c_lines *l, struct c2c_line *line,
				   const struct c2c_access_record *a)
{
	const struct c2c_entry like = { .offset = a->addr & (l->o.line_bytes - 1),
					.iaddr = a->ip,
					.pid = a->pid,
					.tid = a->tid,
					.cpumode = a->cpumode,
					.time = a->time,
					.code = a->code,
					.dso = a->code ? a->code->image : NULL,
					.line = line };
	const struct entry_key key = entry_key(&l->o.keys, &like);
	uint64_t hash = hash_bytes(l->seed, &key, sizeof(key));
	struct c2c_entry *e = l->entry_slots[hash & (l->n_entry_slots - 1)];

	for (; e; e = e->chain) {
		struct entry_key other = entry_key(&l->o.keys, e);

		if (!memcmp(&other, &key, sizeof(key)))
			return e;
	}
	return entry_add(l, &like, hash);
}

static void mean_add(struct c2c_mean *m, uint64_t number)
{
	m->n++;
	m->mean += ((double)number - m->mean) / (double)m->n;
}

/* Counts cycles. The latency counts for the worst result of the load. */
static void count_cycles(struct c2c_entry *e, uint32_t counters, uint64_t weight)
{
	static const struct {
		enum c2c_counter counter;
		enum c2c_cycles cycles;
	} kinds[] = {
		{ C2C_REMOTE_HITM, C2C_CYCLES_REMOTE },
		{ C2C_LOCAL_HITM, C2C_CYCLES_LOCAL },
		{ C2C_REMOTE_PEER, C2C_CYCLES_REMOTE_PEER },
		{ C2C_LOCAL_PEER, C2C_CYCLES_LOCAL_PEER },
		{ C2C_LOADS, C2C_CYCLES_LOAD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (counters & C2C_BIT(kinds[i].counter)) {
			mean_add(&e->cycles[kinds[i].cycles], weight);
			return;
		}
	}
}

static void count_node(struct c2c_lines *l, struct c2c_entry *e, uint32_t cpu, uint32_t counters)
{
	struct c2c_node *n;

	if (cpu >= l->o.n_cpus)
		return;
	set_add(&l->arena, &e->cpus, cpu);
	if (l->o.node_of_cpu[cpu] < 0)
		return;
	n = node_get(&l->arena, &e->nodes, (uint32_t)l->o.node_of_cpu[cpu]);
	n->local_hitm += !!(counters & C2C_BIT(C2C_LOCAL_HITM));
	n->remote_hitm += !!(counters & C2C_BIT(C2C_REMOTE_HITM));
	n->local_peer += c2c_local_peers(counters);
	n->remote_peer += !!(counters & C2C_BIT(C2C_REMOTE_PEER));
	n->stores += !!(counters & C2C_BIT(C2C_STORES));
}

static void note_physical(struct c2c_lines *l, struct c2c_physical *p, uint64_t addr, int node)
{
	set_add(&l->arena, &p->nodes, (uint32_t)node);
	if (p->last != addr) {
		p->changes++;
		p->last = addr;
	}
}

const struct c2c_entry *c2c_lines_take(struct c2c_lines *l, const struct c2c_access_record *a)
{
	uint32_t counters = c2c_access(a->data_src, a->addr, a->code && a->data);
	int node = a->phys_addr ? l->o.node_of_memory(l->o.arg, a->phys_addr) : -1;
	struct c2c_line *line = c2c_lines_line_get(l, a);
	struct c2c_entry *e = entry_get(l, line, a);

	c2c_stats_count(&l->total, counters);
	c2c_stats_count(&line->stats, counters);
	line->period += a->period;
	c2c_stats_count(&e->stats, counters);
	count_cycles(e, counters, a->weight);
	count_node(l, e, a->cpu, counters);
	if (node >= 0) {
		note_physical(l, &line->physical, a->phys_addr, node);
		note_physical(l, &e->physical, a->phys_addr, node);
	}
	return e;
}
