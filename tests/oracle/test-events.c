/* SPDX-License-Identifier: MIT */
/*
 * Compares the event parser with the results of Linux's perf 6.1 for the same expressions.
 *
 *   test-events [--opened] CORPUS.tsv SYSFS-DEVICES [EXCEPTIONS]
 *
 * Each line of the corpus (see events/README.md) is an expression, the verdict, the perf_event_attr
 * that `perf stat` and `perf record` asked the kernel for, and the names that stat printed. Lines
 * named in EXCEPTIONS are where we differ on purpose, with the reasons above them; one that does
 * not differ any more is a failure too. With --opened the corpus has the events that the kernel
 * accepted in the end: perf gave up after the first event that was refused, and asked for less
 * where it could.
 *
 * The tracepoints are those that the corpus mentions, in a directory made for the test. The
 * tracepoints of the running kernel, and our rights to read them, do not matter.
 */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/env.h"
#include "event/event.h"

enum column {
	EXPRESSION,
	VERDICT,
	STAT_OPENS,
	STAT_NAMES,
	RECORD_OPENS,
	MESSAGE,
	COLUMNS
};

/* Returns the text after "NAME=", or NULL. */
static const char *field_text(const char *open, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = open;; at++) {
		if (!strncmp(at, name, n) && at[n] == '=')
			return at + n + 1;
		at += strcspn(at, ",;");
		if (*at != ',')
			return NULL;
	}
}

/* Returns the value of a field. Fields that are 0 are left out of the corpus. */
static uint64_t field(const char *open, const char *name)
{
	const char *text = field_text(open, name);

	return text ? strtoull(text, NULL, 0) : 0;
}

static const char *next_open(const char *open)
{
	const char *end = strchr(open, ';');

	return end ? end + 1 : NULL;
}

/* True if perf opened the event only to find out whether the kernel knows it. */
static bool is_probe(const char *open)
{
	return !field_text(open, "read_format");
}

/*
 * True if the configs are the same. A tracepoint's config is written as its name, because ids
 * differ from kernel to kernel.
 */
static bool same_config(const char *open, const struct event *e)
{
	const char *text = field_text(open, "config");

	if (e->attr.type != PERF_TYPE_TRACEPOINT)
		return e->attr.config == field(open, "config");
	/* A tracepoint that was given by its id has no name here. */
	if (!e->system)
		return true;

	_cleanup_(freep) char *name = xasprintf("%s:%s", e->system, e->tracepoint);

	return text && strcspn(text, ",;") == strlen(name) && !strncmp(text, name, strlen(name));
}

/*
 * True if the values that terms set are the same, as far as record puts them into the attr
 * unchanged.
 */
