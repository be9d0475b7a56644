/* SPDX-License-Identifier: MIT */
/* Maps of the measurement: ids, threads, CPUs, and later updates of events. */
#include <string.h>

#include "wire/record-codec.h"

enum {
	CPU_LIST = 0,
	CPU_MASK = 1,
	CPU_RANGE = 2
};

#define ID_INDEX_WORDS    4
#define THREAD_ENTRY_SIZE 24
#define THREAD_COMM_SIZE  16

/* u64 nr; { u64 id, idx, cpu, tid; }[nr]; of guests also { u64 machine_pid, vcpu; }[nr] */
void record_take_id_index(struct cursor *c, const struct attr *attr, struct record *r)
{
	uint64_t nr = cursor_u64(c);

	(void)attr;
	if (nr > cursor_left(c) / (ID_INDEX_WORDS * sizeof(uint64_t))) {
		c->bad = true;
		return;
	}
	r->id_index.entries = words_take(c, ID_INDEX_WORDS * nr);
	if (nr && cursor_left(c) >= 2 * nr * sizeof(uint64_t))
		r->id_index.machines = words_take(c, 2 * nr);
}

void record_put_id_index(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->id_index.entries.n / ID_INDEX_WORDS);
	words_put(&r->id_index.entries, out);
	words_put(&r->id_index.machines, out);
}

/* u64 nr; { u64 pid; char comm[16]; }[nr] */
void record_take_thread_map(struct cursor *c, const struct attr *attr, struct record *r)
{
	uint64_t nr = cursor_u64(c);

	(void)attr;
	if (nr > cursor_left(c) / THREAD_ENTRY_SIZE) {
		c->bad = true;
		return;
	}
	r->thread_map.n = nr;
	r->thread_map.entries = cursor_bytes(c, nr * THREAD_ENTRY_SIZE);
	r->thread_map.swap = c->swap;
}

struct thread_map_entry record_thread_map_get(const struct record_thread_map *m, size_t i)
{
	const uint8_t *p = m->entries + i * THREAD_ENTRY_SIZE;
	struct words pid = { .bytes = p, .n = 1, .swap = m->swap };
	struct thread_map_entry e = { .pid = words_get(&pid, 0) };

	memcpy(e.comm, p + sizeof(uint64_t), THREAD_COMM_SIZE);
	return e;
}

void record_put_thread_map(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->thread_map.n);
	for (size_t i = 0; i < r->thread_map.n; i++) {
		struct thread_map_entry e = record_thread_map_get(&r->thread_map, i);

		bytes_u64(out, e.pid);
		bytes_add(out, e.comm, THREAD_COMM_SIZE);
	}
}

static uint16_t item_u16(const struct record_cpu_map *m, size_t i)
{
	struct cursor c = cursor_over(m->items + i * sizeof(uint16_t), sizeof(uint16_t), m->swap);

	return cursor_u16(&c);
}

static uint64_t item_mask(const struct record_cpu_map *m, size_t i)
{
	struct cursor c = cursor_over(m->items + i * m->long_size, m->long_size, m->swap);

	return m->long_size == sizeof(uint64_t) ? cursor_u64(&c) : cursor_u32(&c);
}

/*
 * u16 kind, then one of
 *	a list:  u16 nr; u16 cpu[nr], 0xffff being any
 *	a mask:  u16 nr, long_size; [4 bytes of padding before 8-byte words] words[nr]
 *	a range: u8 any_cpu, 0; u16 first, last
 */
static void cpu_map_take(struct cursor *c, struct record_cpu_map *m)
{
	m->swap = c->swap;
	m->kind = cursor_u16(c);
	switch (m->kind) {
	case CPU_LIST:
		m->n = cursor_u16(c);
		m->items = cursor_bytes(c, (uint64_t)m->n * sizeof(uint16_t));
		break;
	case CPU_MASK:
		m->n = cursor_u16(c);
		m->long_size = cursor_u16(c);
		if (m->long_size == sizeof(uint64_t))
			cursor_u32(c);
		else if (m->long_size != sizeof(uint32_t))
			c->bad = true;
		m->items = cursor_bytes(c, (uint64_t)m->n * m->long_size);
		break;
	case CPU_RANGE:
		m->any_cpu = cursor_u8(c);
		cursor_u8(c);
		m->first = cursor_u16(c);
		m->last = cursor_u16(c);
		break;
	default:
		c->bad = true;
	}
}

