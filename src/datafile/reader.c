/* SPDX-License-Identifier: MIT */
#include "datafile/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/guarded-map.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "datafile/datafile.h"

/*
 * A step takes some 50 ns. Walks in an intact file are much shorter: an event takes 80 bytes or
 * more, and only a few features contain data about it.
 */
#define STEPS_FLOOR    (UINT64_C(4) << 20)
#define STEPS_PER_BYTE 16

/* Sections do not overlap in an intact file; up to this size it does not matter. */
#define CLAIMS_FLOOR (UINT64_C(64) << 10)

bool datafile_allow_steps(struct datafile *df, uint64_t n)
{
	if (budget_take(&df->steps, n))
		return true;
	damage_add(&df->damage, "what it says about its events repeats itself too often for a file "
				"of its size: some of it is left out");
	return false;
}

struct file_event *datafile_event_add(struct datafile *df)
{
	struct file_event *e = xcalloc(1, sizeof(*e));

	*ARRAY_ADD(&df->events) = e;
	return e;
}

void datafile_free(struct datafile *df)
{
	if (!df)
		return;
	for (size_t i = 0; i < df->events.n; i++) {
		free(df->events.items[i]->ids);
		free(df->events.items[i]->name);
		free(df->events.items[i]);
	}
	free(df->events.items);
	for (size_t i = 0; i < df->parts.n; i++)
		part_done(&df->parts.items[i]);
	free(df->parts.items);
	features_done(&df->features);
	damage_done(&df->damage);
	free(df->path);
	free(df);
}

static int refuse_open(struct diag *diag, const char *path, int error)
{
	diag_set(diag, error, "cannot open '%s': %s", path, strerror(-error));
	if (error == -EINVAL)
		diag_set(diag, error, "cannot read '%s': it is not a regular file", path);
	if (error == -ENOENT)
		diag_hint(diag, "record one with 'perf record' first, or name another with -i");
	if (error == -EACCES)
		diag_hint(diag,
			  "run as its owner or root, or let others read it: sudo chmod a+r '%s'",
			  path);
	if (error == -EMFILE)
		diag_hint(diag, "allow more open files, e.g. with 'ulimit -n 65536'");
	return error;
}

static int datafile_reader_refuse_empty(const char *path, struct diag *diag)
{
	if (strcmp(path, "-") != 0)
		return diag_set(diag, -ENODATA, "'%s' is empty", path);
	diag_set(diag, -ENODATA, "standard input is empty");
	diag_hint(diag, "It is read as a recording: name a file instead with -i.");
	return -ENODATA;
}

static int datafile_reader_check_owner(const struct stat *st, const char *path, bool force,
				       struct diag *diag)
{
	if (force || !st->st_uid || st->st_uid == geteuid())
		return 0;
	diag_set(diag, -EPERM, "'%s' belongs to neither you nor root", path);
	diag_hint(diag, "use -f if you trust it");
	return -EPERM;
}

static struct part *part_add(struct datafile *df, int fd, bool owns_fd)
{
	struct part *p = ARRAY_ADD(&df->parts);

	p->number = (unsigned)df->parts.n - 1;
	p->damage = &df->damage;
	input_init(&p->input, fd, owns_fd);
	return p;
}

static void set_times(struct datafile *df, const struct stat *st)
{
	df->facts.mtime_s = (uint64_t)st->st_mtime;
	df->facts.mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000 +
			     (uint64_t)st->st_mtim.tv_nsec;
}

/* Opens the file with the header, which is `data` in a directory. */
static int open_main(struct datafile *df, bool force, struct diag *diag)
{
	_cleanup_(closep) int fd = -1;
	_cleanup_(freep) char *inner = NULL;
	const char *path = df->path;
	struct stat st;
	int r;

	if (!strcmp(path, "-")) {
		if (fstat(STDIN_FILENO, &st) == 0)
			df->facts.mtime_s = (uint64_t)st.st_mtime;
		part_add(df, STDIN_FILENO, false);
		return 0;
	}
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		path = inner = xasprintf("%s/data", path);
	/*
	 * A path from the user may be a pipe; the files of a directory were chosen by somebody
	 * else.
	 */
	fd = inner ? input_file_open(inner) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return refuse_open(diag, path, inner && fd < 0 ? fd : -errno);
	if (S_ISDIR(st.st_mode))
		return refuse_open(diag, path, -EISDIR);
	r = datafile_reader_check_owner(&st, path, force, diag);
	if (r < 0)
		return r;
	set_times(df, &st);
	df->facts.size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	if (S_ISREG(st.st_mode) && !st.st_size)
		return datafile_reader_refuse_empty(path, diag);
	part_add(df, fd, true);
	fd = -1;
	return 0;
}