static bool same_settings(const char *open, const struct event_settings *s)
{
	const struct {
		enum event_setting setting;
		const char *name;
		uint64_t value;
	} want[] = {
		{ EVENT_SETTING_PERIOD, "sample_period", s->period },
		{ EVENT_SETTING_FREQ, "sample_freq", s->freq },
		{ EVENT_SETTING_MAX_STACK, "sample_max_stack", s->max_stack },
		{ EVENT_SETTING_INHERIT, "inherit", s->inherit },
		{ EVENT_SETTING_OVERWRITE, "write_backward", s->overwrite },
		{ EVENT_SETTING_BRANCH_TYPE, "branch_sample_type", s->branch_type },
		{ EVENT_SETTING_AUX_OUTPUT, "aux_output", s->aux_output },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (s->given & 1u << want[i].setting && field(open, want[i].name) != want[i].value)
			return false;
	return true;
}

/* True if the bits that modifiers set are the same. */
static bool same_modes(const char *open, const struct event *e, bool record)
{
	/* For P, record asks for the highest precision, and lowers it while the kernel refuses. */
	unsigned precise = record && e->modifiers.max_precise ? 3 : (unsigned)e->attr.precise_ip;
	const struct {
		const char *name;
		uint64_t value;
	} want[] = {
		{ "exclude_user", e->attr.exclude_user },
		{ "exclude_kernel", e->attr.exclude_kernel },
		{ "exclude_hv", e->attr.exclude_hv },
		{ "exclude_idle", e->attr.exclude_idle },
		{ "exclude_host", e->attr.exclude_host },
		{ "exclude_guest", e->attr.exclude_guest },
		{ "pinned", e->attr.pinned },
		{ "exclusive", e->attr.exclusive },
		{ "precise_ip", precise },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (field(open, want[i].name) != want[i].value)
			return false;
	return true;
}

/* The origin of the opens of a corpus. */
enum opens {
	OPENS_STAT,
	OPENS_RECORD,
	OPENS_TAKEN, /* by stat, on a kernel that refused some and had others weakened */
};

static bool same_open(const char *open, const struct event *e, enum opens kind)
{
	bool breakpoint = e->attr.type == PERF_TYPE_BREAKPOINT && e->attr.bp_len;
	const struct {
		const char *name;
		uint64_t value;
	} want[] = {
		{ "type", e->attr.type },
		{ "bp_type", e->attr.bp_type },
		{ breakpoint ? "bp_addr" : "config1", e->attr.config1 },
		{ breakpoint ? "bp_len" : "config2", e->attr.config2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (field(open, want[i].name) != want[i].value)
			return false;
	if (kind != OPENS_TAKEN && !same_modes(open, e, kind == OPENS_RECORD))
		return false;
	if (kind == OPENS_RECORD && !same_settings(open, &e->settings))
		return false;
	return same_config(open, e);
}

static bool any_open_is(const char *opens, const struct event *e, enum opens kind)
{
	for (const char *open = opens; open; open = next_open(open))
		if (!is_probe(open) && same_open(open, e, kind))
			return true;
	return false;
}

static bool any_event_is(const char *open, const struct event_list *l, enum opens kind)
{
	for (size_t i = 0; i < l->n; i++)
		if (same_open(open, l->items[i], kind))
			return true;
	return false;
}

/*
 * True if each of our events is among their opens, which repeat those that were tried twice, and
 * the other way round.
 */
static bool same_opens(const char *opens, const struct event_list *l, enum opens kind)
{
	for (size_t i = 0; i < l->n && kind != OPENS_TAKEN; i++)
		if (!any_open_is(opens, l->items[i], kind))
			return false;
	for (const char *open = opens; open; open = next_open(open))
		if (!is_probe(open) && !any_event_is(open, l, kind))
			return false;
	return true;
}

/* Counts the events in groups of two or more. */
static size_t count_grouped(const struct event_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		bool leads = i + 1 < l->n && l->items[i + 1]->leader == i;

		n += l->items[i]->leader != i || leads;
	}
	return n;
}

/*
 * True if as many events are in groups as with stat. The leaders are not compared: if events come
 * from a glob, the leader depends on the order of directories. stat also takes some groups apart,
 * but says so.
 */
static bool same_groups(char *const *columns, const struct event_list *l)
{
	size_t theirs = 0;

	if (strstr(columns[MESSAGE], "group"))
		return true;
	for (const char *open = columns[STAT_OPENS]; open; open = next_open(open))
		theirs += (field(open, "read_format") & PERF_FORMAT_GROUP) != 0;
	return theirs == count_grouped(l);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * Joins the names and drops adjacent repetitions: PMUs that count the same are printed as one row.
 */
static char *join_names(char **names, size_t n, bool sorted)
{
	struct text t = TEXT_EMPTY;

	if (sorted)
		qsort(names, n, sizeof(names[0]), compare_names);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(names[i], names[i - 1]))
			text_addf(&t, "%s%s", i ? ";" : "", names[i]);
	return text_take(&t);
}

/*
 * True if the names are the same, without the blanks typed around them. Tracepoints come in the
 * order of a directory, so they are sorted.
 */
static bool same_names(const char *theirs, const struct event_list *l)
{
	_cleanup_(freep) char *copy = xstrdup(theirs);
	char *names[1024];
	size_t n = 0;
	bool sorted = false;

	for (char *name = strtok(copy, ";"); name && n < ARRAY_SIZE(names);
	     name = strtok(NULL, ";")) {
		name += strspn(name, " ");
		for (size_t end = strlen(name); end && name[end - 1] == ' '; end--)
			name[end - 1] = '\0';
		names[n++] = name;
	}
	for (size_t i = 0; i < l->n; i++)
		sorted = sorted || l->items[i]->system;
	_cleanup_(freep) char *want = join_names(names, n, sorted);

	for (n = 0; n < l->n && n < ARRAY_SIZE(names); n++)
		names[n] = l->items[n]->name;
	_cleanup_(freep) char *have = join_names(names, n, sorted);

	return !strcmp(want, have);
}

/*
 * Returns the use to judge by. Expressions that only stat refuses are judged by the verdict, which
 * is record's.
 */
static enum event_use use_of(char *const *columns)
{
	return strstr(columns[MESSAGE], "stat only") ? EVENT_USE_SAMPLING : EVENT_USE_COUNTING;
}

static int parse(char *const *columns, struct event_env *env, enum event_use use,
		 struct event_list *l, struct diag *diag)
{
	const char *text = strcmp(columns[EXPRESSION], "<empty>") ? columns[EXPRESSION] : "";

	return event_list_parse(l, text, env, use, diag);
}

/*
 * True if record opened the same. stat refuses terms about samples, so the text is resolved again
 * for record.
 */
static bool same_recording(char *const *columns, struct event_env *env)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag ignored = { 0 };

	return !columns[RECORD_OPENS][0] ||
	       (parse(columns, env, EVENT_USE_SAMPLING, &l, &ignored) >= 0 &&
		same_opens(columns[RECORD_OPENS], &l, OPENS_RECORD));
}

/*
 * Returns NULL if the result is as in the corpus, else a description of the difference. A crash of
 * perf is not compared.
 */
static const char *judge(char *const *columns, struct event_env *env, bool opened,
			 struct event_list *l, struct diag *diag)
{
	int r = parse(columns, env, use_of(columns), l, diag);
	bool accepted = !strcmp(columns[VERDICT], "accept");

	if (!strcmp(columns[VERDICT], "crash"))
		return NULL;
	if (r < 0 && accepted)
		return "refused, but perf accepts it";
	if (r >= 0 && !accepted)
		return "accepted, but perf refuses it";
	if (r < 0)
		return NULL;
	if (columns[STAT_OPENS][0] &&
	    !same_opens(columns[STAT_OPENS], l, opened ? OPENS_TAKEN : OPENS_STAT))
		return "another attr";
	if (columns[STAT_OPENS][0] && !opened && !same_groups(columns, l))
		return "another group";
	if (!opened && !same_recording(columns, env))
		return "another attr in record";
	if (columns[STAT_NAMES][0] && !same_names(columns[STAT_NAMES], l))
		return "another name";
	return NULL;
}

static void print_difference(char *const *columns, const char *what, const struct event_list *l,
			     const struct diag *diag)
{
	printf("# %s: %s\n", columns[EXPRESSION], what);
	printf("#     perf: %s | %s | %s | %s | %s\n", columns[VERDICT], columns[STAT_OPENS],
	       columns[STAT_NAMES], columns[RECORD_OPENS], columns[MESSAGE]);
	if (diag->message)
		printf("#     ours: %s\n", diag->message);
	for (size_t i = 0; i < l->n; i++) {
		const struct attr *a = &l->items[i]->attr;

		printf("#     ours: type=0x%x,config=0x%" PRIx64 ",config1=0x%" PRIx64
		       ",config2=0x%" PRIx64 ",u%dk%dh%dH%dG%d,precise=%d,leader=%zu '%s'\n",
		       a->type, a->config, a->config1, a->config2, (int)a->exclude_user,
		       (int)a->exclude_kernel, (int)a->exclude_hv, (int)a->exclude_host,
		       (int)a->exclude_guest, (int)a->precise_ip, l->items[i]->leader,
		       l->items[i]->name);
	}
}

static size_t split(char *line, char **columns)
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	while (n < COLUMNS) {
		columns[n++] = line;
		line = strchr(line, '\t');
		if (!line)
			break;
		*line++ = '\0';
	}
	for (size_t i = n; i < COLUMNS; i++)
		columns[i] = "";
	return n;
}

static bool is_exception(const char *exceptions, const char *expression)
{
	_cleanup_(freep) char *line = xasprintf("\n%s\n", expression);

	return strstr(exceptions, line);
}

static char *read_exceptions(const char *path)
{
	_cleanup_(fclosep) FILE *f = path ? fopen(path, "re") : NULL;
	_cleanup_(freep) char *line = NULL;
	struct text t = TEXT_EMPTY;
	size_t room = 0;

	text_add_char(&t, '\n');
	while (f && getline(&line, &room, f) > 0)
		text_add(&t, line);
	return text_take(&t);
}

static void add_tracepoint(const char *root, const char *name, unsigned id)
{
	_cleanup_(freep) char *path = xasprintf("%s/events/%.*s/id", root,
						(int)strcspn(name, ",;\t"), name);

	path[strlen(root) + strlen("/events/") + strcspn(name, ":")] = '/';
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}

	_cleanup_(fclosep) FILE *f = fopen(path, "we");

	if (f)
		fprintf(f, "%u\n", id);
}

