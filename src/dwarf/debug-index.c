/* SPDX-License-Identifier: MIT */
/*
 * The bytes of an index; each part begins where the one before it ends:
 *
 *	struct debug_index_header
 *	struct die_unit units[]			of all files
 *	struct debug_index_cross cross[]		by file, origin and unit
 *	struct debug_index_row rows[]		by bucket, then as they came
 *	uint32_t starts[buckets + 1]		the first row of each bucket
 */
#include "base/output-file.h"
#include "dwarf/debug-index.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/file.h"
#include "base/guarded-map.h"
#include "base/input-file.h"
#include "base/memory.h"

#define MAGIC   UINT64_C(0x7864692d666c6564)
#define VERSION 2

/* Parts are in the order of their alignment, so none needs padding. */
struct debug_index_header {
	uint64_t magic, version;
	uint64_t checksum; /* checksum of everything after it */
	uint64_t identity;
	uint64_t n_units[DEBUG_INDEX_FILES_MAX];
	uint64_t n_more_units; /* number of units of the other files */
	uint64_t n_cross, n_rows;
	uint64_t bits; /* the number of buckets is 1 << @bits */
};

struct debug_index {
	struct debug_index_header header;
	const struct die_unit *units;
	const struct debug_index_cross *cross;
	const struct debug_index_row *rows;
	const uint32_t *starts;
	size_t size;
	uint8_t *bytes;          /* bytes of an index made in memory */
	struct guarded_map *map; /* the mapped file */
};

void debug_index_free(struct debug_index *x)
{
	if (!x)
		return;
	free(x->bytes);
	guarded_map_free(x->map);
	free(x);
}

static uint64_t debug_index_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t mix_bytes(uint64_t h, const uint8_t *bytes, size_t n)
{
	uint64_t word;

	for (; n >= sizeof(word); bytes += sizeof(word), n -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		h = debug_index_mix(h, word);
	}
	word = 0;
	if (n)
		memcpy(&word, bytes, n);
	return debug_index_mix(h, word ^ (uint64_t)n << 56);
}

/* Returns the checksum of everything after the header's checksum. */
static uint64_t debug_index_checksum(const struct debug_index_header *h, size_t size)
{
	size_t from = offsetof(struct debug_index_header, identity);

	return mix_bytes(0, (const uint8_t *)h + from, size - from);
}

uint32_t debug_index_hash(const char *name)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	return h ^ h >> 15;
}

/*
 * Hashes samples of a section. This is enough because a change also changes sizes or offsets in the
 * section.
 */
static uint64_t mix_section(uint64_t h, const struct die_bytes *b)
{
	size_t n = 64, samples = 16;

	h = debug_index_mix(h, b->size);
	if (b->size <= n * samples)
		return mix_bytes(h, b->at, b->at ? b->size : 0);
	for (size_t i = 0; i < samples; i++)
		h = mix_bytes(h, b->at + (b->size - n) * i / (samples - 1), n);
	return h;
}

uint64_t debug_index_identity(const struct die_files *files, uint64_t seed)
{
	uint64_t h = debug_index_mix(seed, files->n);

	for (size_t i = 0; i < files->n; i++) {
		h = mix_section(h, &files->items[i]->info);
		h = mix_section(h, &files->items[i]->abbrev);
		h = mix_section(h, &files->items[i]->str);
	}
	return h;
}

static size_t count_units(const struct debug_index_header *h)
{
	size_t n = h->n_more_units;

	for (size_t i = 0; i < DEBUG_INDEX_FILES_MAX; i++)
		n += h->n_units[i];
	return n;
}

/* Returns the size of an index with header @h, whose numbers have been checked. */
static size_t debug_index_size_of(const struct debug_index_header *h)
{
	return sizeof(*h) + count_units(h) * sizeof(struct die_unit) +
	       h->n_cross * sizeof(struct debug_index_cross) +
	       h->n_rows * sizeof(struct debug_index_row) +
	       (((size_t)1 << h->bits) + 1) * sizeof(uint32_t);
}

static void debug_index_find_parts(struct debug_index *x, const void *bytes)
{
	const struct debug_index_header *h = bytes;

	x->header = *h;
	x->size = debug_index_size_of(h);
	x->units = (const void *)(h + 1);
	x->cross = (const void *)(x->units + count_units(h));
	x->rows = (const void *)(x->cross + h->n_cross);
	x->starts = (const void *)(x->rows + h->n_rows);
}

static int by_origin(const void *a, const void *b)
{
	const struct debug_index_cross *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->origin != y->origin)
		return x->origin < y->origin ? -1 : 1;
	return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Sorts cross-unit copies. A unit with several copies of a function gets one row. */
static void sort_cross(struct debug_index_parts *p)
{
	struct debug_index_cross *cross = p->cross.items;
	size_t n = 0;

	if (p->cross.n)
		qsort(cross, p->cross.n, sizeof(cross[0]), by_origin);
	for (size_t i = 0; i < p->cross.n; i++)
		if (!n || by_origin(&cross[n - 1], &cross[i]))
			cross[n++] = cross[i];
	p->cross.n = n;
}

static void copy_units(const struct die_files *files, struct die_unit *to)
{
	for (size_t i = 0; i < files->n; i++) {
		size_t n = files->items[i]->n_units;

		if (n)
			memcpy(to, files->items[i]->units, n * sizeof(to[0]));
		to += n;
	}
}

static size_t bucket_of(uint32_t hash, uint64_t bits)
{
	return hash & (((size_t)1 << bits) - 1);
}

/* Sorts rows into buckets; they keep their order within each bucket. */
static void place_rows(const struct debug_index_parts *p, uint64_t bits,
		       struct debug_index_row *rows, uint32_t *starts)
{
	size_t buckets = (size_t)1 << bits;

