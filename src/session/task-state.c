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
		[TASK_STATE_SLEEPING] = 0x01 | 0x80,
		[TASK_STATE_BLOCKED] = 0x02,
		[TASK_STATE_STOPPED] = 0x04 | 0x08 | 0x40,
		[TASK_STATE_DEAD] = 0x10 | 0x20,
	},
};

/*
 * Adds the flag at @at, the text after the brace of `{ 0x00000001, "S" }`. Letters that show
 * nothing about why a thread waits, such as K (can be killed), are left out. Returns true if it was
 * added.
 */
static bool task_state_add_flag(struct task_states *s, const char *at)
{
	char *end;
	uint64_t bit = strtoull(at, &end, 0);

	if (end == at)
		return false;
	end += strspn(end, " \t,");
	if (end[0] != '"' || !end[1] || end[2] != '"')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
		if (letters[i].letter == end[1]) {
			s->bits[letters[i].state] |= bit;
			return true;
		}
	}
	return false;
}

void task_states_parse(const char *print_fmt, struct task_states *ret)
{
	const char *at = strstr(print_fmt, "__print_flags");
	struct task_states s = { 0 };
	bool any = false;

	for (; at && (at = strchr(at, '{')); at++)
		any |= task_state_add_flag(&s, at + 1);
	*ret = any ? s : usual;
}

enum task_state task_state_of(const struct task_states *s, uint64_t prev_state)
{
	enum task_state state = prev_state ? TASK_STATE_DEAD : TASK_STATE_RUNNABLE;

	while (state > TASK_STATE_RUNNABLE && !(prev_state & s->bits[state]))
		state--;
	return state;
}