/*
 * Makes a tracing directory below @root with every tracepoint of the corpus
 * ("config=sched:sched_switch").
 */
static void make_tracefs(FILE *corpus, const char *root)
{
	static const char config[] = "config=";
	_cleanup_(freep) char *line = NULL;
	_cleanup_(freep) char *events = xasprintf("%s/events", root);
	size_t room = 0;
	unsigned id = 1;

	mkdir(events, 0755);
	while (getline(&line, &room, corpus) > 0) {
		const char *at = strchr(line, '\t');

		while (at && (at = strstr(at, config))) {
			at += strlen(config);
			if (at[strcspn(at, ":,;\t\n")] == ':')
				add_tracepoint(root, at, id++);
		}
	}
	rewind(corpus);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

struct tally {
	size_t passed, excepted, failed;
};

static void compare_all(FILE *corpus, bool opened, struct event_env *env, const char *exceptions,
			struct tally *n)
{
	_cleanup_(freep) char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, corpus) > 0) {
		char *columns[COLUMNS];
		_cleanup_(event_list_done) struct event_list l = { 0 };
		_cleanup_(diag_done) struct diag diag = { 0 };

		if (split(line, columns) < STAT_OPENS)
			continue;

		const char *what = judge(columns, env, opened, &l, &diag);
		bool excepted = is_exception(exceptions, columns[EXPRESSION]);

		if ((what == NULL) == excepted) {
			print_difference(columns,
					 what ? what : "listed as a difference, but there is none",
					 &l, &diag);
			n->failed++;
		} else if (excepted) {
			n->excepted++;
		} else {
			n->passed++;
		}
	}
}

int main(int argc, char **argv)
{
	bool opened = argc > 1 && !strcmp(argv[1], "--opened");
	char **args = argv + 1 + opened;
	int n_args = argc - 1 - opened;
	_cleanup_(fclosep) FILE *corpus = n_args > 1 ? fopen(args[0], "re") : NULL;
	_cleanup_(freep) char *exceptions = read_exceptions(n_args > 2 ? args[2] : NULL);
	char tracing[] = "/tmp/perf-oracle-XXXXXX";
	struct tally n = { 0 };

	if (!corpus || !mkdtemp(tracing)) {
		fprintf(stderr,
			"usage: test-events [--opened] CORPUS.tsv SYSFS-DEVICES [EXCEPTIONS]\n");
		return 2;
	}
	make_tracefs(corpus, tracing);

	struct event_env *env = event_env_new(args[1], tracing);

	compare_all(corpus, opened, env, exceptions, &n);
	event_env_free(env);
	nftw(tracing, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	printf("1..1\n%s 1 - %zu as perf has them, %zu differ on purpose, %zu differ\n",
	       n.failed ? "not ok" : "ok", n.passed, n.excepted, n.failed);
	return n.failed ? 1 : 0;
}
