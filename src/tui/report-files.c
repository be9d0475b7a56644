/* SPDX-License-Identifier: MIT */
/* Switches to another recording in the working directory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

#define FILES_MAX 200

/*
 * True for the first bytes of a recording: written here, or on a machine of the other byte order.
 */
static bool is_magic(const char *bytes)
{
	return !memcmp(bytes, "PERFILE2", 8) || !memcmp(bytes, "2ELIFREP", 8);
}

static bool tui_report_files_is_recording(int dir, const char *name)
{
	char magic[8];
	struct stat st;
	/* The folder may contain any file, even a device. */
	int fd = input_file_open_at(dir, name, &st);
	bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) && is_magic(magic);

	if (fd >= 0)
		close(fd);
	return is;
}

struct tui_report_files_names {
	char **items;
	size_t n, room;
};

static void names_done(struct tui_report_files_names *n)
{
	for (size_t i = 0; i < n->n; i++)
		free(n->items[i]);
	free(n->items);
}

static int tui_report_files_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_recordings(struct tui_report_files_names *ret)
{
	DIR *dir = opendir(".");
	struct dirent *e;

	while (dir && ret->n < FILES_MAX && (e = readdir(dir)))
		if (tui_report_files_is_recording(dirfd(dir), e->d_name))
			*ARRAY_ADD(ret) = xstrdup(e->d_name);
	if (dir)
		closedir(dir);
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), tui_report_files_by_name);
}

/* The names in the menu that is open. */
struct choice_of_files {
	struct tui_report_files_names names;
};

static void tui_report_files_forget(void *arg)
{
	struct choice_of_files *c = arg;

	names_done(&c->names);
	free(c);
}

static void tui_report_files_open_file(struct report_panel *p, const char *path)
{
	struct browse_request rq = p->rb->base;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct browse *b = NULL;

	rq.profile.path = path;
	if (browse_open(&rq, &b, &diag) < 0) {
		message_push(p->panel.panels, "Error",
			     diag.message ? diag.message : "the recording cannot be opened");
		return;
	}
	report_panel_drop(p);
	p->table = 0;
	p->list.cursor = p->list.top = 0;
	p->was_touched = p->chose_event = false;
	report_browser_replace(p->rb, b, path);
	panels_tick(p->panel.panels, 100);
	panels_answer(p->panel.panels, "%s", path);
}

static enum panel_next tui_report_files_chosen(struct panel *owner, size_t value, void *arg)
{
	struct choice_of_files *c = arg;

	tui_report_files_open_file(report_panel_of(owner), c->names.items[value]);
	tui_report_files_forget(c);
	return PANEL_STAY;
}

enum panel_next report_files_menu(struct panel *panel)
{
	struct choice_of_files *c = xcalloc(1, sizeof(*c));
	struct menu_item *items;

	find_recordings(&c->names);
	if (!c->names.n) {
		panels_answer(panel->panels, "There are no recordings in the working directory");
		tui_report_files_forget(c);
		return PANEL_STAY;
	}
	items = xcalloc(c->names.n, sizeof(*items));
	for (size_t i = 0; i < c->names.n; i++)
		items[i] = (struct menu_item){ .text = c->names.items[i], .value = i };
	menu_push(panel->panels, &(struct menu){ .title = "Data files",
						 .items = items,
						 .n = c->names.n,
						 .chosen = tui_report_files_chosen,
						 .given_up = tui_report_files_forget,
						 .arg = c,
						 .owner = panel });
	free(items);
	return PANEL_STAY;
}
