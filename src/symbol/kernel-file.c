/* SPDX-License-Identifier: MIT */
#include "symbol/kernel-file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "kernel/kallsyms-text.h"

/* At most this much of a list is checked: a few lines. */
#define LOOK_SIZE 4096

static bool kernel_file_is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Returns the first of @names that is in the directory, or else the first of them. */
static char *kernel_file_path_in(const char *path, const char *const *names, size_t n)
{
	if (!kernel_file_is_directory(path))
		return xstrdup(path);
	for (size_t i = 0; i < n; i++) {
		_cleanup_(freep) char *inside = xasprintf("%s/%s", path, names[i]);

		if (access(inside, F_OK) == 0)
			return TAKE(inside);
	}
	return xasprintf("%s/%s", path, names[0]);
}

char *kernel_vmlinux_path(const char *path)
{
	static const char *const names[] = { "elf", "vmlinux" };

	return kernel_file_path_in(path, names, ARRAY_SIZE(names));
}

char *kernel_list_path(const char *path)
{
	static const char *const names[] = { "kallsyms" };

	return kernel_file_path_in(path, names, ARRAY_SIZE(names));
}

/* Reads the first bytes of the file. Returns how many there are, or a negative errno with @diag. */
static ssize_t kernel_file_look(const char *option, const char *path, char *buffer,
				struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buffer, LOOK_SIZE);
	int error = errno;

	if (fd >= 0)
		close(fd);
	return n >= 0 ? n
		      : diag_set(diag, -error, "--%s: cannot read '%s': %s", option, path,
				 strerror(error));
}

int kernel_vmlinux_check(const char *option, const char *path, struct diag *diag)
{
	_cleanup_(freep) char *file = path ? kernel_vmlinux_path(path) : NULL;
	char buffer[LOOK_SIZE];
	ssize_t n = file ? kernel_file_look(option, file, buffer, diag) : 0;

	if (!file || n < 0)
		return (int)n;
	if (n >= SELFMAG && !memcmp(buffer, ELFMAG, SELFMAG))
		return 0;
	diag_set(diag, -EINVAL, "--%s: '%s' is not an ELF file", option, file);
	diag_hint(diag, "A vmlinux is what a bootable kernel is made from; a package with debug "
			"symbols of the kernel has it.");
	return -EINVAL;
}

int kernel_list_check(const char *option, const char *path, struct diag *diag)
{
	_cleanup_(freep) char *file = path ? kernel_list_path(path) : NULL;
	char buffer[LOOK_SIZE];
	ssize_t n = file ? kernel_file_look(option, file, buffer, diag) : 0;
	const char *at = buffer;
	struct kallsyms_line line;

	if (!file || n < 0)
		return (int)n;
	if (kallsyms_next(&at, buffer + n, &line))
		return 0;
	diag_set(diag, -EINVAL, "--%s: '%s' is not a list of kernel symbols", option, file);
	diag_hint(diag, "As root, 'cp /proc/kallsyms FILE' makes one.");
	return -EINVAL;
}
