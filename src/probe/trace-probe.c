/* SPDX-License-Identifier: MIT */
#include "probe/trace-probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

static void trace_arg_done(struct trace_arg *a)
{
	free(a->name);
	free(a->value);
	free(a->type);
}

void trace_probe_done(struct trace_probe *p)
{
	for (size_t i = 0; i < p->n_args; i++)
		trace_arg_done(&p->args[i]);
	free(p->args);
	free(p->group);
	free(p->event);
	free(p->path);
	free(p->module);
	free(p->symbol);
	free(p->where);
}

void trace_probes_done(struct trace_probes *l)
{
	for (size_t i = 0; i < l->n; i++)
		trace_probe_done(&l->items[i]);
	free(l->items);
}

struct trace_probe *trace_probes_add(struct trace_probes *l)
{
	return ARRAY_ADD(l);
}

struct trace_arg *trace_probe_add_arg(struct trace_probe *p)
{
	p->args = array_reserve(p->args, &p->args_room, p->n_args + 1, sizeof(p->args[0]));
	p->args[p->n_args] = (struct trace_arg){ 0 };
	return &p->args[p->n_args++];
}

static void trace_probe_add_place(struct text *t, const struct trace_probe *p)
{
	if (p->is_user) {
		text_addf(t, "%s:0x%llx", p->path, (unsigned long long)p->offset);
		if (p->counter)
			text_addf(t, "(0x%llx)", (unsigned long long)p->counter);
		return;
	}
	if (p->module)
		text_addf(t, "%s:", p->module);
	if (p->symbol)
		text_addf(t, "%s+%llu", p->symbol, (unsigned long long)p->offset);
	else
		text_addf(t, "0x%llx", (unsigned long long)p->offset);
}

char *trace_probe_text(const struct trace_probe *p)
{
	struct text t = TEXT_EMPTY;

	text_add_char(&t, p->is_return ? 'r' : 'p');
	if (p->max_active)
		text_addf(&t, "%u", p->max_active);
	if (p->group && p->event)
		text_addf(&t, ":%s/%s", p->group, p->event);
	text_add_char(&t, ' ');
	trace_probe_add_place(&t, p);
	for (size_t i = 0; i < p->n_args; i++) {
		const struct trace_arg *a = &p->args[i];

		text_addf(&t, " %s%s%s%s%s", a->name ? a->name : "", a->name ? "=" : "", a->value,
			  a->type ? ":" : "", a->type ? a->type : "");
	}
	return text_take(&t);
}

/* Takes the next word of *@at, which moves past it; NULL: there is none. The caller frees it. */
static char *trace_probe_take_word(const char **at)
{
	const char *start = *at + strspn(*at, " \t");
	size_t n = strcspn(start, " \t\n");

	*at = start + n;
	return n ? xstrndup(start, n) : NULL;
}

/* Parses the head of a definition: p:GROUP/EVENT or r16:GROUP/EVENT. */
static int parse_head(const char *word, struct trace_probe *p)
{
	char *end;

	if (*word != 'p' && *word != 'r')
		return -EINVAL;
	p->is_return = *word == 'r';
	p->max_active = (unsigned)strtoul(word + 1, &end, 10);
	if (*end != ':')
		return -EINVAL;

	const char *group = end + 1, *slash = strchr(group, '/');

	if (!slash || slash == group || !slash[1] || strchr(slash + 1, '/'))
		return -EINVAL;
	p->group = xstrndup(group, (size_t)(slash - group));
	p->event = xstrdup(slash + 1);
	return 0;
}

/* Parses PATH:0xOFFSET[(0xCOUNTER)]; the path may have colons. */
static int parse_user_place(char *word, struct trace_probe *p)
{
	char *colon = strrchr(word, ':');
	char *counter = colon ? strchr(colon, '(') : NULL;

	if (!colon || colon == word)
		return -EINVAL;
	*colon = '\0';
	if (counter) {
		size_t n = strlen(counter);

		if (counter[n - 1] != ')')
			return -EINVAL;
		counter[n - 1] = '\0';
		*counter = '\0';
		if (number_parse(counter + 1, &p->counter) < 0)
			return -EINVAL;
	}
	p->path = xstrdup(word);
	return number_parse(colon + 1, &p->offset);
}

/* Parses [MODULE:]SYMBOL[+OFFSET], or an address. */
static int parse_kernel_place(char *word, struct trace_probe *p)
{
	char *colon = strchr(word, ':');
	char *symbol = colon ? colon + 1 : word;
	char *plus = strrchr(symbol, '+');

	if (colon == word || !*symbol || plus == symbol)
		return -EINVAL;
	if (colon)
		p->module = xstrndup(word, (size_t)(colon - word));
	if (!strncmp(symbol, "0x", 2))
		return number_parse(symbol, &p->offset);
	p->symbol = xstrndup(symbol, plus ? (size_t)(plus - symbol) : strlen(symbol));
	return plus ? number_parse(plus + 1, &p->offset) : 0;
}

/*
 * Parses [NAME=]VALUE[:TYPE]. The first '=' and the first ':' separate the parts, as in
 * traceprobe_parse_probe_arg().
 */
static int parse_arg(const char *word, struct trace_probe *p)
{
	const char *equals = strchr(word, '=');
	const char *value = equals ? equals + 1 : word;
	size_t n = strcspn(value, ":");

	if (equals == word || !n)
		return -EINVAL;

	struct trace_arg *a = trace_probe_add_arg(p);

	a->name = equals ? xstrndup(word, (size_t)(equals - word)) : NULL;
	a->value = xstrndup(value, n);
	a->type = value[n] && value[n + 1] ? xstrdup(value + n + 1) : NULL;
	return 0;
}

static int trace_probe_parse_line(const char *line, struct trace_probe *p)
{
	_cleanup_(freep) char *head = trace_probe_take_word(&line);
	_cleanup_(freep) char *place = trace_probe_take_word(&line);
	char *word;
	int r;

	if (!head || !place)
		return -EINVAL;
	r = parse_head(head, p);
	if (r >= 0)
		r = p->is_user ? parse_user_place(place, p) : parse_kernel_place(place, p);
	while (r >= 0 && (word = trace_probe_take_word(&line))) {
		r = parse_arg(word, p);
		free(word);
	}
	return r;
}

int trace_probe_parse(const char *line, bool is_user, struct trace_probe *ret)
{
	struct trace_probe p = { .is_user = is_user };
	int r = trace_probe_parse_line(line, &p);

	if (r < 0) {
		trace_probe_done(&p);
		return -EINVAL;
	}
	*ret = p;
	return 0;
}
