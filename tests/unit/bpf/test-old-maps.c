/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/cleanup.h"
#include "bpf/old-maps.h"

/* An object with one map of @words numbers, and nothing else. */
static const char names[] = "\0maps\0.symtab\0.strtab\0.shstrtab";
static const char strings[] = "\0channel";

static struct bytes object(size_t words, uint32_t sixth)
{
	uint32_t map[8] = { 4, 4, 4, 2, 0, sixth, 0, 0 };
	const Elf64_Sym symbols[2] = {
		{ 0 },
		{ .st_name = 1,
		  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
		  .st_shndx = 1,
		  .st_size = words * 4 },
	};
	Elf64_Ehdr h = { .e_type = ET_REL,
			 .e_machine = EM_BPF,
			 .e_version = 1,
			 .e_ehsize = sizeof(h),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = 5,
			 .e_shstrndx = 4 };
	Elf64_Shdr s[5] = { 0 };
	struct bytes b = { 0 };

	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	bytes_add(&b, &h, sizeof(h));
	s[1] = (Elf64_Shdr){ 1, SHT_PROGBITS, 3, 0, b.n, words * 4, 0, 0, 4, 0 };
	bytes_add(&b, map, words * 4);
	bytes_pad(&b, 0, 8);
	s[2] = (Elf64_Shdr){
		6, SHT_SYMTAB, 0, 0, b.n, sizeof(symbols), 3, 1, 8, sizeof(symbols[0])
	};
	bytes_add(&b, symbols, sizeof(symbols));
	s[3] = (Elf64_Shdr){ 14, SHT_STRTAB, 0, 0, b.n, sizeof(strings), 0, 0, 1, 0 };
	bytes_add(&b, strings, sizeof(strings));
	s[4] = (Elf64_Shdr){ 22, SHT_STRTAB, 0, 0, b.n, sizeof(names), 0, 0, 1, 0 };
	bytes_add(&b, names, sizeof(names));
	bytes_pad(&b, 0, 8);
	((Elf64_Ehdr *)b.data)->e_shoff = b.n;
	bytes_add(&b, s, sizeof(s));
	return b;
}

static const Elf64_Shdr *section(const struct bytes *b, const char *name)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)b->data;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(b->data + h->e_shoff);

	for (size_t i = 1; i < h->e_shnum; i++)
		if (!strcmp((const char *)b->data + s[h->e_shstrndx].sh_offset + s[i].sh_name,
			    name))
			return &s[i];
	return NULL;
}

static void old_maps_get_types(void **state)
{
	struct bytes old = object(4, 0), new = { 0 };
	struct diag diag = { 0 };
	const struct btf_header *h;

	(void)state;
	assert_int_equal(bpf_old_maps_convert(old.data, old.n, &new, &diag), 1);
	assert_non_null(section(&new, ".maps"));
	assert_null(section(&new, "maps"));
	assert_non_null(section(&new, ".BTF"));
	h = (const struct btf_header *)(new.data + section(&new, ".BTF")->sh_offset);
	assert_int_equal(h->magic, BTF_MAGIC);
	assert_int_equal(section(&new, ".BTF")->sh_size, h->hdr_len + h->type_len + h->str_len);
	bytes_done(&old);
	bytes_done(&new);
}

static void other_objects_stay_as_they_are(void **state)
{
	struct bytes old = object(4, 0), new = { 0 };
	struct diag diag = { 0 };

	(void)state;
	memcpy(old.data + section(&old, ".shstrtab")->sh_offset + 1, "data", 4);
	assert_int_equal(bpf_old_maps_convert(old.data, old.n, &new, &diag), 0);
	assert_int_equal(bpf_old_maps_convert("no object", 9, &new, &diag), 0);
	assert_null(new.data);
	bytes_done(&old);
}

static void what_cannot_be_said_today_is_refused(void **state)
{
	static const struct {
		size_t words;
		uint32_t sixth;
		const char *what;
	} cases[] = { { 3, 0, "smaller" }, { 6, 1, "sixth number" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes old = object(cases[i].words, cases[i].sixth), new = { 0 };
		struct diag diag = { 0 };

		assert_int_equal(bpf_old_maps_convert(old.data, old.n, &new, &diag), -EINVAL);
		assert_non_null(strstr(diag.message, cases[i].what));
		diag_done(&diag);
		bytes_done(&old);
	}
}

/* The conversion ends for every cut and for every changed byte. */
static void damaged_objects_do_no_harm(void **state)
{
	struct bytes old = object(5, 0);

	(void)state;
	for (size_t i = 0; i < old.n; i++) {
		struct bytes new = { 0 };
		struct diag diag = { 0 };
		uint8_t *copy = malloc(old.n);

		(void)bpf_old_maps_convert(old.data, i, &new, &diag);
		bytes_done(&new);
		new = (struct bytes){ 0 };
		memcpy(copy, old.data, old.n);
		copy[i] ^= 0xff;
		(void)bpf_old_maps_convert(copy, old.n, &new, &diag);
		free(copy);
		bytes_done(&new);
		diag_done(&diag);
	}
	bytes_done(&old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_maps_get_types),
		cmocka_unit_test(other_objects_stay_as_they_are),
		cmocka_unit_test(what_cannot_be_said_today_is_refused),
		cmocka_unit_test(damaged_objects_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
