/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The header of a perf.data file as bytes: version, byte order, and the places of the sections.
 * Private to datafile/. Offsets and sizes are those of the file, not checked.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;

#define FILE_HEADER_SIZE   104
#define STREAM_HEADER_SIZE 16

/*
 * The size of our attrs on disk, unless a member beyond needs more: 6.1 writes this size and
 * rejects a file with larger attrs.
 */
#define ATTR_SIZE_WRITTEN 128

/* { u64 offset, size; } of its ids follows each attr. */
#define ATTR_IDS_SIZE 16

struct file_section {
	uint64_t offset, size;
};

struct file_header {
	unsigned version;   /* 1 or 2 */
	bool swap;          /* written in the other byte order */
	bool is_stream;     /* the rest is records; the members below are unused */
	bool damaged;       /* its magic or size is wrong, the rest is valid */
	uint64_t attr_size; /* size of an entry, including the section of its ids */
	struct file_section attrs, data;
	struct file_section event_types; /* names in version 1: { u64 config; char name[64]; }[] */
	uint64_t features[4];
};

/*
 * Decodes the first @size bytes of a file. -EBADMSG: not a perf.data file; -ENODATA: it ends within
 * its header.
 */
int file_header_decode(const void *bytes, size_t size, struct file_header *ret);

/* Appends the header, in version 2 and our byte order. */
void file_header_encode(const struct file_header *h, struct bytes *out);
