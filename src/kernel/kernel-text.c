/* SPDX-License-Identifier: MIT */
#include "kernel/kernel-text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

/*
 * /proc/kallsyms is sorted by address and takes the kernel 14 ms to write in full, so it is read
 * only until the kernel's first symbols have passed. On x86 the per-CPU symbols come first: some
 * twenty thousand bytes.
 */
/* A kernel with all its modules has some 15 MB of symbols. */
#define KALLSYMS_MAX       (256u << 20)
#define KALLSYMS_BEGINNING (256U << 10)

/* True if @name is at @line: "ffffffff92400000 T _text\n". Gives its address. */
static bool is_symbol(const char *line, const char *name, uint64_t *ret_addr)
{
	char *at;
	uint64_t addr = strtoull(line, &at, 16);
	size_t n = strlen(name);

	if (at == line || at[0] != ' ' || !at[1] || at[2] != ' ')
		return false;
	*ret_addr = addr;
	return !strncmp(at + 3, name, n) && (at[3 + n] == '\n' || !at[3 + n]);
}

/* The two symbols may share an address, in either order; _text never comes after _stext. */
int kernel_text_parse(const char *kallsyms, struct kernel_text *ret)
{
	struct kernel_text t = { .end = UINT64_MAX };

	for (const char *line = kallsyms; *line;) {
		uint64_t addr = t.start;

		if (is_symbol(line, "_text", &addr))
			t = (struct kernel_text){ "_text", addr, UINT64_MAX };
		else if (is_symbol(line, "_stext", &addr) && !t.reference)
			t = (struct kernel_text){ "_stext", addr, UINT64_MAX };
		else if (t.reference && addr != t.start)
			break;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (!t.start)
		return t.reference ? -EACCES : -ENOENT;
	*ret = t;
	return 0;
}

/*
 * Reads until the reference was seen, and one piece more, because the symbols may be in two
 * adjacent pieces.
 */
static int read_beginning(const char *path, char **ret)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_(freep) char *text = xmalloc(KALLSYMS_BEGINNING + 1);
	struct kernel_text seen;
	bool found = false;
	size_t length = 0;

	if (fd < 0)
		return -errno;
	while (length < KALLSYMS_BEGINNING) {
		ssize_t n = read(fd, text + length, KALLSYMS_BEGINNING - length);

		if (n < 0)
			return -errno;
		length += (size_t)n;
		text[length] = '\0';
		if (n == 0 || found)
			break;
		found = kernel_text_parse(text, &seen) != -ENOENT;
	}
	*ret = TAKE(text);
	return 0;
}

/*
 * Returns the size of the kernel's text from /proc/iomem, which only root can read: from _text to
 * _etext, if there is a _text. 0: not known.
 */
static uint64_t kernel_text_size(const char *root)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/iomem", root);
	_cleanup_(freep) char *text = NULL;
	unsigned long long start, end;
	char *code, *line;

	if (file_read(AT_FDCWD, path, 1 << 20, &text, NULL) < 0)
		return 0;
	code = strstr(text, " : Kernel code\n");
	if (!code)
		return 0;
	line = memrchr(text, '\n', (size_t)(code - text));
	if (sscanf(line ? line : text, " %llx-%llx", &start, &end) != 2 || end <= start)
		return 0;
	return end - start + 1;
}

int kernel_text_read(const char *root, struct kernel_text *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/kallsyms", root);
	_cleanup_(freep) char *text = NULL;
	struct kernel_text t;
	uint64_t size;

	int r = read_beginning(path, &text);
	if (r >= 0)
		r = kernel_text_parse(text, &t);
	if (r < 0)
		return r;
	size = !strcmp(t.reference, "_text") ? kernel_text_size(root) : 0;
	if (size && size < UINT64_MAX - t.start)
		t.end = t.start + size;
	*ret = t;
	return 0;
}

int kernel_text_read_file(const char *path, struct kernel_text *ret)
{
	_cleanup_(freep) char *text = NULL;
	struct kernel_text t;
	uint64_t end;
	int r = file_read(AT_FDCWD, path, KALLSYMS_MAX, &text, NULL);

	if (r >= 0)
		r = kernel_text_parse(text, &t);
	if (r < 0)
		return r;
	for (const char *line = text; *line; line += *line == '\n') {
		if (is_symbol(line, "_etext", &end) && end > t.start)
			t.end = end;
		line += strcspn(line, "\n");
	}
	*ret = t;
	return 0;
}
