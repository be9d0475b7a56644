/* SPDX-License-Identifier: MIT */
#include "session/task-state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* The letters are those of /proc/PID/stat and ps. */
static const struct {
	char letter;
	enum task_state state;
} letters[] = {
	{ 'S', TASK_STATE_SLEEPING }, { 'I', TASK_STATE_SLEEPING }, { 'D', TASK_STATE_BLOCKED },
	{ 'T', TASK_STATE_STOPPED },  { 't', TASK_STATE_STOPPED },  { 'P', TASK_STATE_STOPPED },
	{ 'X', TASK_STATE_DEAD },     { 'x', TASK_STATE_DEAD },     { 'Z', TASK_STATE_DEAD },
};

static const struct task_states usual = {
	.bits = {
		{ 0x01, TASK_STATE_SLEEPING },
		{ 0x02, TASK_STATE_BLOCKED },
		{ 0x04, TASK_STATE_STOPPED },
		{ 0x08, TASK_STATE_STOPPED },
		{ 0x10, TASK_STATE_DEAD },
		{ 0x20, TASK_STATE_DEAD },
		{ 0x40, TASK_STATE_STOPPED },
		{ 0x80, TASK_STATE_SLEEPING },
	},
	.n = 8,
};

/*
 * Adds the flag at @at, the text after the brace of `{ 0x00000001, "S" }`. Letters that show
 * nothing about why a thread waits, such as K (can be killed), are left out.
 */
static void task_state_add_flag(struct task_states *s, const char *at)
{
	char *end;
	uint64_t bit = strtoull(at, &end, 0);

	if (end == at || s->n == TASK_STATE_BITS_MAX)
		return;
	end += strspn(end, " \t,");
	if (end[0] != '"' || !end[1] || end[2] != '"')
		return;
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (letters[i].letter == end[1])
			s->bits[s->n++] = (struct task_state_bit){ bit, letters[i].state };
}

void task_states_parse(const char *print_fmt, struct task_states *ret)
{
	const char *at = strstr(print_fmt, "__print_flags");
	struct task_states s = { .n = 0 };

	for (; at && (at = strchr(at, '{')); at++)
		task_state_add_flag(&s, at + 1);
	*ret = s.n ? s : usual;
}

enum task_state task_state_of(const struct task_states *s, uint64_t prev_state)
{
	enum task_state state = TASK_STATE_RUNNABLE;

	for (size_t i = 0; i < s->n; i++)
		if (prev_state & s->bits[i].bit && s->bits[i].state > state)
			state = s->bits[i].state;
	return state;
}
