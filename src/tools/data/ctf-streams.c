/* SPDX-License-Identifier: MIT */
#include "tools/data/ctf-streams.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/output-file.h"

#define MAGIC        0xc1fc1fc1
#define PACKET_BYTES 262144
#define HEADER_BYTES 68

/* CPU numbers come from the recording; those beyond this share one stream. */
#define CPUS_MAX 65536

void ctf_streams_done(struct ctf_streams *s)
{
	for (size_t i = 0; i < s->items.n; i++)
		bytes_done(&s->items.items[i].events);
	free(s->items.items);
	u64_map_done(&s->of_cpu);
	free(s->failed);
}

static struct ctf_stream *find_stream(struct ctf_streams *s, uint32_t cpu)
{
	uintptr_t number;

	cpu = cpu < CPUS_MAX ? cpu : CPUS_MAX;
	number = (uintptr_t)u64_map_find(&s->of_cpu, cpu);
	if (number)
		return &s->items.items[number - 1];
	*ARRAY_ADD(&s->items) = (struct ctf_stream){ .cpu = cpu };
	u64_map_put(&s->of_cpu, cpu, (void *)(uintptr_t)s->items.n);
	return &s->items.items[s->items.n - 1];
}

static void ctf_streams_add_header(struct bytes *out, const struct ctf_streams *s,
				   const struct ctf_stream *st)
{
	uint64_t bits = 8 * (uint64_t)(HEADER_BYTES + st->events.n);

	bytes_u32(out, MAGIC);
	bytes_add(out, s->uuid, CTF_UUID_BYTES);
	bytes_u32(out, 0); /* the stream's type */
	bytes_u64(out, st->begin);
	bytes_u64(out, st->end);
	bytes_u64(out, bits); /* the size of the content, then that with padding */
	bytes_u64(out, bits);
	bytes_u64(out, 0); /* number of discarded events: not known by CPU */
	bytes_u32(out, st->cpu);
}

/* Appends a packet to @fd, and closes @fd. Returns a negative errno. */
static int ctf_streams_write_to(int fd, const struct bytes *header, const struct bytes *events)
{
	FILE *f = fdopen(fd, "a");
	bool fine;

	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	fine = fwrite(header->data, 1, header->n, f) == header->n &&
	       fwrite(events->data, 1, events->n, f) == events->n;
	errno = fine ? 0 : errno;
	if (fclose(f) == EOF || !fine)
		return errno ? -errno : -EIO;
	return 0;
}

/*
 * Writes a packet, and closes the file, because there may be more CPUs than files that may be open
 * at a time.
 */
static void write_packet(struct ctf_streams *s, struct ctf_stream *st)
{
	_cleanup_(freep) char *path = xasprintf("%s/perf_stream_%" PRIu32, s->path, st->cpu);
	_cleanup_(bytes_done) struct bytes header = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int fd, r;

	if (s->error || !st->events.n)
		return;
	ctf_streams_add_header(&header, s, st);
	fd = output_file_open(path, st->has_file ? OUTPUT_APPEND : OUTPUT_TRUNCATE, 0640, &diag);
	r = fd < 0 ? fd : ctf_streams_write_to(fd, &header, &st->events);
	if (r < 0) {
		s->error = -r;
		s->failed = TAKE(path);
	}
	s->n_bytes += header.n + st->events.n;
	st->events.n = 0;
	st->has_file = true;
}

struct bytes *ctf_stream_event(struct ctf_streams *s, uint32_t cpu, uint64_t time, uint32_t id)
{
	struct ctf_stream *st = find_stream(s, cpu);

	if (st->events.n >= PACKET_BYTES)
		write_packet(s, st);
	if (time < st->end)
		time = st->end;
	if (!st->events.n)
		st->begin = time;
	st->end = time;
	bytes_u32(&st->events, id);
	bytes_u64(&st->events, time);
	return &st->events;
}

int ctf_streams_end(struct ctf_streams *s)
{
	for (size_t i = 0; i < s->items.n; i++)
		write_packet(s, &s->items.items[i]);
	return -s->error;
}
