/* SPDX-License-Identifier: MIT */
#include "event/filter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/filter-internal.h"
#include "tracepoint/format.h"

/*
 * Parses parentheses and negations, then a comparison. The kernel accepts `a == 1 &&` and ignores
 * the operator; here it is an error, because the filter does not have the meaning that its author
 * intended.
 */
static int filter_take_operand(struct filter_parser *p, const char *joint)
{
	for (;; p->at++) {
		p->at = text_skip_blanks(p->at);
		if (*p->at == '(')
			*ARRAY_ADD(&p->open) = p->at;
		else if (*p->at != '!' || p->at[1] == '=' || p->at[1] == '~')
			break;
	}
	if (!*p->at && !joint && !p->open.n)
		return FILTER_REFUSE(p, p->at, 0, "the filter is empty");
	if (!*p->at || *p->at == ')' || filter_starts_with(p->at, "&&") ||
	    filter_starts_with(p->at, "||"))
		return FILTER_REFUSE(p, p->at, 0, "a comparison is expected here");
	return filter_take_comparison(p);
}

static int refuse_joint(const struct filter_parser *p)
{
	size_t length = filter_token_length(p->at);

	if (*p->at == '&' || *p->at == '|')
		return FILTER_REFUSE(p, p->at, 1, "write %c%c to join two comparisons", *p->at,
				     *p->at);
	if (length == 3 && strncasecmp(p->at, "and", 3) == 0)
		return FILTER_REFUSE(p, p->at, length, "write && to join two comparisons");
	if (length == 2 && strncasecmp(p->at, "or", 2) == 0)
		return FILTER_REFUSE(p, p->at, length, "write || to join two comparisons");
	if (strchr("=<>!~", *p->at))
		return FILTER_REFUSE(p, p->at, strspn(p->at, "=<>!~"),
				     "the result of a comparison cannot be compared again");
	return FILTER_REFUSE(p, p->at, length, "&& or || is expected here");
}

/* Parses closing parentheses, then && or ||, or the end: *@ret_joint is NULL. */
static int filter_take_joint(struct filter_parser *p, const char **ret_joint)
{
	for (;; p->at++) {
		p->at = text_skip_blanks(p->at);
		if (*p->at != ')')
			break;
		if (!p->open.n)
			return FILTER_REFUSE(p, p->at, 1, "this ) has no ( before it");
		p->open.n--;
	}
	if (!*p->at && p->open.n)
		return FILTER_REFUSE(p, p->open.items[p->open.n - 1], 1, "this ( is never closed");
	if (*p->at && !filter_starts_with(p->at, "&&") && !filter_starts_with(p->at, "||"))
		return refuse_joint(p);
	*ret_joint = *p->at ? p->at : NULL;
	p->at += *p->at ? 2 : 0;
	return 0;
}

static int filter_take(struct filter_parser *p)
{
	const char *joint = NULL;
	int r;

	do {
		r = filter_take_operand(p, joint);
		if (r >= 0)
			r = filter_take_joint(p, &joint);
	} while (r >= 0 && joint);
	return r;
}

bool filter_is_of_addresses(const char *text)
{
	static const char *const verbs[] = { "filter", "start", "stop", "tracestop" };
	const char *verb = text + strspn(text, " \t\n");
	size_t length = strspn(verb, FILTER_WORD);

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i]) == length && memcmp(verb, verbs[i], length) == 0)
			return true;
	return false;
}

static int check_address_filter(const char *text, struct diag *diag)
{
	const char *verb = text + strspn(text, " \t\n");

	if (filter_is_of_addresses(text))
		return 0;
	diag_mark(diag, -EINVAL, text, (size_t)(verb - text), strspn(verb, FILTER_WORD),
		  "the event is not a tracepoint, so it has no fields to filter by");
	diag_hint(diag, "PMUs that trace take address filters: "
			"filter, start, stop or tracestop, as in 'filter main @ /bin/true'");
	return -EINVAL;
}

int filter_check(const char *text, const struct tracepoint_format *format, struct diag *diag)
{
	struct filter_parser p = { .text = text, .at = text, .format = format, .diag = diag };
	long limit = sysconf(_SC_PAGESIZE);

	if (!format)
		return check_address_filter(text, diag);
	/* PERF_EVENT_IOC_SET_FILTER copies at most a page, including the NUL. */
	if (limit > 0 && strlen(text) >= (size_t)limit)
		return diag_set(
			diag, -EINVAL,
			"the filter is longer than the %ld characters that the kernel takes",
			limit - 1);
	/* ftrace:function compares `ip` with lists of functions, in its own grammar. */
	if (strcmp(format->name, "function") == 0)
		return 0;

	int r = filter_take(&p);

	free(p.open.items);
	return r;
}
