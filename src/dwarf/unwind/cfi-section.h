/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call frame information of a piece of code, as bytes: the entries (FDEs) of .eh_frame or
 * .debug_frame, one for each function, and the common parts of FDEs (CIEs).
 *
 * Entries are found with the linker's sorted table (.eh_frame_hdr), or, without a usable one, with
 * an index made of all of them. Addresses are link addresses. Everything is borrowed; a section
 * does not change once it is made, so any thread may query it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi_section_options {
	const uint8_t *bytes;
	size_t size;
	uint64_t addr;        /* address of the first byte; unused in .debug_frame */
	const uint8_t *table; /* .eh_frame_hdr; NULL: there is none */
	size_t table_size;
	uint64_t table_addr;
	bool is_debug_frame;
	bool swap;  /* in the other byte order */
	bool is_64; /* addresses have 8 bytes */
};

struct cfi_index_entry {
	uint64_t start; /* start of the code */
	uint64_t at;    /* offset of the FDE in the section */
};

struct cfi_section {
	struct cfi_section_options o;
	const uint8_t *pairs; /* pairs of the table: two int32_t each, sorted; NULL: see index */
	struct cfi_index_entry *index;
	size_t n; /* number of entries in pairs or index */
};

void cfi_section_init(struct cfi_section *s, const struct cfi_section_options *o);
void cfi_section_done(struct cfi_section *s);

/* The common part of many FDEs. */
struct cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra_register;
	uint8_t encoding; /* encoding of the addresses in its FDEs: DW_EH_PE_* */
	bool has_augmentation_size;
	bool is_signal; /* its functions are signal frames, which have no caller */
	const uint8_t *program, *end;
};

/* The description of the code [start, end). */
struct cfi_fde {
	uint64_t start, end;
	struct cfi_cie cie;
	const uint8_t *program, *program_end;
};

/*
 * Finds the number of the only FDE that can apply to @addr: the last that starts before it. False:
 * there is none. O(log n).
 */
bool cfi_section_number(const struct cfi_section *s, uint64_t addr, size_t *ret);

/* Reads FDE @number; false: it is damaged. */
bool cfi_section_fde(const struct cfi_section *s, size_t number, struct cfi_fde *ret);

struct cursor;

/*
 * Reads an address that is encoded according to @encoding (DW_EH_PE_*). An address that is known
 * only at run time sets `bad`.
 */
uint64_t cfi_section_address(const struct cfi_section *s, struct cursor *c, uint8_t encoding);
