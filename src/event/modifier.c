/* SPDX-License-Identifier: MIT */
#include "event/modifier.h"

#include <errno.h>
#include <string.h>

#include "wire/attr.h"

#define PRECISE_MAX 3

bool modifier_is_letter(char c)
{
	return c && strchr(MODIFIER_LETTERS, c);
}

/*
 * Excludes all modes. u, k and h are exclusive: the first one given excludes everything, and each
 * includes its own mode.
 */
static void exclude_all_modes(struct attr *attr, struct modifier_state *s)
{
	if (s->excludes_set)
		return;
	attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
	s->excludes_set = true;
}

/* Does the same for host and guest. */
static void exclude_all_worlds(struct attr *attr, struct modifier_state *s)
{
	if (s->host_or_guest)
		return;
	attr->exclude_host = attr->exclude_guest = 1;
	s->host_or_guest = true;
}

static int event_modifier_apply(char letter, bool leader, struct attr *attr,
				struct modifier_state *s)
{
	switch (letter) {
	case 'u':
		exclude_all_modes(attr, s);
		/* A guest's user mode does not belong to the user's program. */
		if (!s->host_or_guest && !s->guests_too)
			attr->exclude_guest = 1;
		attr->exclude_user = 0;
		break;
	case 'k':
		exclude_all_modes(attr, s);
		attr->exclude_kernel = 0;
		break;
	case 'h':
		exclude_all_modes(attr, s);
		attr->exclude_hv = 0;
		break;
	case 'G':
		exclude_all_worlds(attr, s);
		attr->exclude_guest = 0;
		break;
	case 'H':
		exclude_all_worlds(attr, s);
		attr->exclude_host = 0;
		break;
	case 'I':
		attr->exclude_idle = 1;
		break;
	case 'p':
		if (attr->precise_ip == PRECISE_MAX)
			return -EINVAL;
		attr->precise_ip++;
		/* Precise events cannot be counted in guests. */
		if (!s->host_or_guest)
			attr->exclude_guest = 1;
		break;
	case 'P':
		s->max_precise = true;
		break;
	case 'S':
		s->sample_read = true;
		break;
	case 'D':
		if (leader)
			attr->pinned = 1;
		break;
	case 'e':
		if (leader)
			attr->exclusive = 1;
		break;
	case 'W':
		s->weak_group = true;
		break;
	case 'b':
		s->bpf_counter = true;
		break;
	case 'R':
		s->latency = true;
		break;
	case 'X':
		/* The event stays in the group in which it was typed, as all events do. */
		break;
	}
	return 0;
}

static int modifier_apply_all(const char *letters, bool leader, struct attr *attr,
			      struct modifier_state *s, const char **ret_bad)
{
	for (const char *c = letters; *c; c++) {
		bool twice = *c != 'p' && memchr(letters, *c, (size_t)(c - letters));

		if (twice || !modifier_is_letter(*c) ||
		    event_modifier_apply(*c, leader, attr, s) < 0) {
			*ret_bad = c;
			return -EINVAL;
		}
	}
	return 0;
}

int modifier_apply(const char *letters, struct attr *attr, struct modifier_state *state,
		   const char **ret_bad)
{
	/* Any letter cancels the default of excluding guests; u, p and H restore it. */
	if (letters[0])
		attr->exclude_guest = attr->exclude_host = 0;
	return modifier_apply_all(letters, true, attr, state, ret_bad);
}

int modifier_apply_group(const char *letters, bool leader, struct attr *attr,
			 struct modifier_state *state, const char **ret_bad)
{
	/* After u, k and h together nothing is excluded: a group's letters start again. */
	state->excludes_set = attr->exclude_user | attr->exclude_kernel | attr->exclude_hv;
	return modifier_apply_all(letters, leader, attr, state, ret_bad);
}
