/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/text-work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "pairs/pair-presets.h"
#include "tools/heatmap/heatmap-work.h"
#include "tools/heatmap/text-model.h"

/* True if the bytes begin like a perf.data file, in either byte order. */
static bool heatmap_text_is_recording(const char *bytes, size_t n)
{
	return n >= 8 && (!memcmp(bytes, "PERFILE2", 8) || !memcmp(bytes, "2ELIFREP", 8));
}

static int refuse_recording(const struct heatmap_request *rq, struct diag *diag)
{
	diag_set(diag, -EINVAL, "%s is a recording, and lines of text were expected", rq->path);
	diag_hint(diag, "Name it with -i: perf heatmap -i %s", rq->path);
	return -EINVAL;
}

static void heatmap_text_point(void *arg, uint64_t time_ns, uint64_t value)
{
	heat_add(arg, time_ns, value);
}

static void note_bad_lines(const struct heatmap_request *rq, const struct heat_text *t,
			   struct notes *notes)
{
	if (t->n_bad)
		notes_add(notes, NOTE_WARNING,
			  "%s: %" PRIu64 " of %" PRIu64
			  " lines are no time and value, the first is line %" PRIu64 ": %s",
			  rq->path, t->n_bad, t->n_lines, t->first_bad, t->bad);
}

/* Reports a file that cannot be read. A mistyped name of a preset also ends up here. */
static int refuse_file(const struct heatmap_request *rq, int error, struct diag *diag)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;
	size_t n;
	const struct pair_preset *all = pair_presets(&n);

	if (error != -ENOENT)
		return diag_set(diag, error, "'%s' cannot be opened: %s", rq->path,
				strerror(-error));
	for (size_t i = 0; i < n; i++)
		text_addf(&names, "%s%s", i ? i + 1 < n ? ", " : " or " : "", all[i].name);
	diag_set(diag, error, "'%s' is neither a preset nor a file", rq->path);
	diag_hint(diag, "Presets are %s.", names.chars);
	return error;
}

static int heatmap_text_read_all(const struct heatmap_request *rq, int fd, struct heat_text *t,
				 struct diag *diag)
{
	char bytes[65536];
	bool is_first = true;
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_set(diag, -errno, "'%s' cannot be read: %s", rq->path,
					strerror(errno));
		if (is_first && heatmap_text_is_recording(bytes, (size_t)n))
			return refuse_recording(rq, diag);
		is_first = false;
		heat_text_take(t, bytes, (size_t)n);
	}
	heat_text_end(t);
	return 0;
}

int heatmap_read_text(const struct heatmap_request *rq, struct heat *h, struct notes *notes,
		      struct diag *diag)
{
	struct heat_text t = { .time_unit_ns = rq->time_unit_ns,
			       .value_unit_ns = rq->value_unit_ns,
			       .point = heatmap_text_point,
			       .arg = h };
	_cleanup_(closep) int opened = -1;
	int fd = STDIN_FILENO, r;

	if (strcmp(rq->path, "-") != 0) {
		fd = opened = open(rq->path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return refuse_file(rq, -errno, diag);
	}
	r = heatmap_text_read_all(rq, fd, &t, diag);
	if (r >= 0)
		note_bad_lines(rq, &t, notes);
	return r;
}
