/* SPDX-License-Identifier: MIT */
#include "buildid/debug-package.h"

#include <config.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"

#define DPKG_INFO     "/var/lib/dpkg/info"
#define LIST_SIZE_MAX (16 << 20)

/* A list is lines of paths; the first is "/.". */
static bool has_line(const char *text, const char *path)
{
	size_t n = strlen(path);

	for (const char *at = text; (at = strstr(at, path)); at += n)
		if ((at == text || at[-1] == '\n') && (at[n] == '\n' || !at[n]))
			return true;
	return false;
}

static bool has_file(int info, const char *list, const char *path)
{
	_cleanup_(freep) char *text = NULL;

	if (file_read(info, list, LIST_SIZE_MAX, &text, NULL) < 0)
		return false;
	/* A package may still list a file under /lib, which is a link to /usr/lib now. */
	return has_line(text, path) || (!strncmp(path, "/usr/", 5) && has_line(text, path + 4));
}

/* "libc6:arm64.list" is the list of libc6. A package's other files have other suffixes. */
static char *package_of_list(const char *name)
{
	const char *end = strstr(name, ".list"), *colon = strchr(name, ':');

	if (!end || strcmp(end, ".list") != 0)
		return NULL;
	return xstrndup(name, (size_t)((colon && colon < end ? colon : end) - name));
}

/*
 * Packages are named after what they contain: the list's name begins like the file's or a
 * directory's. Reading all lists would take as long as a small report.
 */
static bool is_likely(const char *list, const char *path)
{
	/* Packages of many programs, which have other names. */
	static const char *const collections[] = { "coreutils", "util-linux", "binutils", "cpp-",
						   "g++-" };

	for (size_t i = 0; i < ARRAY_SIZE(collections); i++)
		if (!strncmp(list, collections[i], strlen(collections[i])))
			return true;
	while ((path = strchr(path, '/'))) {
		char beginning[5] = "";
		size_t n = strcspn(++path, "/");

		memcpy(beginning, path, n < sizeof(beginning) ? n : sizeof(beginning) - 1);
		if (n > 3 ? !!strstr(list, beginning) : !path[n] && !strncmp(list, beginning, n))
			return true;
	}
	return false;
}

char *debug_package_of_dpkg(const char *info, const char *path)
{
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(closep) int fd = open(info, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || name_list_read(fd, ".", false, &files) < 0)
		return NULL;
	for (size_t i = 0; i < files.n; i++) {
		const char *list = files.items[i];
		_cleanup_(freep) char *package = package_of_list(list);

		if (!package || !is_likely(list, path) || !has_file(fd, list, path))
			continue;
		/* The C library's debug symbols are in libc6-dbg, as debuggers need them. */
		return xasprintf("apt install %s%s", package,
				 strcmp(package, "libc6") ? "-dbgsym" : "-dbg");
	}
	return NULL;
}

/* Whether a file there comes from a package. */
static bool is_packaged(const char *path)
{
	static const char *const own[] = { "/usr/local/", "/opt/", "/home/", "/root/", "/tmp/" };
	static const char *const theirs[] = { "/usr/", "/lib", "/bin/", "/sbin/" };

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strncmp(path, own[i], strlen(own[i])))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(theirs); i++)
		if (!strncmp(path, theirs[i], strlen(theirs[i])))
			return true;
	return false;
}

char *debug_package_command(const char *path, bool by_name)
{
	if (!is_packaged(path) || strchr(path, '\''))
		return NULL;
	if (access(DPKG_INFO, F_OK) == 0) {
		char *command = by_name ? debug_package_of_dpkg(DPKG_INFO, path) : NULL;

		return command ? command
			       : xasprintf("apt install \"$(dpkg -S '%s' | cut -d: -f1)-dbgsym\"",
					   path);
	}
	if (file_is_program("dnf"))
		return xasprintf("dnf debuginfo-install \"$(rpm -qf '%s')\"", path);
	return NULL;
}

const char *debug_package_server_of(const char *os_release)
{
	static const struct {
		const char *line, *server;
	} rows[] = {
		{ "ID=debian", "https://debuginfod.debian.net" },
		{ "ID=ubuntu", "https://debuginfod.ubuntu.com" },
		{ "ID=fedora", "https://debuginfod.fedoraproject.org" },
		{ "ID=arch", "https://debuginfod.archlinux.org" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (has_line(os_release, rows[i].line))
			return rows[i].server;
	return "https://debuginfod.elfutils.org";
}

const char *debug_package_server(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	_cleanup_(freep) char *text = NULL;

	if (!HAVE_DEBUGINFOD || (urls && *urls) ||
	    file_read(AT_FDCWD, "/etc/os-release", LIST_SIZE_MAX, &text, NULL) < 0)
		return NULL;
	return debug_package_server_of(text);
}
