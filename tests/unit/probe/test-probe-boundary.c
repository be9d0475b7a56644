/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "code/disassembler.h"

/* A disassembler for every machine: see numbered_disassemble() below. */
static bool is_numbered;
static int numbered_new(const struct arch *arch, enum disassembler_syntax syntax,
			struct disassembler **ret, struct diag *diag);
static void numbered_disassemble(struct disassembler *d, const uint8_t *bytes, size_t size,
				 uint64_t addr, struct instruction *ret);
#define disassembler_new numbered_new
#define disassemble      numbered_disassemble
#include "probe/probe-boundary.c"
#undef disassembler_new
#undef disassemble

#include "elf/built-elf.h"
#include "made-target.h"
#include "symbol/scratch.h"

/* nop; mov $0x11223344, %eax (5 bytes); ret; then a function that cannot be decoded. */
static const uint8_t x86_code[32] = { 0x90, 0xb8, 0x44, 0x33, 0x22, 0x11, 0xc3, 0x90 };

struct fixture {
	struct probe_target *target;
	char *path;
	uint64_t text;
	struct diag diag;
};

static void begin(struct fixture *f, const char *dir, uint16_t machine)
{
	struct built_elf b;

	*f = (struct fixture){ .path = scratch_path(dir, "program") };
	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, x86_code, sizeof(x86_code));
	f->text = b.sections[1].sh_offset;

	const struct built_symbol s = {
		"f", b.sections[1].sh_addr, 16, STB_GLOBAL, STT_FUNC, 1, 0
	};

	built_add_symbols(&b, SHT_SYMTAB, &s, 1);
	built_end(&b, machine, ET_DYN);
	assert_true(built_store(&b, f->path));
	assert_int_equal(probe_target_open(&(struct probe_target_options){ .program = f->path },
					   &f->target, &f->diag),
			 0);
}

static void end(struct fixture *f)
{
	probe_target_free(f->target);
	diag_done(&f->diag);
	free(f->path);
}

static int check(struct fixture *f, const char *text, uint64_t at)
{
	struct trace_probe p = { .is_user = true, .path = f->path, .offset = f->text + at };
	struct probe_def d;
	int r;

	assert_int_equal(probe_def_parse(text, &d, &f->diag), 0);
	r = probe_check_boundary(&d, f->target, &p, &f->diag);
	probe_def_done(&d);
	return r;
}

static void where_instructions_have_one_size_it_is_counted(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(check(&f, "f+4", 4), 0);
	assert_int_equal(check(&f, "f+12", 12), 0);
	assert_null(f.diag.message);
	assert_int_equal(check(&f, "f+5", 5), -EILSEQ);
	assert_string_equal(f.diag.message, "f+5 is not the beginning of an instruction");
	assert_string_equal(f.diag.hint, "instructions begin at f+4 and f+8");
	assert_string_equal(f.diag.excerpt, "f+5");
	assert_int_equal(f.diag.offset, 0);
	assert_int_equal(f.diag.length, 3);
	assert_int_equal(check(&f, "0x400003", 3), -EILSEQ);
	assert_string_equal(f.diag.message, "f+3 is not the beginning of an instruction");
	assert_string_equal(f.diag.hint, "instructions begin at f+0 and f+4");
	end(&f);
}

static void lines_and_functions_are_trusted(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_AARCH64);
	assert_int_equal(check(&f, "f", 5), 0);
	assert_int_equal(check(&f, "f:3", 5), 0);
	/* Outside of functions the boundaries are unknown. */
	assert_int_equal(check(&f, "f+21", 21), 0);
	assert_int_equal(check(&f, "f+99999", 99999), 0);
	assert_null(f.diag.message);
	end(&f);
}

static void where_instructions_differ_they_are_decoded(void **state)
{
	struct fixture f;
	static const struct {
		const char *text;
		unsigned at;
	} good[] = { { "f+1", 1 }, { "f+6", 6 }, { "f+7", 7 } },
	  bad[] = { { "f+2", 2 }, { "f+5", 5 } };

	begin(&f, *state, EM_X86_64);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(check(&f, good[i].text, good[i].at), 0);
	assert_null(f.diag.message);
	if (check(&f, "f+3", 3) == 0) {
		end(&f);
		print_message("# no disassembler for x86_64\n");
		skip();
	}
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(check(&f, bad[i].text, bad[i].at), -EILSEQ);
		assert_non_null(strstr(f.diag.message, bad[i].text));
		assert_string_equal(f.diag.hint, "instructions begin at f+1 and f+6");
	}
	end(&f);
}

static void what_cannot_be_read_passes(void **state)
{
	struct fixture f;

	begin(&f, *state, EM_X86_64);
	assert_int_equal(unlink(f.path), 0);
	assert_int_equal(check(&f, "f+3", 3), 0);
	assert_null(f.diag.message);
	end(&f);
}

static int numbered_result;

