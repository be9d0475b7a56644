/* SPDX-License-Identifier: MIT */
#include "runtime/functions.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "dwarf/function-image.h"
#include "runtime/runtime.h"

/* The images of all languages, one after the other. No machine has memory there. */
#define IMAGES_START UINT64_C(0x5000000000000000)
#define IMAGES_APART UINT64_C(0x10000000000)
#define IMAGE_SIZE   UINT64_C(0x40000000)

/* Functions begin at multiples of it. */
#define ALIGNMENT 16

/* An object that is brief is read again after this time. */
#define BRIEF_NS UINT64_C(5000000)

/* Reading names of a process may take so long at once, and one part in so many of all time. */
#define READING_BURST_NS UINT64_C(2000000000)
#define READING_SHARE    4

/* Names, as they are shown, and paths; names and lines of an image; what is known about code. */
#define NAME_SIZE_MAX   1024
#define PATH_SIZE_MAX   4096
#define IMAGE_BYTES_MAX ((size_t)256 << 20)
#define CODE_BYTES_MAX  ((size_t)128 << 20)

#define UNREAD      "[unread]"
#define UNREAD_SIZE ALIGNMENT

/*
 * The last byte of a function is for frames whose position is not known. It has no line, nor has
 * the beginning of one whose first line comes later.
 */
struct function_row {
	char *name, *file;
	uint64_t offset, size;
	size_t first_line, n_lines;
};

struct function_image_rows {
	char *path;
	struct {
		struct function_row *items;
		size_t n, room;
	} rows;
	struct {
		struct runtime_line *items;
		size_t n, room;
	} lines;
	uint64_t end;           /* of the code */
	size_t bytes;           /* of names and lines */
	struct u64_map by_text; /* the number of the function plus one, by a hash */
	struct build_id build_id;
};

/* A code object: the rows of its functions, and the places in them. */
struct function_code {
	uint64_t read_ns; /* time at which it was read */
	size_t *rows, n_rows;
	struct runtime_code code; /* spots and places */
};

/* Code at an address, whose frames have this check word. */
struct function_range {
	uint64_t start, size;
	uint32_t check;
	struct function_code *code;
};

/* Ranges of the same function may overlap: so many are searched at most. */
#define RANGES_TRIED 16

/* A process, and what is known about its code objects. */
struct function_process {
	struct runtime_process runtime;
	struct u64_map by_frame; /* struct function_code */
	struct {
		struct function_range *items; /* by start */
		size_t n, room;
	} ranges;
	unsigned is_mapped; /* 1 << enum runtime_stacks */
	uint64_t since_ns;  /* time at which its first name was read, and how long reading took */
	uint64_t reading_ns;
};

struct runtime_functions {
	unsigned left_out;    /* 1 << enum runtime_kind */
	pthread_mutex_t lock; /* protects all of the rest but the paths and the build-ids */
	struct function_image_rows images[RUNTIME_KINDS];
	struct u64_map processes; /* struct function_process, by pid */
	struct u64_map refused;   /* pids */
	size_t code_bytes;        /* of all that is known about code */
	struct runtime_functions_counts counts[RUNTIME_KINDS];
};

static void build_id_choose(struct build_id *id)
{
	id->size = BUILD_ID_SIZE_MAX;
	if (getrandom(id->bytes, BUILD_ID_SIZE_MAX, 0) != BUILD_ID_SIZE_MAX) {
		uint64_t seed[3] = { hash_seed(), hash_seed() ^ (uintptr_t)id, 1 };

		memcpy(id->bytes, seed, BUILD_ID_SIZE_MAX);
	}
}

struct runtime_functions *runtime_functions_new(unsigned left_out)
{
	struct runtime_functions *f = xcalloc(1, sizeof(*f));

	pthread_mutex_init(&f->lock, NULL);
	f->left_out = left_out;
	for (int i = 0; i < RUNTIME_KINDS; i++) {
		struct function_image_rows *im = &f->images[i];

		im->path = xasprintf(RUNTIME_PATH "%s", runtime_kind_name((enum runtime_kind)i));
		build_id_choose(&im->build_id);
		*ARRAY_ADD(&im->rows) = (struct function_row){ .name = xstrdup(UNREAD),
							       .file = xstrdup(""),
							       .size = UNREAD_SIZE };
		im->end = UNREAD_SIZE;
	}
	return f;
}

