/* SPDX-License-Identifier: MIT */
#include "tools/script/dump-view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "session/session.h"

struct dump_file {
	char *path;
	FILE *file;
	uint64_t samples, bytes;
	int error; /* the error of the first failed write */
};

struct script_dump {
	struct dump_file *files;
	size_t n;
};

int script_dump_open(const char *prefix, const struct session *s, struct script_dump **ret,
		     struct diag *diag)
{
	_cleanup_(script_dump_freep) struct script_dump *d = xcalloc(1, sizeof(*d));
	size_t n = session_event_count(s);

	d->files = xcalloc(n + !n, sizeof(*d->files));
	for (; d->n < n; d->n++) {
		struct dump_file *f = &d->files[d->n];

		f->path = xasprintf("%s.%s.dump", prefix, session_event(s, d->n)->name);
		/* A slash in the name of a PMU's event (cpu/x/) would mean a folder. */
		for (char *c = f->path + strlen(prefix); *c; c++)
			if (*c == '/')
				*c = '_';

		int fd = output_file_open(f->path, OUTPUT_TRUNCATE, 0666, diag);

		if (fd < 0) {
			free(f->path);
			return fd;
		}
		f->file = fdopen(fd, "w");
		if (!f->file) {
			close(fd);
			free(f->path);
			return diag_set(diag, -ENOMEM, "cannot open '%s'", prefix);
		}
	}
	*ret = TAKE(d);
	return 0;
}

void script_dump_free(struct script_dump *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n; i++) {
		fclosep(&d->files[i].file);
		free(d->files[i].path);
	}
	free(d->files);
	free(d);
}

void script_dump_write(struct script_dump *d, size_t index, struct text *t, bool sample)
{
	struct dump_file *f = &d->files[index];

	f->samples += sample;
	f->bytes += t->length;
	if (fwrite(t->chars, 1, t->length, f->file) < t->length && !f->error)
		f->error = errno ? errno : EIO;
	text_clear(t);
}

int script_dump_finish(struct script_dump *d, FILE *out, struct diag *diag)
{
	for (size_t i = 0; i < d->n; i++) {
		struct dump_file *f = &d->files[i];

		if (fflush(f->file) == EOF)
			f->error = f->error ? f->error : errno;
		if (f->error)
			return diag_set(diag, -f->error, "cannot write '%s': %s", f->path,
					strerror(f->error));
		fprintf(out, "[ perf script: Wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
			(double)f->bytes / 1024 / 1024, f->path, f->samples);
	}
	return 0;
}
