/* SPDX-License-Identifier: MIT */
#include "datafile/input.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/guarded-map.h"
#include "base/memory.h"

/*
 * The largest section that is read from a file that cannot be mapped: larger than any real one,
 * smaller than memory.
 */
#define SECTION_MAX (UINT64_C(256) << 20)

/*
 * Closes a descriptor that is no longer needed: a directory may have more files than a process may
 * keep open.
 */
static void close_unneeded(struct input *in)
{
	if (in->owns_fd && (in->mapped || !in->size)) {
		close(in->fd);
		in->fd = -1;
	}
}

void input_init(struct input *in, int fd, bool owns_fd)
{
	struct stat st;

	*in = (struct input){ .fd = fd, .owns_fd = owns_fd, .is_stream = true, .end = UINT64_MAX };
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	in->is_stream = false;
	in->size = in->end = (uint64_t)st.st_size;
	if (in->size && guarded_map_new(fd, in->size, &in->map) == 0)
		in->mapped = guarded_map_bytes(in->map);
	close_unneeded(in);
}

void input_done(struct input *in)
{
	guarded_map_free(in->map);
	chunks_done(&in->chunks);
	if (in->owns_fd && in->fd >= 0)
		close(in->fd);
	*in = (struct input){ .fd = -1 };
}

static bool input_read_at(struct input *in, uint64_t offset, size_t size, struct bytes *room)
{
	room->n = 0;
	bytes_zero(room, size);
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(in->fd, room->data + done, size - done, (off_t)(offset + done));

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

const uint8_t *input_at(struct input *in, uint64_t offset, uint64_t size, struct bytes *room)
{
	static const uint8_t nothing[1];

	if (in->is_stream || offset > in->size || size > in->size - offset)
		return NULL;
	if (!size)
		return nothing;
	if (in->mapped)
		return in->mapped + offset;
	return size <= SECTION_MAX && input_read_at(in, offset, size, room) ? room->data : NULL;
}

void input_seek(struct input *in, uint64_t offset, uint64_t end)
{
	in->end = end < in->size ? end : in->size;
	in->at = offset < in->end ? offset : in->end;
	in->error = 0;
	if (in->map) {
		guarded_map_release(in->map, 0);
		return;
	}
	chunks_done(&in->chunks);
	if (in->size && lseek(in->fd, (off_t)in->at, SEEK_SET) < 0)
		in->error = -errno;
}

static bool input_is_stopped(const struct input *in)
{
	return in->stop && atomic_load_explicit(in->stop, memory_order_relaxed);
}

/* Makes one more read() into the chunks; false: the end, or an error. */
static bool input_more(struct input *in)
{
	uint64_t left = in->end - in->at - chunks_available(&in->chunks);
	size_t room;
	uint8_t *p;
	ssize_t n;

	if (in->error || !left)
		return false;
	p = chunks_room(&in->chunks, &room);
	do
		n = read(in->fd, p, left < room ? left : room);
	while (n < 0 && errno == EINTR && !input_is_stopped(in));
	if (n < 0)
		in->error = errno == EINTR ? -ECANCELED : -errno;
	else
		chunks_filled(&in->chunks, (size_t)n);
	return n > 0;
}

size_t input_peek(struct input *in, size_t n, const uint8_t **ret)
{
	if (in->mapped) {
		*ret = in->mapped + in->at;
		return in->at < in->end ? in->end - in->at : 0;
	}
	while (chunks_available(&in->chunks) < n && input_more(in))
		;
	*ret = chunks_bytes(&in->chunks);
	return chunks_available(&in->chunks);
}

const uint8_t *input_take(struct input *in, size_t n, uint64_t position)
{
	uint64_t at = in->at;

	in->at += n;
	return in->mapped ? in->mapped + at : chunks_take(&in->chunks, n, position);
}

void input_skip(struct input *in, uint64_t n)
{
	const uint8_t *p;

	while (n) {
		size_t got = input_peek(in, 1, &p);

		if (!got)
			return;
		got = got < n ? got : n;
		input_take(in, got, 0);
		n -= got;
	}
}

void input_release(struct input *in, uint64_t position, uint64_t offset)
{
	if (in->map)
		guarded_map_release(in->map, offset < in->at ? offset : in->at);
	else
		chunks_release(&in->chunks, position);
}

bool input_shrank(const struct input *in)
{
	return in->map && guarded_map_shrank(in->map);
}
