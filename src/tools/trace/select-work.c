/* SPDX-License-Identifier: MIT */
#include "tools/trace/select-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/similar.h"
#include "event/env.h"
#include "event/event.h"
#include "measure/bpf-events.h"

/* The names in one -e. */
struct trace_select_named {
	uint64_t *calls[SYSCALL_N_ABIS];
	bool has_calls;
	uint64_t *left_out[SYSCALL_N_ABIS]; /* excluded by a '!' of their own */
	bool leaves_out;
	size_t first_event; /* index in the words of the selection; the rest belongs to it */
	bool has_events;
};

static size_t trace_select_words_of(unsigned abi)
{
	return syscall_count(abi) / 64 + 1;
}

static void make_sets(uint64_t *sets[SYSCALL_N_ABIS])
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		sets[abi] = xcalloc(trace_select_words_of(abi), sizeof(*sets[abi]));
}

static void free_sets(uint64_t *sets[SYSCALL_N_ABIS])
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		free(sets[abi]);
}

static void add_set(uint64_t *to[SYSCALL_N_ABIS], uint64_t *const from[SYSCALL_N_ABIS])
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		for (size_t i = 0; i < trace_select_words_of(abi); i++)
			to[abi][i] |= from[abi][i];
}

static void remove_set(uint64_t *from[SYSCALL_N_ABIS], uint64_t *const what[SYSCALL_N_ABIS])
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		for (size_t i = 0; i < trace_select_words_of(abi); i++)
			from[abi][i] &= ~what[abi][i];
}

static void fill_sets(uint64_t *sets[SYSCALL_N_ABIS])
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		memset(sets[abi], 0xff, trace_select_words_of(abi) * sizeof(*sets[abi]));
}

bool trace_set_has(uint64_t *const wanted[SYSCALL_N_ABIS], unsigned abi, int32_t nr)
{
	if (!wanted[0])
		return true;
	if (abi >= SYSCALL_N_ABIS || nr < 0 || (unsigned)nr >= 64 * trace_select_words_of(abi))
		return false;
	return wanted[abi][nr / 64] >> (nr % 64) & 1;
}

static bool name_matches(const char *word, const char *name)
{
	return glob_is_pattern(word) ? glob_matches(word, name) : !strcmp(word, name);
}

static void trace_select_add_number(uint64_t *set, unsigned nr)
{
	set[nr / 64] |= UINT64_C(1) << (nr % 64);
}

/* Adds the calls of @abi that @word means. False: there are none. */
static bool add_calls_of(uint64_t *set, unsigned abi, const char *word, unsigned group)
{
	int other = group ? -ENOENT : syscall_number(abi, word);
	bool found = other >= 0;

	if (found)
		trace_select_add_number(set, (unsigned)other);
	for (unsigned nr = 0; nr < syscall_count(abi); nr++) {
		const struct syscall_desc *d = syscall_find(abi, nr);

		if (!d || !(group ? d->groups & group : name_matches(word, d->name)))
			continue;
		trace_select_add_number(set, nr);
		found = true;
	}
	return found;
}

static bool add_calls(uint64_t *sets[SYSCALL_N_ABIS], const char *word)
{
	unsigned group = syscall_group_of(word);
	bool found = false;

	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		found |= add_calls_of(sets[abi], abi, word, group);
	return found;
}

/* Reports that @word, at @offset of @list, is neither a call nor a group. */
static int refuse_call(const char *list, size_t offset, const char *word, struct diag *diag)
{
	static const char *const groups[] = { "file",    "desc",   "network", "memory",
					      "process", "signal", "ipc" };
	struct similar near = { .typed = word };
	_cleanup_(freep) char *phrase = NULL;

	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		for (unsigned nr = 0; nr < syscall_count(abi); nr++)
			if (syscall_find(abi, nr))
				similar_add(&near, syscall_find(abi, nr)->name);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		similar_add(&near, groups[i]);
	phrase = similar_phrase(&near);
	diag_mark(diag, -EINVAL, list, offset, strlen(word),
		  "'%s' is neither a system call nor an event", word);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "Groups of calls are file, desc, network, memory, process, signal and ipc; "
			"'perf list' shows the events.");
	return -EINVAL;
}

