/* SPDX-License-Identifier: MIT */
/* Tests complete lookups. Each kind of image has the files it needs in a directory of its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <pthread.h>

#include "elf/built-elf.h"
#include "elf/file.h"
#include "scratch.h"
#include "symbol/symbolizer.h"

#define ID "\xab\xcd\xef"

static void assert_finds(struct image *im, uint64_t addr, const char *name)
{
	const struct symbol *s = image_symbol_find(im, addr);

	assert_string_equal(s ? s->name : "", name);
}

/* Stores a program whose only function @name is at the beginning of .text. Returns its offset. */
static uint64_t store_program(const char *path, const char *name, uint16_t type, bool stripped)
{
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, ID, 3);
	if (!stripped)
		built_add_symbols(
			&b, SHT_SYMTAB,
			&(struct built_symbol){ name, type == ET_REL ? 0 : b.sections[1].sh_addr,
						16, STB_GLOBAL, STT_FUNC, 1, STV_DEFAULT },
			1);
	built_end(&b, EM_AARCH64, type);
	assert_true(built_store(&b, path));
	return b.sections[1].sh_offset;
}

static struct image_key user_key(const char *id)
{
	return (struct image_key){ .kind = IMAGE_USER,
				   .name = "/bin/program",
				   .build_id = (const uint8_t *)id,
				   .build_id_size = id ? 3 : 0 };
}

static void a_program_is_found_below_symfs(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "bin/program");
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct image_key key = user_key(NULL);
	struct image *im = symbolizer_image(s, &key);
	uint64_t text = store_program(path, "_ZN3foo3barEv", ET_DYN, false);

	assert_int_equal(image_missing_reason(im), IMAGE_NOT_TRIED);
	assert_finds(im, text + 5, HAVE_LIBIBERTY ? "foo::bar" : "_ZN3foo3barEv");
	assert_finds(im, text + 16, "");
	assert_int_equal(image_missing_reason(im), IMAGE_LOADED);
	assert_memory_equal(image_build_id(im)->bytes, ID, 3);
}

static void the_file_whose_code_ran_can_be_opened(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "bin/program");
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	const struct image_key key = user_key(ID), other = user_key("xyz");
	const struct image_key heap = { .kind = IMAGE_UNKNOWN, .name = "[heap]" };

	assert_int_equal(image_open(symbolizer_image(s, &key), &f), -ENOENT);
	store_program(path, "main", ET_DYN, true);
	assert_int_equal(image_open(symbolizer_image(s, &other), &f), -ESTALE);
	assert_int_equal(image_open(symbolizer_image(s, &heap), &f), -ENOTSUP);
	assert_null(f);
	assert_int_equal(image_open(symbolizer_image(s, &key), &f), 0);
	assert_int_equal(elf_file_machine(f), EM_AARCH64);
}

static void names_stay_mangled_when_asked(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "bin/program");
	const struct symbolizer_options o = { .symfs = *state, .raw_names = true };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct image_key key = user_key(ID);
	uint64_t text = store_program(path, "_ZN3foo3barEv", ET_DYN, false);

	assert_finds(symbolizer_image(s, &key), text, "_ZN3foo3barEv");
}

static void another_build_gives_no_wrong_names(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "bin/program");
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct image_key key = user_key("\1\2\3");
	struct image *im = symbolizer_image(s, &key);
	uint64_t text = store_program(path, "f", ET_DYN, false);

	assert_finds(im, text, "");
	assert_int_equal(image_missing_reason(im), IMAGE_OTHER_BUILD);
}

static void a_stripped_program_takes_names_from_its_debug_file(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "bin/program");
	_cleanup_(freep) char *debug = scratch_path(*state,
						    "usr/lib/debug/.build-id/ab/cdef.debug");
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct image_key key = user_key(NULL);
	uint64_t text = store_program(path, "", ET_DYN, true);

	store_program(debug, "from_debug", ET_DYN, false);
	assert_finds(symbolizer_image(s, &key), text, "from_debug");
}

