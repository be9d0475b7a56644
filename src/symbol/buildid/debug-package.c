/* SPDX-License-Identifier: MIT */
#include "symbol/buildid/debug-package.h"

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

/* True if the list has the line @path. A list is lines of paths; the first is "/.". */
static bool debug_package_has_line(const char *text, const char *path)
{
	size_t n = strlen(path);

	for (const char *at = text; (at = strstr(at, path)); at += n)
		if ((at == text || at[-1] == '\n') && (at[n] == '\n' || !at[n]))
			return true;
	return false;
}

static bool debug_package_has_file(int info, const char *list, const char *path)
{
	_cleanup_(freep) char *text = NULL, *merged = NULL;

	if (file_read(info, list, LIST_SIZE_MAX, &text, NULL) < 0)
		return false;
	if (debug_package_has_line(text, path))
		return true;
	/* /lib is a link to /usr/lib: Debian 12 lists many files there, Debian 13 none. */
	if (!strncmp(path, "/usr/", 5))
		return debug_package_has_line(text, path + 4);
	merged = xasprintf("/usr%s", path);
	return debug_package_has_line(text, merged);
}

/*
 * Returns the package of a list: "libc6:arm64.list" is the list of libc6. A package's other files
 * have other suffixes.
 */
static char *package_of_list(const char *name)
{
	const char *end = strstr(name, ".list"), *colon = strchr(name, ':');

	if (!end || strcmp(end, ".list") != 0)
		return NULL;
	return xstrndup(name, (size_t)((colon && colon < end ? colon : end) - name));
}

/*
 * True if the list is likely to contain @path. Packages are named after their contents, so the
 * list's name begins like the file's or a directory's. Reading all lists would take as long as a
 * small report.
 */
static bool is_likely(const char *list, const char *path)
{
	/* Packages with many programs, whose names differ from the package's. */
	static const char *const collections[] = { "coreutils", "util-linux", "binutils",
						   "cpp-",      "g++-",       "libc6" };

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

		if (!package || !is_likely(list, path) || !debug_package_has_file(fd, list, path))
			continue;
		/* The C library's debug symbols are in libc6-dbg, because debuggers need them. */
		return xasprintf("apt install %s%s", package,
				 strcmp(package, "libc6") ? "-dbgsym" : "-dbg");
	}
	return NULL;
}

/* True if a file at that path comes from a package. */
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

/*
 * Returns the value of "NAME=value" in the text of os-release, without quotes. The caller frees it.
 */
static char *release_value(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += n) {
		const char *value = at + n + 1;

		if ((at != text && at[-1] != '\n') || at[n] != '=')
			continue;
		value += *value == '"';
		return xstrndup(value, strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789.-"));
	}
	return NULL;
}

char *debug_archive_setup(const char *os_release)
{
	_cleanup_(freep) char *id = release_value(os_release, "ID");
	_cleanup_(freep) char *code = release_value(os_release, "VERSION_CODENAME");

	if (!id || !code || !*code)
		return NULL;
	if (!strcmp(id, "debian"))
		return xasprintf("echo deb http://deb.debian.org/debian-debug %s-debug main | "
				 "sudo tee /etc/apt/sources.list.d/debug.list; sudo apt update; ",
				 code);
	if (!strcmp(id, "ubuntu"))
		return xasprintf("sudo apt install ubuntu-dbgsym-keyring; echo deb "
				 "http://ddebs.ubuntu.com %s main | "
				 "sudo tee /etc/apt/sources.list.d/debug.list; sudo apt update; ",
				 code);
	return NULL;
}

static bool line_names_archive(const char *line, size_t n)
{
	static const char *const archives[] = { "debian-debug", "ddebs.ubuntu.com" };

	for (size_t i = 0; i < ARRAY_SIZE(archives); i++)
		if (*line != '#' && memmem(line, n, archives[i], strlen(archives[i])))
			return true;
	return false;
}

/* True if the line is "Enabled: no", in a paragraph of *.sources. */
static bool line_disables(const char *line, size_t n)
{
	static const char field[] = "Enabled:";
	size_t length = strlen(field);

	return n > length && !strncasecmp(line, field, length) &&
	       memmem(line + length, n - length, "no", 2);
}

bool debug_archive_is_named(const char *sources)
{
	bool is_named = false, is_disabled = false;

	for (const char *line = sources; *line;) {
		size_t n = strcspn(line, "\n");

		if (!n) {
			if (is_named && !is_disabled)
				return true;
			is_named = is_disabled = false;
		}
		is_named |= line_names_archive(line, n);
		is_disabled |= line_disables(line, n);
		line += n + (line[n] == '\n');
	}
	return is_named && !is_disabled;
}

/* True if one of apt's lists of sources in the directory @dir names an archive of debug symbols. */
static bool has_debug_source(const char *dir)
{
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(closep) int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || name_list_read(fd, ".", false, &files) < 0)
		return false;
	for (size_t i = 0; i < files.n; i++) {
		_cleanup_(freep) char *text = NULL;

		if (file_read(fd, files.items[i], LIST_SIZE_MAX, &text, NULL) >= 0 &&
		    debug_archive_is_named(text))
			return true;
	}
	return false;
}

/*
 * Returns the commands that are needed before packages of debug symbols are available; empty: none,
 * or not known.
 */
static char *archive_setup(void)
{
	_cleanup_(freep) char *text = NULL;
	char *setup;

	if (has_debug_source("/etc/apt") || has_debug_source("/etc/apt/sources.list.d") ||
	    file_read(AT_FDCWD, "/etc/os-release", LIST_SIZE_MAX, &text, NULL) < 0)
		return xstrdup("");
	setup = debug_archive_setup(text);
	return setup ? setup : xstrdup("");
}

/*
 * Returns the command, from a search by dpkg. On a system whose /lib is /usr/lib, packages may list
 * a file under either. dpkg prints diversions of the file before its package.
 */
static char *command_by_search(const char *path)
{
	const char *bare = strncmp(path, "/usr/", 5) ? path : path + 4;

	return xasprintf("apt install \"$(dpkg -S '%s' '/usr%s' 2>/dev/null | grep -v ^diversion | "
			 "cut -d: -f1)-dbgsym\"",
			 bare, bare);
}

static char *dpkg_command(const char *path)
{
	_cleanup_(freep) char *command = debug_package_of_dpkg(DPKG_INFO, path);
	_cleanup_(freep) char *setup = NULL;

	if (!command)
		command = command_by_search(path);
	/* libc6-dbg is in the ordinary archive. */
	setup = strstr(command, "-dbgsym") ? archive_setup() : xstrdup("");
	return xasprintf("%ssudo %s", setup, command);
}

char *debug_package_command(const char *path)
{
	if (!is_packaged(path) || strchr(path, '\''))
		return NULL;
	if (access(DPKG_INFO, F_OK) == 0)
		return dpkg_command(path);
	if (file_is_program("dnf"))
		return xasprintf("sudo dnf debuginfo-install \"$(rpm -qf '%s')\"", path);
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
		if (debug_package_has_line(os_release, rows[i].line))
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