/* Returns what @c takes in memory, about. */
static size_t function_code_bytes(const struct function_code *c)
{
	return sizeof(*c) + sizeof(struct function_range) +
	       c->code.spots.n * sizeof(c->code.spots.items[0]) +
	       c->code.places.n * sizeof(c->code.places.items[0]) + c->n_rows * sizeof(c->rows[0]);
}

static void function_code_free(void *arg, uint64_t key, void *value)
{
	struct runtime_functions *f = arg;
	struct function_code *c = value;

	(void)key;
	f->code_bytes -= function_code_bytes(c);
	runtime_code_done(&c->code);
	free(c->rows);
	free(c);
}

static void function_process_forget(struct runtime_functions *f, struct function_process *p)
{
	u64_map_for_each(&p->by_frame, function_code_free, f);
	u64_map_done(&p->by_frame);
	free(p->ranges.items);
	p->by_frame = (struct u64_map){ 0 };
	p->ranges.items = NULL;
	p->ranges.n = p->ranges.room = 0;
}

static void function_process_free(void *arg, uint64_t key, void *value)
{
	struct function_process *p = value;

	(void)key;
	function_process_forget(arg, p);
	((struct runtime_functions *)arg)->code_bytes -= sizeof(*p);
	free(p);
}

void runtime_functions_free(struct runtime_functions *f)
{
	if (!f)
		return;
	for (int i = 0; i < RUNTIME_KINDS; i++) {
		struct function_image_rows *im = &f->images[i];

		for (size_t k = 0; k < im->rows.n; k++) {
			free(im->rows.items[k].name);
			free(im->rows.items[k].file);
		}
		free(im->rows.items);
		free(im->lines.items);
		free(im->path);
		u64_map_done(&im->by_text);
	}
	u64_map_for_each(&f->processes, function_process_free, f);
	u64_map_done(&f->processes);
	u64_map_done(&f->refused);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* True if names are read alike. Code that comes and goes, as at the end, changes the ranges only.
 */
static bool function_reads_alike(const struct runtime_process *a, const struct runtime_process *b)
{
	return a->kind == b->kind &&
	       !memcmp(&a->frame, &b->frame, sizeof(*a) - offsetof(struct runtime_process, frame));
}

void runtime_functions_set_process(struct runtime_functions *f, uint32_t pid,
				   const struct runtime_process *p)
{
	struct function_process *found;

	pthread_mutex_lock(&f->lock);
	found = u64_map_find(&f->processes, pid);
	if (!p) {
		u64_map_remove(&f->processes, pid);
		if (found)
			function_process_free(f, pid, found);
	} else if (!found) {
		found = xcalloc(1, sizeof(*found));
		found->runtime = *p;
		f->code_bytes += sizeof(*found);
		u64_map_put(&f->processes, pid, found);
	} else if (!p->is_ready && found->runtime.is_ready && p->kind == found->runtime.kind) {
		/* The runtime ends: frames from before are still named. */
	} else if (!function_reads_alike(&found->runtime, p)) {
		/* It has become another program, or its runtime has started. */
		function_process_forget(f, found);
		*found = (struct function_process){ .runtime = *p };
	}
	pthread_mutex_unlock(&f->lock);
}

static uint64_t function_hash(const struct runtime_function *r)
{
	uint64_t h = hash_bytes(hash_seed(), r->name.chars, r->name.length);

	h = hash_bytes(h, r->file.chars, r->file.length);
	h = hash_bytes(h, &r->size, sizeof(r->size));
	if (r->lines.n)
		h = hash_bytes(h, r->lines.items, r->lines.n * sizeof(r->lines.items[0]));
	return h;
}

/*
 * Makes a text from foreign memory one that every output may show: it has a limited length, and no
 * characters on which a terminal would act.
 */
static void function_clean(struct text *t, size_t max)
{
	struct text clean = TEXT_EMPTY;

	if (t->length > max) {
		text_clear(&clean);
		text_add_bytes(&clean, t->chars, max);
		text_swap(&clean, t);
		text_clear(&clean);
	}
	escape_terminal(&clean, t->chars, t->length);
	text_swap(&clean, t);
	text_done(&clean);
}

/* Removes lines that are not in order, or outside of the function. */
static void function_clean_lines(struct runtime_function *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->lines.n; i++)
		if (r->lines.items[i].position < (r->size ? r->size : 1) &&
		    (!n || r->lines.items[i].position >= r->lines.items[n - 1].position))
			r->lines.items[n++] = r->lines.items[i];
	r->lines.n = n;
}