/* Returns the length of the first item of @list. Commas between slashes or braces do not end it. */
static size_t item_length(const char *list)
{
	bool in_slashes = false;
	int depth = 0;
	size_t n = 0;

	for (; list[n]; n++) {
		if (list[n] == '/')
			in_slashes = !in_slashes;
		else if (list[n] == '{')
			depth++;
		else if (list[n] == '}')
			depth--;
		else if (list[n] == ',' && !in_slashes && depth <= 0)
			break;
	}
	return n;
}

/*
 * True if @word contains a character that names of calls never contain, but names of events often
 * do.
 */
static bool must_be_event(const char *word)
{
	return strpbrk(word, ":/{@") != NULL;
}

static void trace_select_add_word(struct trace_selection *s, enum event_word_kind kind,
				  const char *text)
{
	char *copy = xstrdup(text);

	*ARRAY_ADD(&s->texts) = copy;
	event_words_add(&s->events, kind, copy);
}

/*
 * True for software events that count page faults or context switches. Each occurrence is to be
 * shown, instead of the default of 4000 a second. The clocks are not such events.
 */
static bool counts_occurrences(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config != PERF_COUNT_SW_CPU_CLOCK &&
	       e->attr.config != PERF_COUNT_SW_TASK_CLOCK;
}

/*
 * Adds the event @word, which has neither a colon nor a slash, like `page-faults`. False: there is
 * no such event.
 */
static bool add_plain_event(struct trace_selection *s, const char *word)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };
	_cleanup_(freep) char *each = xasprintf("%s/period=1,name=%s/", word, word);

	/* BPF programs become events when they are loaded. */
	event_env_set_programs(env, bpf_events_pass, NULL);
	if (event_list_parse(&l, word, env, EVENT_USE_SAMPLING, &why) < 0)
		return false;
	trace_select_add_word(s, EVENT_WORD_EVENT,
			      l.n && counts_occurrences(l.items[0]) ? each : word);
	return true;
}

static int trace_select_take_event(struct trace_selection *s, struct trace_select_named *n,
				   const char *list, size_t offset, const char *word,
				   struct diag *diag)
{
	if (must_be_event(word))
		trace_select_add_word(s, EVENT_WORD_EVENT, word);
	else if (!add_plain_event(s, word))
		return refuse_call(list, offset, word, diag);
	n->has_events = true;
	if (offset && list[offset - 1] == '!')
		return diag_mark(diag, -EINVAL, list, offset, strlen(word),
				 "'!' leaves out system calls, and '%s' is an event", word);
	return 0;
}

/* Takes the item of @length characters at @offset of @list. */
static int trace_select_take_item(struct trace_selection *s, struct trace_select_named *n,
				  const char *list, size_t offset, size_t length, struct diag *diag)
{
	bool left_out = length && list[offset] == '!';
	_cleanup_(freep) char *word = xstrndup(list + offset + left_out, length - left_out);

	if (!*word)
		return diag_mark(diag, -EINVAL, list, offset, length, "a name is missing");
	if (must_be_event(word) || !add_calls(left_out ? n->left_out : n->calls, word))
		return trace_select_take_event(s, n, list, offset + left_out, word, diag);
	n->has_calls |= !left_out;
	n->leaves_out |= left_out;
	return 0;
}

static int take_list(struct trace_selection *s, struct trace_select_named *n, const char *list,
		     size_t offset, struct diag *diag)
{
	int r = 0;

	for (;;) {
		size_t length = item_length(list + offset);

		r = trace_select_take_item(s, n, list, offset, length, diag);
		offset += length;
		if (r < 0 || !list[offset])
			return r;
		offset++;
	}
}

/* Begins the set of chosen calls, if there is none yet: it is empty, or contains all calls. */
static void begin_set(struct trace_selection *s, bool with_all)
{
	if (s->wanted[0])
		return;
	make_sets(s->wanted);
	if (with_all)
		fill_sets(s->wanted);
}

static void trace_select_choose_calls(struct trace_selection *s, const struct trace_select_named *n,
				      bool all_but)
{
	if (n->has_calls) {
		begin_set(s, all_but);
		if (all_but)
			remove_set(s->wanted, n->calls);
		else
			add_set(s->wanted, n->calls);
	}
	if (n->leaves_out) {
		begin_set(s, true);
		remove_set(s->wanted, n->left_out);
	}
}