	for (size_t i = 0; i < p->rows.n; i++)
		starts[bucket_of(p->rows.items[i].hash, bits)]++;
	for (size_t i = 0, sum = 0; i <= buckets; i++) {
		sum += starts[i];
		starts[i] = (uint32_t)sum;
	}
	/* From the last row to the first: afterwards each start is the first row of its bucket. */
	for (size_t i = p->rows.n; i-- > 0;)
		rows[--starts[bucket_of(p->rows.items[i].hash, bits)]] = p->rows.items[i];
}

struct debug_index *debug_index_new(struct debug_index_parts *p)
{
	struct debug_index *x = xcalloc(1, sizeof(*x));
	struct debug_index_header h = { .magic = MAGIC, .version = VERSION };

	sort_cross(p);
	h.n_cross = p->cross.n;
	h.n_rows = p->rows.n;
	while (((size_t)1 << h.bits) < h.n_rows / 2)
		h.bits++;
	for (size_t i = 0; i < p->files->n; i++) {
		size_t n = p->files->items[i]->n_units;

		*(i < DEBUG_INDEX_FILES_MAX ? &h.n_units[i] : &h.n_more_units) += n;
	}
	x->bytes = xcalloc(1, debug_index_size_of(&h));
	memcpy(x->bytes, &h, sizeof(h));
	debug_index_find_parts(x, x->bytes);
	copy_units(p->files, (struct die_unit *)x->units);
	if (h.n_cross)
		memcpy((void *)x->cross, p->cross.items, h.n_cross * sizeof(x->cross[0]));
	place_rows(p, h.bits, (struct debug_index_row *)x->rows, (uint32_t *)x->starts);
	return x;
}

void debug_index_seal(void *bytes, size_t size)
{
	struct debug_index_header *h = bytes;

	h->checksum = debug_index_checksum(h, size);
}

int debug_index_write(struct debug_index *x, uint64_t identity, const char *path)
{
	_cleanup_(freep) char *copy = xstrdup(path);
	struct debug_index_header *h = (struct debug_index_header *)x->bytes;
	int r = file_make_directories(dirname(copy));

	if (r < 0 && r != -EEXIST)
		return r;
	h->identity = identity;
	debug_index_seal(h, x->size);
	return output_file_replace(path, x->bytes, x->size, 0644);
}

static bool debug_index_is_sound(const struct debug_index_header *h, size_t size)
{
	size_t limit = size / sizeof(struct debug_index_row);

	return h->magic == MAGIC && h->version == VERSION && h->bits < 32 && h->n_rows <= limit &&
	       h->n_cross <= limit && !h->n_more_units && h->n_units[0] <= limit &&
	       h->n_units[1] <= limit && debug_index_size_of(h) == size &&
	       debug_index_checksum(h, size) == h->checksum;
}

int debug_index_open(const char *path, uint64_t identity, struct debug_index **ret)
{
	_cleanup_(debug_index_freep) struct debug_index *x = xcalloc(1, sizeof(*x));
	_cleanup_(closep) int fd = input_file_open(path);
	const struct debug_index_header *h;
	struct stat st;
	int r;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if ((size_t)st.st_size < sizeof(*h))
		return -EBADMSG;
	r = guarded_map_new(fd, (uint64_t)st.st_size, &x->map);
	if (r < 0)
		return r;
	h = (const void *)guarded_map_bytes(x->map);
	if (h->identity != identity)
		return -ESTALE;
	if (!debug_index_is_sound(h, (size_t)st.st_size))
		return -EBADMSG;
	debug_index_find_parts(x, h);
	*ret = TAKE(x);
	return 0;
}

/* True if units are in order and inside the section. */
static bool are_units_of(const struct die_unit *units, size_t n, const struct die_file *f)
{
	uint64_t end = 0;

	for (size_t i = 0; i < n; i++) {
		const struct die_unit *u = &units[i];

		if (u->start < end || u->entry <= u->start || u->end < u->entry ||
		    u->end > f->info.size || (u->offset_size != 4 && u->offset_size != 8))
			return false;
		end = u->end;
	}
	return true;
}

bool debug_index_lend_units(const struct debug_index *x, const struct die_files *files)
{
	const struct die_unit *units = x->units;

	for (size_t i = 0; i < files->n; i++) {
		struct die_file *f = files->items[i];
		size_t n = i < DEBUG_INDEX_FILES_MAX ? x->header.n_units[i] : f->n_units;

		if (!are_units_of(units, n, f))
			return false;
		f->units = units;
		f->n_units = n;
		units += n;
	}
	return (size_t)(units - x->units) == count_units(&x->header);
}

const struct debug_index_row *debug_index_rows(const struct debug_index *x, size_t *ret_n)
{
	*ret_n = x->header.n_rows;
	return x->rows;
}

const struct debug_index_row *debug_index_find(const struct debug_index *x, uint32_t hash,
					       size_t *ret_n)
{
	size_t bucket = bucket_of(hash, x->header.bits);
	uint32_t start = x->starts[bucket], end = x->starts[bucket + 1];

	/* If the file was truncated in the meantime, these are zeros. */
	*ret_n = start <= end && end <= x->header.n_rows ? end - start : 0;
	return x->rows + (*ret_n ? start : 0);
}

const struct debug_index_cross *debug_index_cross(const struct debug_index *x, uint64_t file,
						  uint64_t origin, size_t *ret_n)
{
	struct debug_index_cross key = { .file = file, .origin = origin };
	size_t first = BISECT(i, x->header.n_cross, by_origin(&x->cross[i], &key) < 0), n = 0;

	while (first + n < x->header.n_cross && x->cross[first + n].file == file &&
	       x->cross[first + n].origin == origin)
		n++;
	*ret_n = n;
	return x->cross + first;
}
