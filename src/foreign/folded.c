/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks: `bash;main;read_command;__read 17`. The first frame is the task; functions that
 * end in _[k] are the kernel's, and those that end in _[i] are inlined.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/folded-line.h"
#include "base/text.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

#define SUFFIX_LENGTH 4

struct reading {
	struct stack_profile *profile;
	uint32_t event, images[2]; /* of user space and of the kernel */
	uint32_t last_task;
	struct text name; /* for a copy that ends in a NUL */
};

/* A line whose last word is a count, and that has several frames or at least one blank in between.
 */
static bool is_it(const char *begin, size_t n)
{
	const char *end = memchr(begin, '\n', n);
	size_t length = end ? (size_t)(end - begin) : n;
	uint64_t count;

	if (!end || memchr(begin, '\0', n))
		return false;
	while (length && isspace((unsigned char)begin[length - 1]))
		length--;
	return memchr(begin, ';', length) && folded_take_count(begin, &length, &count);
}

static void set_name(struct reading *r, const char *s, size_t n)
{
	text_clear(&r->name);
	text_add_bytes(&r->name, s, n);
}

static bool take_suffix(struct text *name, const char *suffix)
{
	char *end = name->chars + name->length - SUFFIX_LENGTH;

	if (name->length <= SUFFIX_LENGTH || memcmp(end, suffix, SUFFIX_LENGTH) != 0)
		return false;
	text_filled(name, end);
	return true;
}

/* A task of its own for each name. */
static uint32_t task_of(struct reading *r)
{
	const struct stack_profile *p = r->profile;
	const char *comm = intern_text(&r->profile->texts, r->name.chars);

	if (r->last_task < p->tasks.n && p->tasks.items[r->last_task].comm == comm)
		return r->last_task;
	for (size_t i = 0; i < p->tasks.n; i++)
		if (p->tasks.items[i].comm == comm)
			return r->last_task = (uint32_t)i;

	uint32_t pid = (uint32_t)p->tasks.n + 1;

	return r->last_task = stack_profile_task(r->profile, pid, pid, comm);
}

static uint32_t frame_of(struct reading *r)
{
	bool is_kernel = take_suffix(&r->name, "_[k]");
	bool is_inlined = take_suffix(&r->name, "_[i]");

	if (!is_kernel && !is_inlined && !take_suffix(&r->name, "_[j]"))
		take_suffix(&r->name, "_[w]");
	return stack_profile_function(r->profile, r->images[is_kernel], r->name.chars, is_inlined);
}

static void add_line(struct reading *r, const char *s, size_t n, uint64_t count)
{
	const char *end = s + n, *frame;
	struct profile_weight w = { .event = r->event,
				    .stack = STACK_PROFILE_ROOT,
				    .cpu = UINT32_MAX,
				    .samples = count,
				    .period = count };
	size_t length;

	frame = folded_next_frame(&s, end, &length);
	if (!frame || !count)
		return;
	set_name(r, frame, length);
	w.task = task_of(r);
	while ((frame = folded_next_frame(&s, end, &length))) {
		set_name(r, frame, length);
		w.stack = stack_profile_stack(r->profile, w.stack, frame_of(r));
	}
	stack_profile_add(r->profile, w);
}

static int take_line(struct reading *r, const char *s, size_t n, size_t number, struct diag *diag)
{
	uint64_t count;

	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (!n || *s == '#')
		return 0;
	if (n > FOLDED_LINE_MAX)
		return diag_set(diag, -EBADMSG, "line %zu is too long", number);
	if (memchr(s, '\0', n))
		return diag_set(diag, -EBADMSG, "line %zu has a NUL byte", number);
	if (!folded_take_count(s, &n, &count))
		return diag_set(diag, -EBADMSG, "line %zu does not end in a count", number);
	add_line(r, s, n, count);
	return 0;
}

static int read_folded(const char *bytes, size_t n, struct stack_profile *p, struct diag *diag)
{
	struct reading r = { .profile = p, .name = TEXT_EMPTY };
	const char *end = bytes + n;
	int error = 0;

	r.event = stack_profile_event(p, "samples", false);
	r.images[0] = stack_profile_image(p, STACK_PROFILE_NOWHERE, NULL);
	r.images[1] = stack_profile_image(p, "[kernel.kallsyms]", NULL);
	for (size_t number = 1; bytes < end && error >= 0; number++) {
		const char *next = memchr(bytes, '\n', (size_t)(end - bytes));

		error = take_line(&r, bytes, (size_t)((next ? next : end) - bytes), number, diag);
		bytes = next ? next + 1 : end;
	}
	text_done(&r.name);
	return error;
}

const struct foreign_format format_folded = {
	.name = "folded stacks",
	.is_it = is_it,
	.read = read_folded,
};