/* Returns the number of the function @r; 0, that of "[unread]": there is no space for it. */
static size_t function_image_add(struct function_image_rows *im, struct runtime_function *r)
{
	uint64_t h;
	uintptr_t found;
	size_t bytes;

	function_clean(&r->name, NAME_SIZE_MAX);
	function_clean(&r->file, PATH_SIZE_MAX);
	function_clean_lines(r);
	h = function_hash(r);
	found = (uintptr_t)u64_map_find(&im->by_text, h);
	bytes = sizeof(struct function_row) + r->name.length + r->file.length +
		r->lines.n * sizeof(r->lines.items[0]);
	if (found || !r->name.length || im->end + r->size > IMAGE_SIZE - FUNCTION_IMAGE_TEXT ||
	    bytes > IMAGE_BYTES_MAX - im->bytes)
		return found;
	*ARRAY_ADD(&im->rows) = (struct function_row){ .name = xstrdup(r->name.chars),
						       .file = xstrdup(r->file.chars),
						       .offset = im->end,
						       .size = (uint64_t)r->size + 1,
						       .first_line = im->lines.n,
						       .n_lines = r->file.length ? r->lines.n : 0 };
	for (size_t i = 0; i < r->lines.n && r->file.length; i++)
		*ARRAY_ADD(&im->lines) = r->lines.items[i];
	im->end += ((uint64_t)r->size + 1 + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
	im->bytes += bytes;
	u64_map_put(&im->by_text, h, (void *)(uintptr_t)(im->rows.n - 1));
	return im->rows.n - 1;
}

static uint64_t frame_key(const uint64_t frame[2])
{
	const uint64_t key[] = { frame[0], RUNTIME_CHECK(frame[1]) };

	return hash_bytes(hash_seed(), key, sizeof(key));
}

/* Returns the number of ranges that start at or below @addr. */
static size_t function_ranges_below(const struct function_process *p, uint64_t addr)
{
	size_t low = 0, high = p->ranges.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->ranges.items[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void function_range_add(struct function_process *p, struct function_code *c, uint32_t check)
{
	size_t at = function_ranges_below(p, c->code.start);

	(void)ARRAY_ADD(&p->ranges);
	memmove(p->ranges.items + at + 1, p->ranges.items + at,
		(p->ranges.n - 1 - at) * sizeof(p->ranges.items[0]));
	p->ranges.items[at] = (struct function_range){ c->code.start, c->code.size, check, c };
}

/* Returns the code of @frame if it is known; that of an address may be known by another frame. */
static struct function_code *function_code_find(const struct function_process *p,
						const uint64_t frame[2])
{
	struct function_code *c = u64_map_find(&p->by_frame, frame_key(frame));
	uint64_t addr = RUNTIME_OBJECT(frame[0]);
	size_t n = c ? 0 : function_ranges_below(p, addr);

	for (size_t i = n; !c && i-- > 0 && n - i <= RANGES_TRIED;) {
		const struct function_range *r = &p->ranges.items[i];

		if (addr - r->start < r->size && r->check == RUNTIME_CHECK(frame[1]))
			c = r->code;
	}
	return c;
}

static enum runtime_kind function_process_kind(const struct function_process *p)
{
	return p->runtime.kind < RUNTIME_KINDS ? (enum runtime_kind)p->runtime.kind
					       : RUNTIME_KIND_NONE;
}

bool runtime_functions_wants(const struct runtime_functions *f, enum runtime_kind kind)
{
	return !(f->left_out & 1U << kind);
}

void runtime_functions_refuse(struct runtime_functions *f, uint32_t pid, enum runtime_kind kind,
			      int error)
{
	enum runtime_refusal why = RUNTIME_REFUSED_MEMORY;

	if (error == -ENOTSUP)
		why = RUNTIME_REFUSED_VERSION;
	else if (error == -EPERM)
		why = RUNTIME_REFUSED_RIGHTS;
	pthread_mutex_lock(&f->lock);
	if (!u64_map_find(&f->refused, pid)) {
		u64_map_put(&f->refused, pid, f);
		f->counts[kind].refused[why]++;
	}
	pthread_mutex_unlock(&f->lock);
}

/* The processes that have ended. */
struct function_ended {
	uint32_t *items;
	size_t n, room;
};

static void function_find_ended(void *arg, uint64_t pid, void *value)
{
	(void)value;
	if (kill((pid_t)pid, 0) < 0 && errno == ESRCH)
		*ARRAY_ADD((struct function_ended *)arg) = (uint32_t)pid;
}

static void function_forget(void *arg, uint64_t pid, void *value)
{
	(void)pid;
	function_process_forget(arg, value);
}

/*
 * Makes room if too much is known: removes processes that have ended, other than @current, or else
 * all code.
 */
static void function_make_room(struct runtime_functions *f, const struct function_process *current)
{
	struct function_ended ended = { 0 };

	if (f->code_bytes <= CODE_BYTES_MAX)
		return;
	u64_map_for_each(&f->processes, function_find_ended, &ended);
	for (size_t i = 0; i < ended.n; i++) {
		struct function_process *p = u64_map_find(&f->processes, ended.items[i]);

		if (p == current)
			continue;
		u64_map_remove(&f->processes, ended.items[i]);
		function_process_free(f, ended.items[i], p);
	}
	free(ended.items);
	if (f->code_bytes > CODE_BYTES_MAX / 2)
		u64_map_for_each(&f->processes, function_forget, f);
}

/* Keeps what was read to @c: the functions themselves are in the image then. */
static void function_code_keep(struct runtime_functions *f, struct function_process *p,
			       const uint64_t frame[2], struct function_code *c)
{
	struct function_image_rows *im = &f->images[function_process_kind(p)];

	c->n_rows = c->code.functions.n;
	c->rows = xcalloc(c->n_rows, sizeof(c->rows[0]));
	for (size_t i = 0; i < c->n_rows; i++)
		c->rows[i] = function_image_add(im, &c->code.functions.items[i]);
	runtime_code_forget_functions(&c->code);
	f->code_bytes += function_code_bytes(c);
	u64_map_put(&p->by_frame, frame_key(frame), c);
	if (c->code.size && RUNTIME_CHECK(frame[1]))
		function_range_add(p, c, RUNTIME_CHECK(frame[1]));
}

/*
 * Reads a code object of a process, which may make this take long. Each of them may take some time
 * only, so that the others have their names. -ETIME: it has.
 */
static int function_process_read(struct function_process *p, uint32_t pid, const uint64_t frame[2],
				 struct runtime_code *ret)
{
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	int r;

	if (!p->since_ns)
		p->since_ns = start;
	if (p->reading_ns > READING_BURST_NS + (start - p->since_ns) / READING_SHARE)
		return -ETIME;
	r = runtime_code_read(&p->runtime, (int)pid, frame, ret);
	p->reading_ns += clock_ns(CLOCK_MONOTONIC) - start;
	return r;
}

static void function_count_failure(struct runtime_functions_counts *c, int error)
{
	if (error == -ESRCH)
		c->ended++;
	else if (error == -ETIME)
		c->slow++;
	else
		c->stale++;
}

/*
 * Reads the code object of @frame. @old is what was read before, or NULL; it stays if the object is
 * gone. NULL: there is no name, which is counted.
 */
static struct function_code *function_code_read(struct runtime_functions *f,
						struct function_process *p, uint32_t pid,
						const uint64_t frame[2], struct function_code *old)
{
	struct function_code *c = xcalloc(1, sizeof(*c));
	int r = function_process_read(p, pid, frame, &c->code);

	if (r < 0 || !c->code.functions.n) {
		runtime_code_done(&c->code);
		free(c);
		if (!old)
			function_count_failure(&f->counts[function_process_kind(p)], r);
		return old;
	}
	c->read_ns = clock_ns(CLOCK_MONOTONIC);
	if (old)
		function_code_free(f, 0, old);
	function_code_keep(f, p, frame, c);
	return c;
}

/* Returns the code object of @frame, or NULL as above. */
static const struct function_code *function_code_of(struct runtime_functions *f,
						    struct function_process *p, uint32_t pid,
						    const uint64_t frame[2])
{
	struct function_code *c = function_code_find(p, frame);

	if (c && (!c->code.is_brief || clock_ns(CLOCK_MONOTONIC) - c->read_ns < BRIEF_NS))
		return c;
	if (!c)
		function_make_room(f, p);
	return function_code_read(f, p, pid, frame, c);
}

static void function_add_address(const struct runtime_functions *f, enum runtime_kind kind,
				 size_t row, uint64_t position, struct runtime_addresses *to)
{
	const struct function_row *r = &f->images[kind].rows.items[row];

	*ARRAY_ADD(to) = runtime_functions_mapping(f, kind).start + FUNCTION_IMAGE_TEXT +
			 r->offset + (position < r->size ? position : r->size - 1);
}

/* Returns the spot of @position, or NULL. */
static const struct runtime_spot *spot_find(const struct runtime_code *c, uint32_t position)
{
	size_t low = 0, high = c->spots.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->spots.items[middle].end <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->spots.n ? &c->spots.items[low] : NULL;
}

static void function_add_frame(struct runtime_functions *f, struct function_process *p,
			       uint32_t pid, const uint64_t frame[2], struct runtime_addresses *to)
{
	enum runtime_kind kind = function_process_kind(p);
	const struct function_code *c = function_code_of(f, p, pid, frame);
	const struct runtime_spot *spot;
	uint32_t position = RUNTIME_POSITION(frame[1]);

	if (!c) {
		function_add_address(f, kind, 0, 0, to);
		return;
	}
	f->counts[kind].named++;
	if (c->code.size)
		position = (uint32_t)(RUNTIME_OBJECT(frame[0]) - c->code.start);
	spot = spot_find(&c->code, position);
	if (!spot || !spot->n)
		function_add_address(f, kind, c->rows[0], c->code.spots.n ? 0 : position, to);
	else
		for (uint32_t i = spot->first; i < spot->first + spot->n; i++)
			function_add_address(f, kind, c->rows[c->code.places.items[i].function],
					     c->code.places.items[i].position, to);
}

void runtime_functions_read(struct runtime_functions *f, uint32_t pid, const uint64_t frame[2])
{
	struct function_process *p;

	pthread_mutex_lock(&f->lock);
	p = u64_map_find(&f->processes, pid);
	if (p)
		function_code_of(f, p, pid, frame);
	pthread_mutex_unlock(&f->lock);
}

enum runtime_kind runtime_functions_translate(struct runtime_functions *f, enum runtime_stacks from,
					      uint32_t pid, const uint64_t *words, size_t n,
					      struct runtime_addresses *to)
{
	enum runtime_kind is_new = RUNTIME_KIND_NONE;
	struct function_process *p;
	bool has_frames = false;

	pthread_mutex_lock(&f->lock);
	p = u64_map_find(&f->processes, pid);
	for (size_t i = 0; i < n; i++) {
		if (!RUNTIME_IS_FRAME(words[i])) {
			*ARRAY_ADD(to) = words[i];
			continue;
		}
		/* A stack may be cut inside of a frame. */
		if (p && i + 1 < n)
			function_add_frame(f, p, pid, words + i, to);
		has_frames = true;
		i++;
	}
	if (p) {
		f->counts[function_process_kind(p)].stacks++;
		f->counts[function_process_kind(p)].interpreted += has_frames;
	}
	if (p && has_frames && !(p->is_mapped & 1U << from)) {
		p->is_mapped |= 1U << from;
		is_new = function_process_kind(p);
	}
	pthread_mutex_unlock(&f->lock);
	return is_new;
}

static void function_process_begin_file(void *arg, uint64_t key, void *value)
{
	struct function_process *p = value;

	(void)arg, (void)key;
	p->is_mapped = 0;
}

void runtime_functions_begin_file(struct runtime_functions *f)
{
	pthread_mutex_lock(&f->lock);
	u64_map_for_each(&f->processes, function_process_begin_file, NULL);
	pthread_mutex_unlock(&f->lock);
}

struct runtime_functions_counts runtime_functions_counts(const struct runtime_functions *f,
							 enum runtime_kind kind)
{
	return f->counts[kind];
}

struct runtime_mapping runtime_functions_mapping(const struct runtime_functions *f,
						 enum runtime_kind kind)
{
	return (struct runtime_mapping){ .path = f->images[kind].path,
					 .start = IMAGES_START + kind * IMAGES_APART,
					 .size = IMAGE_SIZE,
					 .build_id = f->images[kind].build_id };
}

struct function_lines {
	struct function_line *items;
	size_t n, room;
};

/* Appends the lines of @row, and the places that have none. */
static void function_put_lines(const struct function_image_rows *im, const struct function_row *row,
			       struct function_lines *to)
{
	const struct runtime_line *lines = im->lines.items + row->first_line;
	const char *file = *row->file ? row->file : UNREAD;

	if (!row->n_lines || lines[0].position)
		*ARRAY_ADD(to) = (struct function_line){ row->offset, file, 0 };
	for (size_t i = 0; i < row->n_lines; i++)
		*ARRAY_ADD(to) = (struct function_line){ row->offset + lines[i].position, file,
							 lines[i].line };
	if (row->n_lines)
		*ARRAY_ADD(to) = (struct function_line){ row->offset + row->size - 1, file, 0 };
}

/* Returns the number of rows that begin at or below @offset. */
static size_t function_rows_below(const struct function_image_rows *im, uint64_t offset)
{
	return BISECT(k, im->rows.n, im->rows.items[k].offset <= offset);
}

/* Returns the row of @addr, or NULL. The caller holds the lock. */
static const struct function_row *function_row_find(const struct function_image_rows *im,
						    uint64_t addr)
{
	size_t n = addr < FUNCTION_IMAGE_TEXT ? 0
					      : function_rows_below(im, addr - FUNCTION_IMAGE_TEXT);
	const struct function_row *row = n ? &im->rows.items[n - 1] : NULL;

	return row && addr - FUNCTION_IMAGE_TEXT - row->offset < row->size ? row : NULL;
}

bool runtime_functions_find(struct runtime_functions *f, enum runtime_kind kind, uint64_t addr,
			    struct runtime_found *ret)
{
	const struct function_row *row;

	pthread_mutex_lock(&f->lock);
	row = function_row_find(&f->images[kind], addr);
	if (row)
		*ret = (struct runtime_found){ .start = FUNCTION_IMAGE_TEXT + row->offset,
					       .end = FUNCTION_IMAGE_TEXT + row->offset + row->size,
					       .name = row->name,
					       .file = *row->file ? row->file : NULL };
	pthread_mutex_unlock(&f->lock);
	return row;
}

/* Returns the line of a position of @row. *@ret_end: the position from which on there is another.
 */
static uint32_t function_row_line(const struct function_image_rows *im,
				  const struct function_row *row, uint64_t position,
				  uint64_t *ret_end)
{
	const struct runtime_line *lines = im->lines.items + row->first_line;
	size_t n = row->n_lines ? BISECT(k, row->n_lines, lines[k].position <= position) : 0;

	*ret_end = n < row->n_lines && lines[n].position < row->size ? lines[n].position
								     : row->size;
	/* The last byte is for positions that are not known. */
	return n && position < row->size - 1 ? lines[n - 1].line : 0;
}

enum runtime_kind runtime_functions_find_mapped(struct runtime_functions *f, uint64_t addr,
						struct runtime_found *ret)
{
	for (int i = RUNTIME_KIND_NONE + 1; i < RUNTIME_KINDS; i++) {
		enum runtime_kind kind = (enum runtime_kind)i;
		struct runtime_mapping m = runtime_functions_mapping(f, kind);

		if (addr - m.start < m.size)
			return runtime_functions_find(f, kind, addr - m.start, ret)
				       ? kind
				       : RUNTIME_KIND_NONE;
	}
	return RUNTIME_KIND_NONE;
}

uint32_t runtime_functions_line(struct runtime_functions *f, enum runtime_kind kind, uint64_t addr,
				uint64_t *ret_end)
{
	const struct function_row *row;
	uint32_t line = 0;
	uint64_t end;

	pthread_mutex_lock(&f->lock);
	row = function_row_find(&f->images[kind], addr);
	if (row) {
		uint64_t start = FUNCTION_IMAGE_TEXT + row->offset;

		line = function_row_line(&f->images[kind], row, addr - start, &end);
		*ret_end = start + end;
	}
	pthread_mutex_unlock(&f->lock);
	return line;
}

/* Appends the image of the rows of @im. The caller holds the lock. */
static void function_image_write(const struct function_image_rows *im, struct bytes *out)
{
	_cleanup_(freep) struct image_function *functions = xcalloc(im->rows.n + 1,
								    sizeof(functions[0]));
	struct function_lines lines = { 0 };
	const struct arch *arch = arch_host();
	struct function_image image = { .machine = arch ? arch->elf_machine : 0,
					.functions = functions,
					.n_functions = im->rows.n,
					.code_size = im->end,
					.build_id = &im->build_id };
	struct build_id id;

	for (size_t i = 0; i < im->rows.n; i++) {
		const struct function_row *row = &im->rows.items[i];

		functions[i] = (struct image_function){ row->name, strlen(row->name), row->offset,
							row->size };
		function_put_lines(im, row, &lines);
	}
	image.lines = lines.items;
	image.n_lines = lines.n;
	function_image_put(&image, out, &id);
	free(lines.items);
}

bool runtime_functions_put(struct runtime_functions *f, enum runtime_kind kind, struct bytes *out)
{
	const struct function_image_rows *im = &f->images[kind];
	bool has_functions;

	pthread_mutex_lock(&f->lock);
	has_functions = im->rows.n > 1;
	if (has_functions)
		function_image_write(im, out);
	pthread_mutex_unlock(&f->lock);
	return has_functions;
}
