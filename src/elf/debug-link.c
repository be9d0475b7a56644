/* SPDX-License-Identifier: MIT */
#include "elf/debug-link.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/cleanup.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "elf/build-id.h"
#include "elf/file.h"

#define CRC_BLOCK (64 << 10)

/* Returns the bytes of the section @name, or NULL. */
static const uint8_t *debug_link_bytes_of(struct elf_file *f, const char *name, size_t *ret_size)
{
	struct elf_section s;
	size_t index = elf_file_section_find(f, name, &s);

	return index ? elf_file_section_bytes(f, index, ret_size) : NULL;
}

/* Returns the length of the text at the start of the section, with its NUL; 0: it has none. */
static size_t debug_link_text_size(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes ? memchr(bytes, '\0', size) : NULL;

	return end ? (size_t)(end - bytes) + 1 : 0;
}

/* Reads a name, padded to four bytes, and the checksum in the byte order of the file. */
int elf_debug_link(struct elf_file *f, struct debug_link *ret)
{
	size_t size = 0;
	const uint8_t *bytes = debug_link_bytes_of(f, ".gnu_debuglink", &size);
	size_t at = (debug_link_text_size(bytes, size) + 3) & ~(size_t)3;
	uint32_t crc;

	if (!at || at + sizeof(crc) > size || !*bytes || strchr((const char *)bytes, '/'))
		return -ENODATA;
	memcpy(&crc, bytes + at, sizeof(crc));
	*ret = (struct debug_link){
		.name = (const char *)bytes,
		.crc = elf_file_is_swapped(f) ? __builtin_bswap32(crc) : crc,
	};
	return 0;
}

bool debug_link_is_of(const char *path, uint32_t crc)
{
	_cleanup_(closep) int fd = input_file_open(path);
	_cleanup_(freep) uint8_t *block = xmalloc(CRC_BLOCK);
	uLong sum = crc32(0, NULL, 0);
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = read(fd, block, CRC_BLOCK)) > 0)
		sum = crc32(sum, block, (uInt)n);
	return n == 0 && sum == crc;
}

/* Reads a path, and after its NUL the bytes of the build-id up to the end of the section. */
int elf_debug_alt_link(struct elf_file *f, const char **ret_path, struct build_id *ret_id)
{
	size_t size = 0;
	const uint8_t *bytes = debug_link_bytes_of(f, ".gnu_debugaltlink", &size);
	size_t at = debug_link_text_size(bytes, size);

	if (at < 2 || at == size)
		return -ENODATA;
	*ret_path = (const char *)bytes;
	*ret_id = build_id_make(bytes + at, size - at);
	return 0;
}

int elf_debug_data(struct elf_file *f, struct elf_file **ret)
{
	size_t size = 0;
	const uint8_t *bytes = debug_link_bytes_of(f, ".gnu_debugdata", &size);

	return bytes ? elf_file_open_packed(bytes, size, ret) : -ENODATA;
}
