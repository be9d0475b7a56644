/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the index of the kernel's symbols, a cache that other programs may be able to write. It is
 * refused, or every lookup ends and gives names that can be read.
 *
 * The identity of the list it was made from is taken from the input itself, so that the index is
 * not refused for that alone.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/kallsyms-index.h"
#include "symbol/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct symbol_index *index)
{
	static const uint64_t addresses[] = { 0, 1, 0x1000, 0xffff800080000000, UINT64_MAX };
	struct symbol_table t;

	symbol_table_init_index(&t, index);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		const struct symbol *s = symbol_table_find(&t, addresses[i]);

		if (s && strlen(s->name) > index->text_size)
			abort();
	}
	for (size_t i = 0; i < index->n; i += 1 + index->n / 64)
		if (strlen(symbol_index_at(index, i).name) > index->text_size)
			abort();
	symbol_table_find_name(&t, "no such name");
	symbol_table_done(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kallsyms_index_freep) struct kallsyms_index *x = NULL;
	char path[] = "/tmp/fuzz-kallsyms-index-XXXXXX";
	_cleanup_(closep) int fd = mkstemp(path);
	struct stat source = { .st_uid = geteuid() };
	uint64_t words[3] = { 0 };
	const char *name;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	if (size >= sizeof(words))
		memcpy(words, data, sizeof(words));
	source.st_size = (off_t)words[1];
	source.st_mtim.tv_sec = (time_t)(words[2] / 1000000000);
	source.st_mtim.tv_nsec = (long)(words[2] % 1000000000);
	if (kallsyms_index_open(path, &source, &x) >= 0)
		for (size_t i = 0; i < kallsyms_index_count(x); i++) {
			struct symbol_index t = kallsyms_index_table(x, i, &name);

			if (!name)
				abort();
			check_table(&t);
		}
	unlink(path);
	return 0;
}
