/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Helpers that the tests of the files that open targets share: a small file of any type, and
 * targets that are opened or refused.
 */
#include "elf/built-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

/* Stores a file with .text, the build-id 0101..., and @modinfo, a list of texts (NULL: none). */
static inline void small_elf(const char *path, uint16_t machine, uint16_t type, const char *modinfo,
			     size_t modinfo_size)
{
	uint8_t id[20];
	struct built_elf b;

	memset(id, 1, sizeof(id));
	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123", 4);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, id, sizeof(id));
	if (modinfo)
		built_add(&b, ".modinfo", SHT_PROGBITS, 0, modinfo, modinfo_size);
	built_end(&b, machine, type);
	assert_true(built_store(&b, path));
}

static inline struct probe_target *opened(struct probe_target_options o)
{
	struct probe_target *t = NULL;
	struct diag diag = { 0 };

	if (probe_target_open(&o, &t, &diag) != 0)
		fail_msg("%s", diag.message);
	assert_null(diag.message);
	return t;
}

/* Checks that the target is refused; @hint NULL: there is none. */
static inline void not_opened(struct probe_target_options o, int error, const char *message,
			      const char *hint)
{
	struct probe_target *t = NULL;
	struct diag diag = { 0 };

	assert_int_equal(probe_target_open(&o, &t, &diag), error);
	assert_null(t);
	assert_string_equal(diag.message, message);
	if (hint)
		assert_string_equal(diag.hint ? diag.hint : "", hint);
	else
		assert_null(diag.hint);
	diag_done(&diag);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)
