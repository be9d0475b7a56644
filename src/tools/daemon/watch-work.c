/* SPDX-License-Identifier: MIT */
#include "tools/daemon/watch-work.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

static void daemon_watch_add_path(struct daemon_watch *w, const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_(freep) char *folder =
		slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
	int id = inotify_add_watch(w->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
	struct daemon_watched *item;

	if (id < 0)
		return;
	item = ARRAY_ADD(w);
	item->id = id;
	item->name = xstrdup(slash ? slash + 1 : path);
}

void daemon_watch_open(struct daemon_watch *w, char *const *paths, size_t n)
{
	*w = (struct daemon_watch){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC) };
	for (size_t i = 0; w->fd >= 0 && i < n; i++) {
		_cleanup_(freep) char *real = realpath(paths[i], NULL);

		daemon_watch_add_path(w, paths[i]);
		if (real && strcmp(real, paths[i]))
			daemon_watch_add_path(w, real);
	}
}

void daemon_watch_open_folders(struct daemon_watch *w)
{
	*w = (struct daemon_watch){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC),
				    .any_name = true };
}

/* Adding the same folder again is harmless: the kernel has one watch for it. */
void daemon_watch_add_folder(struct daemon_watch *w, const char *folder)
{
	if (w->fd >= 0)
		(void)!inotify_add_watch(w->fd, folder, IN_MOVED_TO | IN_ONLYDIR);
}

static bool is_watched(const struct daemon_watch *w, const struct inotify_event *e)
{
	/* Events were lost, and some of them may have been about our files. */
	if (e->mask & IN_Q_OVERFLOW || w->any_name)
		return true;
	for (size_t i = 0; i < w->n; i++)
		if (w->items[i].id == e->wd && e->len && !strcmp(w->items[i].name, e->name))
			return true;
	return false;
}

bool daemon_watch_changed(struct daemon_watch *w)
{
	char bytes[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t n;

	while ((n = read(w->fd, bytes, sizeof(bytes))) > 0)
		for (char *at = bytes; at < bytes + n;) {
			const struct inotify_event *e = (const struct inotify_event *)at;

			changed |= is_watched(w, e);
			at += sizeof(*e) + e->len;
		}
	return changed;
}

void daemon_watch_close(struct daemon_watch *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->items[i].name);
	free(w->items);
	closep(&w->fd);
	*w = (struct daemon_watch){ .fd = -1 };
}