/* Takes an expression. "!list" means all calls except these. strace's "trace=" may precede it. */
static int trace_select_take_expression(struct trace_selection *s, struct trace_select_named *n,
					const char *text, struct diag *diag)
{
	size_t offset = strncmp(text, "trace=", 6) ? 0 : 6;
	bool all_but = text[offset] == '!';
	int r = take_list(s, n, text, offset + all_but, diag);

	if (r < 0)
		return r;
	if (all_but && n->has_events)
		return diag_mark(diag, -EINVAL, text, offset, 1,
				 "'!' leaves out system calls, and there are events in the list");
	trace_select_choose_calls(s, n, all_but);
	/* A filter after it applies to the remaining calls. */
	if (all_but)
		for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
			memcpy(n->calls[abi], s->wanted[abi],
			       trace_select_words_of(abi) * sizeof(uint64_t));
	return 0;
}

/* Adds the filter after each event of the preceding -e. */
static void filter_events(struct trace_selection *s, const struct trace_select_named *n,
			  const char *text)
{
	struct event_words before = s->events;

	s->events = (struct event_words){ 0 };
	for (size_t i = 0; i < before.n; i++) {
		event_words_add(&s->events, before.items[i].kind, before.items[i].text);
		if (i >= n->first_event && before.items[i].kind == EVENT_WORD_EVENT)
			trace_select_add_word(s, EVENT_WORD_FILTER, text);
	}
	event_words_done(&before);
}

/* Takes a filter, which applies to the events and the calls of the preceding -e. */
static int trace_select_take_filter(struct trace_selection *s, const struct trace_select_named *n,
				    const char *text, struct diag *diag)
{
	struct trace_call_filter *f;

	if (!n->has_calls && !n->has_events) {
		diag_set(diag, -EINVAL, "--filter should follow a -e that names calls or events");
		diag_hint(diag, "-e openat --filter 'filename ~ \"/etc/*\"'");
		return -EINVAL;
	}
	if (n->has_events)
		filter_events(s, n, text);
	if (!n->has_calls)
		return 0;
	f = ARRAY_ADD(&s->filters);
	f->text = text;
	make_sets(f->wanted);
	add_set(f->wanted, n->calls);
	return 0;
}

static void trace_select_take_cgroup(struct trace_selection *s, const char *text)
{
	if (!event_words_have(&s->events, EVENT_WORD_EVENT))
		s->cgroup = text;
	trace_select_add_word(s, EVENT_WORD_CGROUP, text);
}

static void named_init(struct trace_select_named *n, size_t first_event)
{
	*n = (struct trace_select_named){ .first_event = first_event };
	make_sets(n->calls);
	make_sets(n->left_out);
}

static void named_done(struct trace_select_named *n)
{
	free_sets(n->calls);
	free_sets(n->left_out);
}

static int trace_select_take_words(struct trace_selection *s, const struct event_words *typed,
				   struct diag *diag)
{
	struct trace_select_named n;
	int r = 0;

	named_init(&n, 0);
	for (size_t i = 0; i < typed->n && r >= 0; i++) {
		const struct event_word *w = &typed->items[i];

		if (w->kind == EVENT_WORD_EVENT) {
			named_done(&n);
			named_init(&n, s->events.n);
			r = trace_select_take_expression(s, &n, w->text, diag);
		} else if (w->kind == EVENT_WORD_FILTER) {
			r = trace_select_take_filter(s, &n, w->text, diag);
		} else if (w->kind == EVENT_WORD_CGROUP) {
			trace_select_take_cgroup(s, w->text);
		}
	}
	named_done(&n);
	return r;
}

int trace_select(const struct event_words *typed, enum choice takes_calls,
		 struct trace_selection *ret, struct diag *diag)
{
	struct trace_selection s = { 0 };
	int r = trace_select_take_words(&s, typed, diag);

	s.names_calls = s.wanted[0] != NULL;
	s.takes_calls = takes_calls == CHOICE_UNSAID
				? s.names_calls || !event_words_have(&s.events, EVENT_WORD_EVENT)
				: takes_calls == CHOICE_YES;
	if (r < 0) {
		trace_selection_done(&s);
		return r;
	}
	*ret = s;
	return 0;
}

void trace_selection_done(struct trace_selection *s)
{
	free_sets(s->wanted);
	for (size_t i = 0; i < s->filters.n; i++)
		free_sets(s->filters.items[i].wanted);
	free(s->filters.items);
	event_words_done(&s->events);
	for (size_t i = 0; i < s->texts.n; i++)
		free(s->texts.items[i]);
	free(s->texts.items);
	*s = (struct trace_selection){ 0 };
}