static void cpu_mask_put(const struct record_cpu_map *m, struct bytes *out)
{
	bytes_u16(out, m->n);
	bytes_u16(out, m->long_size);
	if (m->long_size == sizeof(uint64_t))
		bytes_u32(out, 0);
	for (size_t i = 0; i < m->n; i++)
		if (m->long_size == sizeof(uint64_t))
			bytes_u64(out, item_mask(m, i));
		else
			bytes_u32(out, (uint32_t)item_mask(m, i));
}

static void cpu_map_put(const struct record_cpu_map *m, struct bytes *out)
{
	size_t start = out->n;

	bytes_u16(out, m->kind);
	if (m->kind == CPU_LIST) {
		bytes_u16(out, m->n);
		for (size_t i = 0; i < m->n; i++)
			bytes_u16(out, item_u16(m, i));
	} else if (m->kind == CPU_MASK) {
		cpu_mask_put(m, out);
	} else {
		bytes_u8(out, m->any_cpu);
		bytes_u8(out, 0);
		bytes_u16(out, m->first);
		bytes_u16(out, m->last);
	}
	bytes_pad(out, start, 8);
}

static void mask_for_each(const struct record_cpu_map *m, void (*each)(void *arg, int cpu),
			  void *arg)
{
	for (size_t i = 0; i < m->n; i++) {
		int base = (int)(i * m->long_size * 8);

		for (uint64_t bits = item_mask(m, i); bits; bits &= bits - 1)
			each(arg, base + __builtin_ctzll(bits));
	}
}

void record_cpu_map_for_each(const struct record_cpu_map *m, void (*each)(void *arg, int cpu),
			     void *arg)
{
	if (m->kind == CPU_LIST) {
		for (size_t i = 0; i < m->n; i++)
			each(arg, item_u16(m, i) == UINT16_MAX ? -1 : item_u16(m, i));
	} else if (m->kind == CPU_MASK) {
		mask_for_each(m, each, arg);
	} else {
		if (m->any_cpu)
			each(arg, -1);
		for (int cpu = m->first; cpu <= m->last; cpu++)
			each(arg, cpu);
	}
}

void record_take_cpu_map(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	cpu_map_take(c, &r->cpu_map);
}

void record_put_cpu_map(const struct record *r, struct bytes *out)
{
	cpu_map_put(&r->cpu_map, out);
}

/* u64 kind, id; then text, an f64, or cpu-map data. An unknown, newer kind has neither. */
void record_take_event_update(struct cursor *c, const struct attr *attr, struct record *r)
{
	struct record_event_update *u = &r->event_update;
	uint64_t bits;

	(void)attr;
	u->kind = cursor_u64(c);
	u->id = cursor_u64(c);
	if (u->kind == EVENT_UPDATE_UNIT || u->kind == EVENT_UPDATE_NAME) {
		u->text = cursor_string(c);
	} else if (u->kind == EVENT_UPDATE_SCALE) {
		bits = cursor_u64(c);
		memcpy(&u->scale, &bits, sizeof(bits));
	} else if (u->kind == EVENT_UPDATE_CPUS) {
		cpu_map_take(c, &u->cpus);
	}
}

void record_put_event_update(const struct record *r, struct bytes *out)
{
	const struct record_event_update *u = &r->event_update;

	bytes_u64(out, u->kind);
	bytes_u64(out, u->id);
	if (u->kind == EVENT_UPDATE_UNIT || u->kind == EVENT_UPDATE_NAME)
		bytes_string(out, u->text, 8);
	else if (u->kind == EVENT_UPDATE_SCALE)
		bytes_add(out, &u->scale, sizeof(u->scale));
	else if (u->kind == EVENT_UPDATE_CPUS)
		cpu_map_put(&u->cpus, out);
}