static void a_replaced_program_is_found_in_the_cache(void **state)
{
	_cleanup_(freep) char *cached = scratch_path(*state, "bin/program/abcdef/elf");
	_cleanup_(freep) char *entry = scratch_path(*state, ".build-id/ab/cdef");
	const struct symbolizer_options o = { .symfs = "/no/such/dir", .buildid_dir = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct image_key key = user_key(ID);
	uint64_t text = store_program(cached, "from_cache", ET_DYN, false);

	assert_int_equal(symlink("../../bin/program/abcdef", entry), 0);
	assert_finds(symbolizer_image(s, &key), text, "from_cache");
}

static void the_reason_of_a_missing_name_is_told(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "bin/program");
	_cleanup_(freep) char *text = scratch_path(*state, "bin/script");
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct {
		const char *name;
		enum image_kind kind;
		enum image_missing reason;
	} rows[] = {
		{ "/bin/gone", IMAGE_USER, IMAGE_NO_FILE },
		{ "/bin/program", IMAGE_USER, IMAGE_STRIPPED },
		{ "/bin/script", IMAGE_USER, IMAGE_NOT_ELF },
		{ "[vsyscall]", IMAGE_UNKNOWN, IMAGE_ANONYMOUS },
		{ "//anon", IMAGE_JIT, IMAGE_NO_MAP },
	};

	store_program(path, "", ET_DYN, true);
	scratch_write(text, "#!/bin/sh\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct image *im = symbolizer_image(s, &(struct image_key){ .kind = rows[i].kind,
									    .name = rows[i].name,
									    .pid = -5 });

		assert_finds(im, 0x1000, "");
		assert_int_equal(image_missing_reason(im), rows[i].reason);
	}
}

static void a_map_names_the_code_of_its_process(void **state)
{
	_cleanup_(freep) char *path = xasprintf("/tmp/perf-%d.map", -(int)getpid());
	const struct symbolizer_options o = { .symfs = NULL };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct image_key key = { .kind = IMAGE_JIT, .name = "//anon", .pid = -(int)getpid() };

	(void)state;
	scratch_write(path, "1000 10 jitted\n");
	assert_finds(symbolizer_image(s, &key), 0x1008, "jitted");
	unlink(path);
}

static void the_kernel_is_moved_to_where_it_was(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "kallsyms");
	const struct symbolizer_options o = { .kallsyms = list };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]_text" });

	scratch_write(list, "10000 T _text\n10010 T f\n10020 T g\n");
	symbolizer_kernel_reference(s, "_text", 0x50000);
	assert_finds(im, 0x50014, "f");
	assert_int_equal(image_symbol_find(im, 0x50014)->start, 0x50010);
	assert_finds(im, 0x10014, "");
}

static void a_vmlinux_is_moved_too(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");
	const struct symbolizer_options o = { .vmlinux = path, .kernel_paths = true };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]" });

	store_program(path, "_stext", ET_EXEC, false);
	symbolizer_kernel_reference(s, "_stext", 0xffff000000001000);
	assert_string_equal(image_long_name(im), "[kernel.kallsyms]");
	assert_finds(im, 0xffff000000001004, "_stext");
	assert_string_equal(image_long_name(im), path);
}

static void a_vmlinux_is_found_by_the_release_that_was_recorded(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "boot/vmlinux-6.9-x");
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = symbolizer_image(s, &(struct image_key){ .kind = IMAGE_KERNEL,
								    .name = "[kernel.kallsyms]",
								    .build_id = (const uint8_t *)ID,
								    .build_id_size = 3 });

	store_program(path, "_stext", ET_EXEC, false);
	symbolizer_kernel_reference(s, "_stext", 0xffff000000001000);
	symbolizer_kernel_release(s, "6.9-x");
	assert_finds(im, 0xffff000000001004, "_stext");
}

static struct image *guest_kernel(struct symbolizer *s, int32_t pid)
{
	return symbolizer_image(s, &(struct image_key){ .kind = IMAGE_GUEST_KERNEL,
							.name = "[guest.kernel.kallsyms]",
							.pid = pid });
}