static int is_bare_part(const struct dirent *d)
{
	return part_name_is(d->d_name);
}

/*
 * The number of a file must fit into the session's data for a record (session/order.h); no machine
 * has this many CPUs.
 */
#define PARTS_MAX 32000

static int open_bare_part(struct datafile *df, const char *path, const char *name, bool force,
			  struct diag *diag)
{
	struct part *p;
	struct stat st;
	_cleanup_(closep) int found = input_file_find(path, 0, &st);
	_cleanup_(closep) int fd = found < 0 ? found : input_file_reopen(found, path);
	int r;

	if (fd < 0)
		return refuse_open(diag, path, fd);
	r = datafile_reader_check_owner(&st, path, force, diag);
	if (r < 0)
		return r;
	p = part_add(df, fd, true);
	fd = -1;
	p->swap = df->header.swap;
	p->name = xstrdup(name);
	return 0;
}

/* Opens the files beside `data` in a directory: records without a header. */
static int open_rest(struct datafile *df, bool force, struct diag *diag)
{
	struct dirent **found = NULL;
	int n = scandir(df->path, &found, is_bare_part, versionsort), r = 0;

	for (int i = 0; i < n; i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", df->path, found[i]->d_name);

		if (r >= 0 && i < PARTS_MAX)
			r = open_bare_part(df, path, found[i]->d_name, force, diag);
		free(found[i]);
	}
	free(found);
	if (n > PARTS_MAX)
		damage_add(&df->damage, "of its %d files only the first %d are read", n, PARTS_MAX);
	return r;
}

static void facts_fill(struct datafile *df)
{
	struct datafile_facts *f = &df->facts;
	const struct file_header *h = &df->header;

	f->header_version = h->version - 1;
	f->header_size = h->is_stream ? STREAM_HEADER_SIZE : FILE_HEADER_SIZE;
	f->attrs_offset = h->attrs.offset;
	f->data_offset = h->data.offset;
	f->data_size = h->data.size;
	f->feature_offset = h->data.offset + h->data.size;
	memcpy(f->feature_bits, h->features, sizeof(f->feature_bits));
}

/*
 * Copies a file that comes through a pipe to a temporary one, because its sections cannot be
 * reached in the pipe.
 */
