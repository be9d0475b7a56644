/* SPDX-License-Identifier: MIT */
#include "foreign/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "datafile/reader.h"
#include "fleet/url.h"
#include "foreign/fleet.h"
#include "foreign/format.h"
#include "foreign/gunzip.h"
#include "foreign/recording.h"
#include "foreign/stack-profile.h"
#include "symbol/given-names.h"

#define BEGIN_BYTES (64 << 10) /* the first line of folded stacks may be long */
#define FILE_MAX    (UINT64_C(2) << 30)

static const struct foreign_format *const formats[] = { &format_pprof, &format_firefox,
							&format_folded };

static const struct foreign_format *find_format(const char *bytes, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i]->is_it(bytes, n < BEGIN_BYTES ? n : BEGIN_BYTES))
			return formats[i];
	return NULL;
}

/* Whether the beginning of the file is of one of these formats. */
static bool is_foreign(int fd)
{
	char begin[BEGIN_BYTES];
	ssize_t n = pread(fd, begin, sizeof(begin), 0);

	return n > 0 && (gunzip_is_packed(begin, (size_t)n) || find_format(begin, (size_t)n));
}

static int read_bytes(const char *path, int fd, char **ret, size_t *ret_n, struct diag *diag)
{
	_cleanup_(freep) char *packed = NULL;
	size_t n;
	int r = file_read_fd(fd, FILE_MAX, &packed, &n);

	if (r < 0)
		return diag_set(diag, r, "cannot read '%s': %s", path, strerror(-r));
	if (!gunzip_is_packed(packed, n)) {
		*ret = TAKE(packed);
		*ret_n = n;
		return 0;
	}
	r = gunzip(packed, n, ret, ret_n);
	if (r == -ENOSYS)
		diag_set(diag, r, "'%s' is packed, and this perf was built without zlib", path);
	else if (r < 0)
		diag_set(diag, r, "'%s' cannot be unpacked: it is damaged, or cut short", path);
	return r;
}

static int read_profile(const char *path, int fd, struct stack_profile *p, struct diag *diag)
{
	_cleanup_(freep) char *bytes = NULL;
	const struct foreign_format *f;
	_cleanup_(diag_done) struct diag why = { 0 };
	size_t n;
	int r = read_bytes(path, fd, &bytes, &n, diag);

	if (r < 0)
		return r;
	f = find_format(bytes, n);
	if (!f) {
		diag_set(diag, -EBADMSG,
			 "'%s' is packed, but what is in it is not a profile that perf knows",
			 path);
		if (n >= 8 && (!memcmp(bytes, "PERFILE2", 8) || !memcmp(bytes, "2ELIFREP", 8)))
			diag_hint(diag, "It is a recording of perf: unpack it first (gunzip %s).",
				  path);
		return -EBADMSG;
	}
	r = f->read(bytes, n, p, &why);
	if (r < 0)
		diag_set(diag, r, "'%s' (%s): %s", path, f->name, why.message);
	return r;
}

static int open_profile(const struct stack_profile *p, const char *path, struct datafile **ret,
			struct given_names **ret_names, struct diag *diag)
{
	_cleanup_(given_names_freep) struct given_names *names = NULL;
	int memory, r = stack_profile_record(p, &memory, &names, diag);

	if (r >= 0)
		r = datafile_open_fd(memory, path, ret, diag);
	if (r < 0)
		return r;
	*ret_names = TAKE(names);
	return 1;
}

/* Files that are taken for recordings, and what is meant with them. */
static void hint_other_files(const char *path, int fd, struct diag *diag)
{
	static const char sqlite[] = "SQLite format 3", elf[] = "\177ELF";
	char begin[sizeof(sqlite)] = "";

	if (pread(fd, begin, sizeof(begin) - 1, 0) < 0)
		return;
	if (!strcmp(begin, sqlite))
		diag_hint(diag,
			  "It is a SQLite database. What perf push wrote is read by: -i "
			  "sqlite:%s",
			  path);
	else if (!strncmp(begin, elf, strlen(elf)))
		diag_hint(diag, "It is a program. To record it: perf record %s%s",
			  strchr(path, '/') ? "" : "./", path);
}

int foreign_open(const char *path, struct datafile **ret, struct given_names **ret_names,
		 struct diag *diag)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_(stack_profile_freep) struct stack_profile *p = NULL;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	if (!is_foreign(fd)) {
		hint_other_files(path, fd, diag);
		return 0;
	}
	p = stack_profile_new();
	r = read_profile(path, fd, p, diag);
	return r < 0 ? r : open_profile(p, path, ret, ret_names, diag);
}

bool foreign_is_url(const char *path)
{
	return fleet_is_url(path);
}

int foreign_open_url(const char *url, struct datafile **ret, struct given_names **ret_names,
		     struct diag *diag)
{
	_cleanup_(stack_profile_freep) struct stack_profile *p = stack_profile_new();
	int r = fleet_read_stacks(url, p, diag);

	return r < 0 ? r : open_profile(p, url, ret, ret_names, diag);
}
