/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks: `bash;main;read_command;__read 17`. The first frame is the task. Functions that
 * end in _[k] belong to the kernel, and those that end in _[i] are inlined.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/folded-line.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "foreign/format.h"
#include "foreign/stack-profile.h"

#define SUFFIX_LENGTH 4

struct folded_reading {
	struct stack_profile *profile;
	uint32_t event, images[2]; /* @images: of user space and of the kernel */
	struct u64_map tasks;      /* 1 + the number, by name */
	struct text name;          /* a copy that ends in a NUL */
	size_t n_good, n_bad, first_bad;
	const char *fault; /* error in the first bad line */
};

/*
 * Returns the reason why the @n bytes at @s, without blanks at their end, are not a stack; NULL:
 * they are one.
 */
static const char *find_fault(const char *s, size_t *n, uint64_t *ret_count)
{
	if (*n > FOLDED_LINE_MAX)
		return "it is too long";
	if (memchr(s, '\0', *n))
		return "it has a NUL byte";
	return folded_take_count(s, n, ret_count) ? NULL : "it does not end in a count";
}

static size_t without_blanks(const char *s, size_t n)
{
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

/* The number of lines that decide about the format. */
#define LINES_LOOKED_AT 16

/*
 * True if at least half of the first lines are stacks, and at least one of them has several frames.
 */
static bool folded_is_it(const char *begin, size_t n)
{
	const char *end = begin + n, *next;
	size_t n_good = 0, n_bad = 0;
	bool has_frames = false;
	uint64_t count;

	for (; n_good + n_bad < LINES_LOOKED_AT; begin = next + 1) {
		size_t length;

		next = memchr(begin, '\n', (size_t)(end - begin));
		if (!next)
			break;
		length = without_blanks(begin, (size_t)(next - begin));
		if (!length || *begin == '#')
			continue;
		if (find_fault(begin, &length, &count)) {
			n_bad++;
			continue;
		}
		n_good++;
		has_frames |= memchr(begin, ';', length) != NULL;
	}
	return has_frames && n_good >= n_bad;
}

static void folded_set_name(struct folded_reading *r, const char *s, size_t n)
{
	text_clear(&r->name);
	text_add_bytes(&r->name, s, n);
}

static bool folded_take_suffix(struct text *name, const char *suffix)
{
	char *end = name->chars + name->length - SUFFIX_LENGTH;

	if (name->length <= SUFFIX_LENGTH || memcmp(end, suffix, SUFFIX_LENGTH) != 0)
		return false;
	text_filled(name, end);
	return true;
}

/* Returns the task of a name; each name has a task of its own. */
static uint32_t folded_task_of(struct folded_reading *r)
{
	const char *comm = intern_text(&r->profile->texts, r->name.chars);
	uintptr_t number = (uintptr_t)u64_map_find(&r->tasks, (uintptr_t)comm);
	uint32_t pid = (uint32_t)r->profile->tasks.n + 1;

	if (!number) {
		number = (uintptr_t)stack_profile_task(r->profile, pid, pid, comm) + 1;
		u64_map_put(&r->tasks, (uintptr_t)comm, (void *)number);
	}
	return (uint32_t)number - 1;
}

static uint32_t folded_frame_of(struct folded_reading *r)
{
	bool is_kernel = folded_take_suffix(&r->name, "_[k]");
	bool is_inlined = folded_take_suffix(&r->name, "_[i]");

	if (!is_kernel && !is_inlined && !folded_take_suffix(&r->name, "_[j]"))
		folded_take_suffix(&r->name, "_[w]");
	return stack_profile_function(r->profile, r->images[is_kernel], r->name.chars, is_inlined);
}

static void folded_add_line(struct folded_reading *r, const char *s, size_t n, uint64_t count)
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
	folded_set_name(r, frame, length);
	w.task = folded_task_of(r);
	while ((frame = folded_next_frame(&s, end, &length))) {
		folded_set_name(r, frame, length);
		w.stack = stack_profile_stack(r->profile, w.stack, folded_frame_of(r));
	}
	stack_profile_add(r->profile, w);
}

static void folded_take_line(struct folded_reading *r, const char *s, size_t n, size_t number)
{
	const char *fault;
	uint64_t count;

	n = without_blanks(s, n);
	if (!n || *s == '#')
		return;
	fault = find_fault(s, &n, &count);
	if (!fault) {
		folded_add_line(r, s, n, count);
		r->n_good++;
	} else if (!r->n_bad++) {
		r->first_bad = number;
		r->fault = fault;
	}
}

/* Checks the bad lines, which are left out as long as they are few. */
static int folded_judge(const struct folded_reading *r, struct diag *diag)
{
	if (!r->n_bad)
		return 0;
	if (r->n_bad > r->n_good)
		return diag_set(diag, -EBADMSG, "line %zu is no stack: %s", r->first_bad, r->fault);
	r->profile->remark = xasprintf("%zu of %zu lines are left out: line %zu because %s",
				       r->n_bad, r->n_bad + r->n_good, r->first_bad, r->fault);
	return 0;
}

static int read_folded(const char *bytes, size_t n, struct stack_profile *p, struct diag *diag)
{
	struct folded_reading r = { .profile = p, .name = TEXT_EMPTY };
	const char *end = bytes + n;

	r.event = stack_profile_event(p, "samples", false);
	r.images[0] = stack_profile_image(p, STACK_PROFILE_NOWHERE, NULL);
	r.images[1] = stack_profile_image(p, "[kernel.kallsyms]", NULL);
	for (size_t number = 1; bytes < end; number++) {
		const char *next = memchr(bytes, '\n', (size_t)(end - bytes));

		folded_take_line(&r, bytes, (size_t)((next ? next : end) - bytes), number);
		bytes = next ? next + 1 : end;
	}
	text_done(&r.name);
	u64_map_done(&r.tasks);
	return folded_judge(&r, diag);
}

const struct foreign_format format_folded = {
	.name = "folded stacks",
	.is_it = folded_is_it,
	.read = read_folded,
};