static int datafile_reader_spool(struct part *p, struct diag *diag)
{
	_cleanup_(fclosep) FILE *copy = tmpfile();
	struct input *in = &p->input;
	const uint8_t *bytes;
	size_t n;
	int fd;

	while (copy && (n = input_peek(in, 1, &bytes)) > 0) {
		if (fwrite(bytes, 1, n, copy) != n)
			break;
		input_take(in, n, 0);
	}
	if (!copy || input_peek(in, 1, &bytes) || in->error || fflush(copy) == EOF)
		return diag_set(diag, -EIO, "cannot keep a copy of what comes from the pipe");
	fd = fcntl(fileno(copy), F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return diag_set(diag, -errno, "cannot keep a copy of what comes from the pipe");
	input_done(in);
	input_init(in, fd, true);
	return 0;
}

static int refuse_header(const struct datafile *df, size_t n, int error, struct diag *diag)
{
	bool stream = df->parts.items[0].input.is_stream && n < STREAM_HEADER_SIZE;

	if (error != -ENODATA)
		return diag_set(diag, error, "'%s' is not a perf.data file", df->path);
	diag_set(diag, error, "'%s' is cut short: it ends at byte %zu of the %d of its header",
		 df->path, n, stream ? STREAM_HEADER_SIZE : FILE_HEADER_SIZE);
	diag_hint(diag, "Nothing of the recording is left in it: copy it again, or record anew.");
	return error;
}

/* Rejects a file that ends before its events and its data: it has nothing to show. */
static int datafile_reader_check_events(const struct datafile *df, struct diag *diag)
{
	uint64_t size = df->parts.items[0].input.size;

	if (df->events.n || !df->header.attrs.size || df->facts.data_offset < size)
		return 0;
	diag_set(diag, -ENODATA,
		 "'%s' is cut short: it ends at byte %" PRIu64
		 ", before its data, which begins at byte %" PRIu64,
		 df->path, size, df->facts.data_offset);
	diag_hint(diag, "Nothing of the recording is left in it: copy it again, or record anew.");
	return -ENODATA;
}

static int header_read(struct datafile *df, struct diag *diag)
{
	struct part *p = &df->parts.items[0];
	const uint8_t *bytes;
	size_t n = input_peek(&p->input, FILE_HEADER_SIZE, &bytes);
	int r;

	if (p->input.error)
		return diag_set(diag, p->input.error, "cannot read '%s': %s", df->path,
				strerror(-p->input.error));
	if (!n)
		return datafile_reader_refuse_empty(df->path, diag);
	r = file_header_decode(bytes, n, &df->header);
	if (r < 0)
		return refuse_header(df, n, r, diag);
	p->swap = df->header.swap;
	facts_fill(df);
	if (df->header.is_stream) {
		input_skip(&p->input, STREAM_HEADER_SIZE);
		p->start = STREAM_HEADER_SIZE;
		return 0;
	}
	if (p->input.is_stream) {
		r = datafile_reader_spool(p, diag);
		if (r < 0)
			return r;
	}
	budget_add(&df->claims, p->input.size, 1);
	budget_add(&df->steps, p->input.size, STEPS_PER_BYTE);
	sections_read(df);
	return datafile_reader_check_events(df, diag);
}

static struct datafile *datafile_new(const char *path)
{
	struct datafile *df = xcalloc(1, sizeof(*df));

	df->path = xstrdup(path);
	df->claims.left = CLAIMS_FLOOR;
	df->steps.left = STEPS_FLOOR;
	return df;
}

/* Passes a stream without our header to the caller unchanged: nothing was taken from it. */
static void hand_over_stream(struct datafile *df, struct input *rest)
{
	struct input *in = &df->parts.items[0].input;

	if (!in->is_stream)
		return;
	*rest = *in;
	*in = (struct input){ .fd = -1 };
}

int datafile_open_any(const char *path, bool force, struct datafile **ret, struct input *rest,
		      struct diag *diag)
{
	_cleanup_(datafile_freep) struct datafile *df = datafile_new(path);
	int r = open_main(df, force, diag);

	if (r >= 0) {
		r = header_read(df, diag);
		if (r == -EBADMSG)
			hand_over_stream(df, rest);
	}
	if (r >= 0)
		r = open_rest(df, force, diag);
	if (r < 0)
		return r;
	part_start(&df->parts.items[0], 0);
	*ret = TAKE(df);
	return 0;
}

int datafile_open(const char *path, bool force, struct datafile **ret, struct diag *diag)
{
	_cleanup_(input_done) struct input rest = { .fd = -1 };

	return datafile_open_any(path, force, ret, &rest, diag);
}

int datafile_open_fd(int fd, const char *path, struct datafile **ret, struct diag *diag)
{
	_cleanup_(datafile_freep) struct datafile *df = datafile_new(path);
	struct stat st;
	int r;

	if (stat(path, &st) == 0)
		set_times(df, &st);
	part_add(df, fd, true);
	r = header_read(df, diag);
	if (r < 0)
		return r;
	part_start(&df->parts.items[0], 0);
	*ret = TAKE(df);
	return 0;
}

/*
 * The least amount that is read of a file of a directory, because its first events are of interest,
 * too.
 */
#define PART_LIMIT_MIN (16u << 10)

void datafile_limit(struct datafile *df, uint64_t bytes)
{
	uint64_t share = bytes / df->parts.n;

	if (bytes && share < PART_LIMIT_MIN && df->parts.n > 1)
		share = PART_LIMIT_MIN;
	for (size_t i = 0; i < df->parts.n; i++)
		df->parts.items[i].limit = share;
}

bool datafile_is_limited(const struct datafile *df)
{
	for (size_t i = 0; i < df->parts.n; i++)
		if (df->parts.items[i].is_limited)
			return true;
	return false;
}

void datafile_stop_when(struct datafile *df, const atomic_bool *stop)
{
	for (size_t i = 0; i < df->parts.n; i++)
		df->parts.items[i].input.stop = stop;
}

uint64_t datafile_total_bytes(const struct datafile *df)
{
	uint64_t total = 0;

	for (size_t i = 0; i < df->parts.n; i++)
		if (!df->parts.items[i].input.is_stream)
			total += df->parts.items[i].input.end;
	return total;
}

bool datafile_swapped(const struct datafile *df)
{
	return df->header.swap;
}

bool datafile_is_pipe(const struct datafile *df)
{
	return df->header.is_stream;
}

bool datafile_is_cut(const struct datafile *df)
{
	return df->is_cut;
}

const char *datafile_path(const struct datafile *df)
{
	return df->path;
}

size_t datafile_part_count(const struct datafile *df)
{
	return df->parts.n;
}

size_t datafile_event_count(const struct datafile *df)
{
	return df->events.n;
}

const struct file_event *datafile_event(const struct datafile *df, size_t i)
{
	return df->events.items[i];
}

const struct features *datafile_features(const struct datafile *df)
{
	return &df->features;
}

const struct datafile_facts *datafile_facts(const struct datafile *df)
{
	return &df->facts;
}

int datafile_next(struct datafile *df, struct raw_record *ret, struct diag *diag)
{
	while (df->current < df->parts.n) {
		struct part *p = &df->parts.items[df->current];
		int r = part_next(p, ret);

		if (r > 0 && df->header.is_stream) {
			budget_add(&df->steps, ret->header.size, STEPS_PER_BYTE);
			stream_learn(df, ret);
		}
		if (r < 0)
			diag_set(diag, r, "cannot read '%s': %s", df->path, strerror(-r));
		if (r)
			return r;
		if (++df->current < df->parts.n)
			part_start(&df->parts.items[df->current], part_position(p));
	}
	return 0;
}

bool datafile_next_samples(struct datafile *df, size_t most, struct sample_run *ret)
{
	return df->current < df->parts.n &&
	       part_next_samples(&df->parts.items[df->current], most, ret);
}

bool datafile_rest(struct datafile *df, struct file_rest *ret)
{
	struct part *p = &df->parts.items[df->current];

	if (df->current + 1 != df->parts.n || !p->input.mapped || p->limit || p->inflating)
		return false;
	ret->size = input_peek(&p->input, 1, &ret->bytes);
	ret->offset = p->input.at;
	ret->position = part_position(p);
	ret->part = p->number;
	return ret->size;
}

const uint8_t *datafile_mapped(const struct datafile *df, unsigned part, uint64_t offset)
{
	const struct input *in = &df->parts.items[part].input;

	return in->mapped ? in->mapped + offset : NULL;
}

bool datafile_record_stays(const struct datafile *df, const struct raw_record *rec)
{
	return !rec->decompressed && df->parts.items[rec->part].input.mapped;
}

void datafile_drop(const struct datafile *df, unsigned part, uint64_t offset, uint64_t size)
{
	const struct input *in = &df->parts.items[part].input;

	if (in->map)
		guarded_map_drop(in->map, offset, size);
}

void datafile_note_shrunk(struct datafile *df)
{
	for (size_t i = 0; i < df->parts.n; i++)
		if (input_shrank(&df->parts.items[i].input))
			damage_add(&df->damage, "the file shrank while it was read: what is gone "
						"is left out");
}

void datafile_release(struct datafile *df, uint64_t position)
{
	for (size_t i = 0; i < df->parts.n && i <= df->current; i++)
		part_release(&df->parts.items[i], position);
}

int datafile_rewind(struct datafile *df)
{
	for (size_t i = 0; i < df->parts.n; i++)
		if (df->parts.items[i].input.is_stream)
			return -ESPIPE;
	for (size_t i = 0; i < df->parts.n; i++) {
		struct part *p = &df->parts.items[i];

		input_seek(&p->input, p->start, p->input.end);
	}
	df->current = 0;
	part_start(&df->parts.items[0], 0);
	return 0;
}

/* Returns the end of reading, unless the data is compressed: then it may end earlier. */
static uint64_t part_end(const struct part *p)
{
	const struct input *in = &p->input;

	if (in->is_stream)
		return 0;
	return p->limit && p->limit < in->end - p->start ? p->start + p->limit : in->end;
}

uint64_t datafile_done_bytes(const struct datafile *df, uint64_t *ret_total)
{
	uint64_t done = 0, total = 0;

	for (size_t i = 0; i < df->parts.n; i++) {
		const struct part *p = &df->parts.items[i];

		done += p->input.at;
		total += part_end(p);
	}
	*ret_total = total;
	return done;
}

size_t datafile_note_count(const struct datafile *df)
{
	return df->damage.n;
}

const char *datafile_note(const struct datafile *df, size_t i)
{
	return df->damage.items[i];
}

void datafile_add_note(struct datafile *df, const char *sentence)
{
	damage_add(&df->damage, "%s", sentence);
}
