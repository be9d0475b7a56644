/* SPDX-License-Identifier: MIT */
/*
 * Runs `perf script` on the same recording: for the row at the cursor, or for all samples. It runs
 * while the browser continues, and its output is shown when it ends, or when there is enough of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/script-catalog.h"
#include "session/session.h"
#include "symbol/symbol.h"
#include "tui/browse.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

#define OUTPUT_MAX (4 << 20)
#define WORDS_MAX  64

struct report_child {
	pid_t pid;
	int fd;
	struct text output;
	char *title;
};

extern char **environ;

static void tui_report_script_end(struct report_panel *p, bool is_enough)
{
	struct report_child *c = p->child;

	panels_unwatch(p->panel.panels, c->fd);
	close(c->fd);
	if (is_enough)
		kill(c->pid, SIGTERM);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	text_done(&c->output);
	free(c->title);
	free(c);
	p->child = NULL;
}

void report_child_end(struct report_panel *p)
{
	if (p->child)
		tui_report_script_end(p, true);
}

static void tui_report_script_show(struct report_panel *p, bool is_enough)
{
	struct report_child *c = p->child;

	if (is_enough)
		text_add(&c->output, "\n[there is more: perf script prints all of it]\n");
	panels_answer(p->panel.panels, "perf script has %s", is_enough ? "more" : "ended");
	text_panel_push(p->panel.panels, c->title,
			c->output.length ? c->output.chars : "perf script printed nothing\n");
	tui_report_script_end(p, is_enough);
}

/* Reads one piece at a time, so that keys are handled without delay. */
void report_child_news(struct report_panel *p)
{
	struct report_child *c = p->child;
	char *at;
	ssize_t n;

	if (!c)
		return;
	at = text_room(&c->output, 65536);
	n = read(c->fd, at, 65536);
	if (n > 0) {
		text_filled(&c->output, at + n);
		if (c->output.length >= OUTPUT_MAX)
			tui_report_script_show(p, true);
	} else if (n == 0 || errno != EAGAIN) {
		tui_report_script_show(p, false);
	}
}

static int tui_report_script_spawn(char *const *words, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int fds[2], r;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDERR_FILENO);
	r = posix_spawn(ret_pid, "/proc/self/exe", &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (r) {
		close(fds[0]);
		return -r;
	}
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	return fds[0];
}

static void tui_report_script_start(struct report_panel *p, char *const *words, const char *title)
{
	pid_t pid = 0;
	int fd;

	report_child_end(p);
	fd = tui_report_script_spawn(words, &pid);
	if (fd < 0) {
		panels_answer(p->panel.panels, "perf script cannot be started: %s", strerror(-fd));
		return;
	}
	p->child = xcalloc(1, sizeof(*p->child));
	p->child->pid = pid;
	p->child->fd = fd;
	p->child->output = (struct text)TEXT_EMPTY;
	p->child->title = xstrdup(title);
	panels_watch(p->panel.panels, fd);
	panels_answer(p->panel.panels, "perf script is running ...");
}

/* The words of a command line in construction; they are borrowed. */
struct script_words {
	const char *items[WORDS_MAX];
	size_t n;
};

static void tui_report_script_add(struct script_words *w, const char *word)
{
	if (w->n + 1 < WORDS_MAX)
		w->items[w->n++] = word;
}

static void tui_report_script_add_pair(struct script_words *w, const char *option,
				       const char *value)
{
	if (!value)
		return;
	tui_report_script_add(w, option);
	tui_report_script_add(w, value);
}

/*
 * Adds the filters of zooms, and of the row, because a command line can select threads and CPUs
 * only in this way.
 */
static void add_filters(struct script_words *w, struct report_panel *p,
			const struct report_subject *s)
{
	struct browse_request rq = report_browser_request(p->rb);
	const struct filter_request *f = &rq.profile.filter;

	tui_report_script_add_pair(w, "--time", f->time.text);
	tui_report_script_add_pair(w, "--comms",
				   s && s->comm && zoom_can_name(s->comm) ? s->comm : f->comms);
	tui_report_script_add_pair(w, "--dsos",
				   s && s->dso && zoom_can_name(s->dso) ? s->dso : f->dsos);
	tui_report_script_add_pair(w, "--symbols",
				   s && s->frame && s->frame->sym &&
						   zoom_can_name(s->frame->sym->name)
					   ? s->frame->sym->name
					   : f->symbols);
}