static void each_guest_has_a_kernel_below_its_mount(void **state)
{
	_cleanup_(freep) char *one = scratch_path(*state, "11/proc/kallsyms");
	_cleanup_(freep) char *two = scratch_path(*state, "12/proc/kallsyms");
	const struct symbolizer_options o = { .guest_mount = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	scratch_write(one, "1000 T _text\n1010 T f\n1020 T g\n");
	scratch_write(two, "1000 T _text\n1010 T h\n1020 T i\n");
	assert_finds(guest_kernel(s, 11), 0x1014, "f");
	assert_finds(guest_kernel(s, 12), 0x1014, "h");
	assert_finds(guest_kernel(s, 13), 0x1014, "");
	assert_int_equal(image_missing_reason(guest_kernel(s, 13)), IMAGE_NO_FILE);
}

static void a_guest_has_a_vmlinux(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");
	const struct symbolizer_options o = { .guest_vmlinux = path };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	uint64_t text = store_program(path, "in_guest", ET_EXEC, false);

	assert_finds(guest_kernel(s, 11), BUILT_BASE + text, "in_guest");
}

static void a_module_is_in_the_kernels_list(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "kallsyms");
	const struct symbolizer_options o = { .kallsyms = list };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image_key key = { .kind = IMAGE_MODULE,
				 .name = "/lib/modules/6/nf-x.ko",
				 .start = 0x8000,
				 .end = 0x9000 };

	scratch_write(list, "1000 T _text\n8010 t f\t[nf_x]\n");
	assert_finds(symbolizer_image(s, &key), 0x8014, "f");

	/* It was loaded at another address during the recording. */
	key.start = 0xa000;
	key.end = 0xb000;
	assert_finds(symbolizer_image(s, &key), 0x8014, "");
}

static void a_module_file_is_moved_to_where_it_was_loaded(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "kallsyms");
	_cleanup_(freep) char *path = scratch_path(*state, "nf-x.ko");
	const struct symbolizer_options o = { .kallsyms = list, .kernel_paths = true };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_MODULE, .name = path, .start = 0x8000 });

	scratch_write(list, "1000 T _text\n");
	store_program(path, "in_module", ET_REL, false);
	assert_finds(im, 0x8004, "in_module");
	assert_string_equal(image_long_name(im), path);
}

static void a_bpf_program_is_one_function(void **state)
{
	const struct symbolizer_options o = { .symfs = NULL };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = symbolizer_image(s, &(struct image_key){ .kind = IMAGE_BPF,
								    .name = "bpf_prog_12_x",
								    .start = 0x1000,
								    .end = 0x1100 });

	(void)state;
	assert_finds(im, 0x10ff, "bpf_prog_12_x");
	assert_finds(im, 0x1100, "");
}

static void *look_up(void *arg)
{
	const struct symbol *s = image_symbol_find(arg, 0x50014);

	return s && !strcmp(s->name, "f") ? NULL : arg;
}

static void threads_load_an_image_once(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "kallsyms");
	const struct symbolizer_options o = { .kallsyms = list };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]" });
	pthread_t threads[4];

	scratch_write(list, "50010 T f\n50020 T g\n");
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, look_up, im), 0);
	for (size_t i = 0; i < 4; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_program_is_found_below_symfs),
		IN_SCRATCH(the_file_whose_code_ran_can_be_opened),
		IN_SCRATCH(names_stay_mangled_when_asked),
		IN_SCRATCH(another_build_gives_no_wrong_names),
		IN_SCRATCH(a_stripped_program_takes_names_from_its_debug_file),
		IN_SCRATCH(a_replaced_program_is_found_in_the_cache),
		IN_SCRATCH(the_reason_of_a_missing_name_is_told),
		cmocka_unit_test(a_map_names_the_code_of_its_process),
		IN_SCRATCH(the_kernel_is_moved_to_where_it_was),
		IN_SCRATCH(a_vmlinux_is_moved_too),
		IN_SCRATCH(a_vmlinux_is_found_by_the_release_that_was_recorded),
		IN_SCRATCH(each_guest_has_a_kernel_below_its_mount),
		IN_SCRATCH(a_guest_has_a_vmlinux),
		IN_SCRATCH(a_module_is_in_the_kernels_list),
		IN_SCRATCH(a_module_file_is_moved_to_where_it_was_loaded),
		cmocka_unit_test(a_bpf_program_is_one_function),
		IN_SCRATCH(threads_load_an_image_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
