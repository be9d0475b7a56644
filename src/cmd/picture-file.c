/* SPDX-License-Identifier: MIT */
#include "cmd/picture-file.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/size-text.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "view/picture/page.h"

static int refuse(const struct picture_file *f, int error, struct diag *diag)
{
	return diag_set(diag, error, "cannot write '%s': %s", f->path, strerror(-error));
}

int picture_file_open(struct picture_file *f, const struct invocation *inv, const char *path,
		      const char *usual, struct diag *diag)
{
	int fd, r;

	*f = (struct picture_file){ .file = OUTPUT_FILE_NONE };
	if (!path)
		path = terminal_is(inv->settings->out) ? usual : "-";
	if (!strcmp(path, "-")) {
		f->out = inv->out;
		return 0;
	}
	f->path = path;
	r = output_file_begin(&f->file, path, FILE_PLACE_FOLLOW, 0666, diag);
	if (r < 0)
		return r;
	fd = fcntl(f->file.fd, F_DUPFD_CLOEXEC, 0);
	f->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (f->out)
		return 0;
	r = refuse(f, -errno, diag);
	if (fd >= 0)
		close(fd);
	return r;
}

static void say_where(const struct picture_file *f, const struct invocation *inv, long size)
{
	_cleanup_(text_done) struct text shown = TEXT_EMPTY;
	char room[SIZE_TEXT_MAX];

	escape_terminal(&shown, f->path, strlen(f->path));
	fprintf(inv->err, "%s: %s\n", shown.chars, size_text((uint64_t)size, room));
}

int picture_file_commit(struct picture_file *f, const struct invocation *inv, bool quiet,
			struct diag *diag)
{
	FILE *out = f->out;
	bool is_file = f->file.temporary;
	long size;
	int r;

	if (!f->path)
		return 0;
	size = ftell(out);
	f->out = NULL;
	errno = 0;
	if (fclose(out))
		return refuse(f, errno ? -errno : -EIO, diag);
	r = output_file_commit(&f->file, false);
	if (r < 0)
		return refuse(f, r, diag);
	if (!quiet && is_file)
		say_where(f, inv, size);
	return 0;
}

void picture_file_done(struct picture_file *f)
{
	if (f->path && f->out)
		fclose(f->out);
	output_file_done(&f->file);
}

int picture_write_page(const struct page *page, const struct invocation *inv, const char *path,
		       const char *usual, bool quiet, struct diag *diag)
{
	_cleanup_(picture_file_done) struct picture_file f;
	int r = picture_file_open(&f, inv, path, usual, diag);

	if (r < 0)
		return r;
	r = page_print(f.out, page, "perf " PERF_VERSION);
	if (r < 0)
		return diag_set(diag, r, "cannot write the page");
	return picture_file_commit(&f, inv, quiet, diag);
}