/* @file: a script to run, or NULL; @more: words separated by blanks, or NULL. */
static void tui_report_script_run(struct report_panel *p, const struct report_subject *s,
				  const char *file, const char *more)
{
	_cleanup_(freep) char *typed = xstrdup(more ? more : "");
	struct script_words w = { 0 };
	char *rest = typed, *word;

	tui_report_script_add(&w, "perf");
	tui_report_script_add(&w, "--no-pager");
	tui_report_script_add(&w, "script");
	tui_report_script_add_pair(
		&w, "-i", p->rb->base.profile.path ? p->rb->base.profile.path : "perf.data");
	if (p->rb->base.profile.force)
		tui_report_script_add(&w, "-f");
	add_filters(&w, p, s);
	tui_report_script_add_pair(&w, "-s", file);
	while ((word = strsep(&rest, " ")))
		if (*word)
			tui_report_script_add(&w, word);
	tui_report_script_start(p, (char *const *)w.items, "perf script");
}

static const struct {
	const char *text, *words;
} scripts[] = {
	{ "Show individual samples", "" },
	{ "Show individual samples with source", "-F +srcline" },
	{ "Show stacks, folded", "--folded" },
	{ "Show samples with custom perf script arguments", NULL },
};

static enum panel_next script_chosen(struct panel *owner, size_t value, void *arg);

static bool tui_report_script_has_event(const struct session *s, const char *name)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (!strcmp(session_event(s, i)->name, name))
			return true;
	return false;
}

/* True if the recording has the events of @script, and the script has no mandatory arguments. */
static bool tui_report_script_fits(const struct named_script *script, const struct session *session)
{
	_cleanup_(name_list_done) struct name_list events = { 0 };

	if (script->language != SCRIPT_PYTHON || named_script_required(script) ||
	    named_script_is_top(script) || named_script_events(script, &events) < 0)
		return false;
	for (size_t i = 0; i < events.n; i++)
		if (!tui_report_script_has_event(session, events.items[i]))
			return false;
	return true;
}

static void read_scripts(const struct report_panel *p, struct named_scripts *ret)
{
	*ret = (struct named_scripts){ 0 };
	if (p->rb->o->exec_path)
		named_scripts_read(p->rb->o->exec_path, ret);
}

static void push_menu(struct panel *panel, bool of_row)
{
	const struct report_panel *p = report_panel_of(panel);
	_cleanup_(named_scripts_done) struct named_scripts named;
	struct {
		struct menu_item *items;
		size_t n, room;
	} menu = { 0 };

	read_scripts(p, &named);
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++)
		*ARRAY_ADD(&menu) = (struct menu_item){ .text = scripts[i].text, .value = i };
	for (size_t i = 0; i < named.n && p->snapshot; i++)
		if (tui_report_script_fits(&named.items[i], p->snapshot->profile->session))
			*ARRAY_ADD(&menu) = (struct menu_item){ .text = named.items[i].name,
								.value = ARRAY_SIZE(scripts) + i };
	menu_push(panel->panels,
		  &(struct menu){ .title = of_row ? "perf script of this row" : "perf script",
				  .items = menu.items,
				  .n = menu.n,
				  .chosen = script_chosen,
				  .arg = of_row ? panel : NULL,
				  .owner = panel });
	free(menu.items);
}

/* @of_row is not NULL: only for samples of the row at the cursor. */
static void tui_report_script_run_of(struct report_panel *p, const void *of_row, const char *file,
				     const char *words)
{
	_cleanup_(report_subject_done) struct report_subject s = { 0 };

	report_subject_find(p, &s);
	tui_report_script_run(p, of_row ? &s : NULL, file, words);
}

static enum panel_next words_typed(struct panel *owner, const char *text, void *arg)
{
	tui_report_script_run_of(report_panel_of(owner), arg, NULL, text);
	return PANEL_STAY;
}

/* Runs the @i-th script of the menu. */
static void tui_report_script_run_named(struct report_panel *p, const void *of_row, size_t i)
{
	_cleanup_(named_scripts_done) struct named_scripts named;
	_cleanup_(freep) char *file = NULL;

	read_scripts(p, &named);
	if (i >= named.n)
		return;
	/* It is one word, even if the path contains blanks. */
	file = xasprintf("%s/scripts/python/%s.py", p->rb->o->exec_path, named.items[i].name);
	tui_report_script_run_of(p, of_row, file, NULL);
}

static enum panel_next script_chosen(struct panel *owner, size_t value, void *arg)
{
	if (value >= ARRAY_SIZE(scripts))
		tui_report_script_run_named(report_panel_of(owner), arg,
					    value - ARRAY_SIZE(scripts));
	else if (scripts[value].words)
		tui_report_script_run_of(report_panel_of(owner), arg, NULL, scripts[value].words);
	else
		prompt_push(owner->panels,
			    &(struct prompt){
				    .title = "perf script command",
				    .explanation = "Enter perf script command line (without perf "
						   "script prefix)",
				    .typed = words_typed,
				    .arg = arg,
				    .owner = owner,
			    });
	return PANEL_STAY;
}

enum panel_next report_scripts(struct panel *panel)
{
	push_menu(panel, false);
	return PANEL_STAY;
}

enum panel_next report_script_row(struct panel *panel)
{
	push_menu(panel, true);
	return PANEL_STAY;
}
