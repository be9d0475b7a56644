/* SPDX-License-Identifier: MIT */
#include "symbol/jit-dumps.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/guarded-map.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "symbol/image.h"
#include "symbol/jit-code.h"
#include "symbol/jit-file.h"
#include "symbol/jitdump.h"

/* Bounds the memory: programs have a few ten thousand functions. */
#define LOADS_MAX (1u << 20)

/*
 * Bounds the names and unwind tables that moved code repeats: a record that moves code has 64
 * bytes, however long these are.
 */
#define MOVED_BYTES_MAX (256u << 20)

/* The maximum number of dumps of one process, which has one for each program that it executes. */
#define DUMPS_MAX 64

struct jit_dumps_reading {
	const uint8_t *bytes; /* the bytes of the file */
	struct jit_drafts drafts;
	struct u64_map by_start; /* number of the latest draft at an address, plus one */
	uint64_t moved_bytes;
};

/* Parses "…/jit-14604.dump"; the number is the pid in the process's own namespace. */
static bool jit_dumps_parse_name(const char *path, uint32_t *ret_pid)
{
	static const char prefix[] = "jit-";
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *end;

	if (strncmp(base, prefix, strlen(prefix)) != 0 ||
	    !isdigit((unsigned char)base[strlen(prefix)]))
		return false;
	errno = 0;

	unsigned long pid = strtoul(base + strlen(prefix), &end, 10);

	if (errno || pid > INT32_MAX || strcmp(end, ".dump") != 0)
		return false;
	*ret_pid = (uint32_t)pid;
	return true;
}

bool jit_code_is_dump(const char *path)
{
	uint32_t pid;

	return jit_dumps_parse_name(path, &pid);
}

/* Finds moved code, which keeps the name and unwind table of its old address. */
static bool find_moved(struct jit_dumps_reading *r, const struct jitdump_code *c,
		       struct jit_draft *draft)
{
	uintptr_t number = (uintptr_t)u64_map_find(&r->by_start, c->old_addr);
	const struct jit_draft *old = number ? &r->drafts.items[number - 1] : NULL;

	if (!old || old->name_length + old->unwind_size > MOVED_BYTES_MAX - r->moved_bytes)
		return false;
	r->moved_bytes += old->name_length + old->unwind_size;
	draft->name = old->name;
	draft->name_length = old->name_length;
	draft->unwind = old->unwind;
	draft->unwind_size = old->unwind_size;
	return true;
}

static void add_draft(const struct jitdump_code *c, void *arg)
{
	struct jit_dumps_reading *r = arg;
	struct jit_draft draft = { .start = c->addr,
				   .end = c->addr + c->size,
				   .since = c->time,
				   .name = c->name,
				   .name_length = c->name_length,
				   .number = (uint32_t)r->drafts.n,
				   .unwind = r->bytes + c->eh_frame.offset,
				   .unwind_size = c->eh_frame.size };

	if (r->drafts.n == LOADS_MAX || (!c->name && !find_moved(r, c, &draft)))
		return;
	*ARRAY_ADD(&r->drafts) = draft;
	u64_map_put(&r->by_start, c->addr, (void *)(uintptr_t)r->drafts.n);
}

static int open_dump(struct symbolizer *s, const struct jit_request *r, struct jit_file *ret)
{
	const struct symbolizer_options *o = symbolizer_options(s);
	const struct jit_trust trust = { .pid = r->pid, .any_owner = o->any_owner };

	return jit_file_find(r->path, o->symfs, &trust, ret);
}

/*
 * Returns why times are not usable. Without comparable times it is not known which of several
 * functions was at an address.
 */
static const char *judge_times(const struct jit_request *r, const struct jitdump_header *h)
{
	if (h->raw_times)
		return "its times are of the CPU's own counter: where memory was used for several "
		       "functions, the last one is shown";
	if (r->is_other_clock)
		return "its times are of another clock (record with -k mono): where memory was "
		       "used for several functions, the last one is shown";
	return NULL;
}

static void forget_times(struct jit_drafts *d)
{
	for (size_t i = 0; i < d->n; i++)
		d->items[i].since = 0;
}

static int jit_dumps_map_dump(const struct jit_file *f, struct guarded_map **ret)
{
	return f->size ? guarded_map_new(f->fd, f->size, ret) : -EINVAL;
}

