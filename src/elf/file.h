/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An ELF file open for reading, through libelf: its sections, its notes and the addresses of its
 * bytes.
 *
 * The file may be a compressed kernel module. It is read and not mapped, except by
 * elf_file_open_mapped(), so a file that shrinks is an error and not a signal. One thread at a
 * time. Without libelf everything fails with -ENOTSUP.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/build-id.h"

struct Elf;
struct elf_file;

/*
 * Opens a file. -ENOEXEC: not an ELF file; -ENOTSUP: this perf has no library for its compression.
 */
int elf_file_open(const char *path, struct elf_file **ret);

/*
 * Does the same as elf_file_open(), but maps the file where possible, for large files of which
 * little is read. The mapping is guarded (base/guarded-map.h) against a file that shrinks.
 */
int elf_file_open_mapped(const char *path, struct elf_file **ret);

/* Returns the folder of a file that is read from its descriptor, or NULL. The caller frees it. */
char *elf_file_folder(const struct elf_file *f);

/* Does the same as elf_file_open() for @size bytes that outlive the result. */
int elf_file_open_memory(const void *bytes, size_t size, struct elf_file **ret);

/* Does the same for bytes from malloc(). Takes ownership of them, also on failure. */
int elf_file_take_memory(uint8_t *bytes, size_t size, struct elf_file **ret);

/* Does the same as elf_file_open() for @size bytes of a compressed file (elf/compressed.h). */
int elf_file_open_packed(const void *bytes, size_t size, struct elf_file **ret);

void elf_file_free(struct elf_file *f);
DEFINE_FREEP(elf_file)

/*
 * Returns a number that differs if the file was replaced or written to; for files that are kept
 * (base/sealed-file.h). 0: it is not a file.
 */
uint64_t elf_file_identity(const struct elf_file *f);

/* Returns libelf's own handle, for the rest of this layer. */
struct Elf *elf_file_handle(struct elf_file *f);

/* Finds the build-id. -ENODATA: it has none. */
int elf_file_build_id(struct elf_file *f, struct build_id *ret);

/* Returns e_machine or e_type of the header, as in <elf.h>. */
uint16_t elf_file_machine(const struct elf_file *f);

/* Returns the link address of the entry point; 0: it is not a program. */
uint64_t elf_file_entry(const struct elf_file *f);
uint16_t elf_file_type(const struct elf_file *f);

bool elf_file_is_64(const struct elf_file *f);

/* True if its byte order differs from that of this machine. */
bool elf_file_is_swapped(const struct elf_file *f);

struct elf_section {
	const char *name; /* "" if its name cannot be read */
	uint32_t type;    /* SHT_* */
	uint64_t flags, addr, offset, size, entry_size;
	uint32_t link;
};

/* Gives the section number @index; false if there is none. Names belong to @f. */
bool elf_file_section(struct elf_file *f, size_t index, struct elf_section *ret);

/* Finds the first section called @name. Returns its number, or 0 if there is none. */
size_t elf_file_section_find(struct elf_file *f, const char *name, struct elf_section *ret);

/* True if the section has bytes (it is not SHT_NOBITS), and all of them lie inside the file. */
bool elf_file_has_bytes(struct elf_file *f, const struct elf_section *s);

/*
 * Returns the bytes of section @index as they are in the file, borrowed from @f; NULL if it has
 * none (SHT_NOBITS) or they lie outside of the file.
 */
const uint8_t *elf_file_section_bytes(struct elf_file *f, size_t index, size_t *ret_size);

/* Does the same, and decompresses compressed bytes (SHF_COMPRESSED). */
const uint8_t *elf_file_section_content(struct elf_file *f, size_t index, size_t *ret_size);

/*
 * Gives the offset in the file of the byte that is loaded at link address @addr: by the program
 * headers, or, if none covers it, by section @section. False: unknown.
 */
bool elf_file_offset(struct elf_file *f, uint64_t addr, uint32_t section, uint64_t *ret);

/*
 * Does the opposite: gives the link address of the byte at @offset in the file. False: it is not
 * loaded.
 */
bool elf_file_address(const struct elf_file *f, uint64_t offset, uint64_t *ret);

/* Gives the size and alignment of the file's thread-local storage; false: it has none. */
bool elf_file_thread_storage(struct elf_file *f, uint64_t *ret_size, uint64_t *ret_align);

/*
 * Copies @n bytes at @offset in the file, or fewer if there are fewer. Returns the number of bytes
 * copied. May be called from any thread.
 */
size_t elf_file_read(struct elf_file *f, uint64_t offset, void *ret, size_t n);

/* Releases the memory of a mapped file; a later access reads it again. */
void elf_file_drop(struct elf_file *f);

/* True if the file has code. (A separate debug file has none.) */
bool elf_file_has_code(struct elf_file *f);

/*
 * Reads the build-id of the ELF file @path, which may be a compressed kernel module. -ENOENT: no
 * such file; -ENODATA: it has no build-id; -ENOEXEC: not an ELF file.
 */
int elf_build_id_read(const char *path, struct build_id *ret);