static int numbered_new(const struct arch *arch, enum disassembler_syntax syntax,
			struct disassembler **ret, struct diag *diag)
{
	if (!is_numbered)
		return disassembler_new(arch, syntax, ret, diag);
	assert_int_equal(syntax, SYNTAX_ATT);
	return numbered_result;
}

/*
 * Decodes test code, in which a byte is the length of its instruction; 0: unknown. The whole
 * instruction must be there.
 */
static void numbered_disassemble(struct disassembler *d, const uint8_t *bytes, size_t size,
				 uint64_t addr, struct instruction *ret)
{
	if (!is_numbered) {
		disassemble(d, bytes, size, addr, ret);
		return;
	}
	assert_true(size >= INSTRUCTION_BYTES_MAX);
	assert_int_equal(bytes[size - 1], 0x77);
	*ret = (struct instruction){ .length = bytes[0], .is_unknown = !bytes[0] };
}

/*
 * Walks to @target over code of lengths. Only INSTRUCTION_BYTES_MAX bytes from @target on may be
 * read.
 */
static int walks(const char *lengths, uint64_t target, struct diag *diag)
{
	uint8_t bytes[64];
	struct probe_def d;
	int r;

	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, lengths, strlen(lengths));
	bytes[target + INSTRUCTION_BYTES_MAX - 1] = 0x77;
	diag_done(diag);
	*diag = (struct diag){ 0 };
	assert_int_equal(probe_def_parse("f+1", &d, diag), 0);
	r = probe_boundary_walk(&d, NULL, bytes, target, "f", diag);
	probe_def_done(&d);
	return r;
}

static void lengths_are_added_up(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	is_numbered = true;
	assert_int_equal(walks("\1\3xx\2x\1", 0, &diag), 0);
	assert_int_equal(walks("\1\3xx\2x\1", 1, &diag), 0);
	assert_int_equal(walks("\1\3xx\2x\1", 4, &diag), 0);
	assert_int_equal(walks("\1\3xx\2x\1", 6, &diag), 0);
	assert_null(diag.message);
	assert_int_equal(walks("\1\3xx\2x\1", 2, &diag), -EILSEQ);
	assert_string_equal(diag.message, "f+2 is not the beginning of an instruction");
	assert_string_equal(diag.hint, "instructions begin at f+1 and f+4");
	assert_int_equal(walks("\1\3xx\2x\1", 3, &diag), -EILSEQ);
	assert_int_equal(walks("\1\3xx\2x\1", 5, &diag), -EILSEQ);
	assert_string_equal(diag.hint, "instructions begin at f+4 and f+6");
	/* Behind an instruction that cannot be decoded, the boundaries are unknown. */
	assert_int_equal(walks("\1\0\3xx", 4, &diag), 0);
	assert_null(diag.message);
	is_numbered = false;
}

/* Checks an offset in a function of a file, with other bytes before the function. */
static int checks(const char *path, uint64_t offset, struct diag *diag)
{
	const struct trace_probe p = { .is_user = true,
				       .path = (char *)path,
				       .offset = 5 + offset };
	const struct probe_symbol s = { .name = "f" };
	struct probe_def d;
	int r;

	assert_int_equal(probe_def_parse("f+1", &d, diag), 0);
	r = check_lengths(&d, NULL, &p, &s, offset, diag);
	probe_def_done(&d);
	return r;
}

static void code_is_read_from_the_beginning_of_the_function(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "code");
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint8_t bytes[5 + 7 + INSTRUCTION_BYTES_MAX] = { 9, 9, 9, 9, 9, 4, 1, 1, 1, 4 };
	FILE *f = fopen(path, "w");

	is_numbered = true;
	memset(bytes + 12, 0x77, INSTRUCTION_BYTES_MAX);
	fwrite(bytes, 1, sizeof(bytes), f);
	fclose(f);
	assert_int_equal(checks(path, 7, &diag), -EILSEQ);
	assert_string_equal(diag.hint, "instructions begin at f+4 and f+8");
	/* A file that ends early, an unknown machine, a function that is too large. */
	assert_int_equal(truncate(path, sizeof(bytes) - 1), 0);
	assert_int_equal(checks(path, 7, &diag), 0);
	assert_int_equal(truncate(path, 5 + FUNCTION_BYTES_MAX + 100), 0);
	numbered_result = -ENOTSUP;
	assert_int_equal(checks(path, 7, &diag), 0);
	numbered_result = 0;
	assert_int_equal(checks(path, FUNCTION_BYTES_MAX + 1, &diag), 0);
	is_numbered = false;
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(where_instructions_have_one_size_it_is_counted),
		SCRATCH_TEST(lines_and_functions_are_trusted),
		SCRATCH_TEST(where_instructions_differ_they_are_decoded),
		SCRATCH_TEST(what_cannot_be_read_passes),
		cmocka_unit_test(lengths_are_added_up),
		SCRATCH_TEST(code_is_read_from_the_beginning_of_the_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