static int jit_dumps_read_dump(struct symbolizer *s, const struct jit_request *r,
			       const struct jit_file *f, struct jit_code **ret)
{
	_cleanup_(guarded_map_freep) struct guarded_map *map = NULL;
	struct jit_dumps_reading reading = { .drafts = { .n = 0 } };
	struct jitdump_header header;
	uint32_t pid;
	int e = jit_dumps_map_dump(f, &map);

	if (e < 0)
		return e;
	reading.bytes = guarded_map_bytes(map);
	e = jitdump_parse(reading.bytes, f->size, &header, add_draft, &reading);
	if (e >= 0 && (!jit_dumps_parse_name(r->path, &pid) || pid != header.pid))
		e = -EINVAL;
	if (e >= 0) {
		const char *remark = judge_times(r, &header);

		if (remark)
			forget_times(&reading.drafts);
		reading.drafts.swapped = header.swapped;
		*ret = jit_code_new(s, r, &reading.drafts, remark);
	}
	u64_map_done(&reading.by_start);
	free(reading.drafts.items);
	return e;
}

static void jit_dumps_take_dump(struct symbolizer *s, const struct jit_request *r,
				struct jit_dump *dump)
{
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	dump->error = open_dump(s, r, &f);
	if (dump->error >= 0)
		dump->error = jit_dumps_read_dump(s, r, &f, &dump->code);
	dump->refusal = TAKE(f.refusal);
}

const struct jit_code *jit_dumps_get(struct jit_dumps *d, struct symbolizer *s,
				     const struct jit_request *r)
{
	struct jit_dump *newest = u64_map_find(&d->by_pid, (uint32_t)r->pid);
	size_t n = 0;

	for (const struct jit_dump *dump = newest; dump; dump = dump->next, n++)
		if (!strcmp(dump->path, r->path))
			return dump->code;
	if (n == DUMPS_MAX)
		return NULL;

	struct jit_dump *dump = xcalloc(1, sizeof(*dump));

	dump->next = newest;
	dump->path = xstrdup(r->path);
	jit_dumps_take_dump(s, r, dump);
	u64_map_put(&d->by_pid, (uint32_t)r->pid, dump);
	return dump->code;
}

const struct jit_dump *jit_dumps_failed(const struct jit_dumps *d, int32_t pid)
{
	const struct jit_dump *dump = u64_map_find(&d->by_pid, (uint32_t)pid);

	while (dump && dump->error >= 0)
		dump = dump->next;
	return dump;
}

static void dump_free(struct jit_dump *dump)
{
	free(dump->path);
	free(dump->refusal);
	jit_code_free(dump->code);
	free(dump);
}

static void jit_dumps_release(void *arg, uint64_t pid, void *newest)
{
	(void)arg, (void)pid;
	for (struct jit_dump *dump = newest; dump;) {
		struct jit_dump *next = dump->next;

		dump_free(dump);
		dump = next;
	}
}

struct jit_dumps_forgetting {
	struct u64_map left;
	bool (*keeps)(void *arg, const struct jit_code *c);
	void *arg;
};

static void jit_dumps_keep_or_free(void *arg, uint64_t pid, void *newest)
{
	struct jit_dumps_forgetting *f = arg;
	struct jit_dump *left = NULL, **end = &left;

	for (struct jit_dump *dump = newest; dump;) {
		struct jit_dump *next = dump->next;

		dump->next = NULL;
		if (dump->code && f->keeps(f->arg, dump->code)) {
			*end = dump;
			end = &dump->next;
		} else {
			dump_free(dump);
		}
		dump = next;
	}
	if (left)
		u64_map_put(&f->left, pid, left);
}

void jit_dumps_forget(struct jit_dumps *d, bool (*keeps)(void *arg, const struct jit_code *c),
		      void *arg)
{
	struct jit_dumps_forgetting f = { .keeps = keeps, .arg = arg };

	u64_map_for_each(&d->by_pid, jit_dumps_keep_or_free, &f);
	u64_map_done(&d->by_pid);
	d->by_pid = f.left;
}

void jit_dumps_done(struct jit_dumps *d)
{
	u64_map_for_each(&d->by_pid, jit_dumps_release, NULL);
	u64_map_done(&d->by_pid);
}
