/* SPDX-License-Identifier: MIT */
#include "kernel/proc-maps.h"

#include <string.h>
#include <sys/mman.h>

struct proc_maps_line {
	const char *at, *end;
};

static unsigned proc_maps_digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/*
 * Takes digits of @base up to @stop, which is taken too. There are tens of thousands of lines on a
 * busy machine, so strtoull() is not used.
 */
static bool proc_maps_take_number(struct proc_maps_line *l, unsigned base, char stop, uint64_t *ret)
{
	const char *from = l->at;
	uint64_t v = 0;

	for (; l->at < l->end && proc_maps_digit_of(*l->at) < base; l->at++)
		v = v * base + proc_maps_digit_of(*l->at);
	if (l->at == from || l->at == l->end || *l->at != stop)
		return false;
	l->at++;
	*ret = v;
	return true;
}

/* Reads the permissions: "rwxp ". */
static bool take_permissions(struct proc_maps_line *l, struct proc_map *m)
{
	const char *p = l->at;

	if (l->end - p < 5 || p[4] != ' ')
		return false;
	m->prot = (p[0] == 'r' ? PROT_READ : 0U) | (p[1] == 'w' ? PROT_WRITE : 0U) |
		  (p[2] == 'x' ? PROT_EXEC : 0U);
	m->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	l->at += 5;
	return true;
}

static bool proc_maps_parse(struct proc_maps_line l, struct proc_map *ret)
{
	struct proc_map m = { 0 };
	uint64_t maj, min;

	if (!proc_maps_take_number(&l, 16, '-', &m.start) ||
	    !proc_maps_take_number(&l, 16, ' ', &m.end) || !take_permissions(&l, &m) ||
	    !proc_maps_take_number(&l, 16, ' ', &m.pgoff) ||
	    !proc_maps_take_number(&l, 16, ':', &maj) ||
	    !proc_maps_take_number(&l, 16, ' ', &min) ||
	    !proc_maps_take_number(&l, 10, ' ', &m.ino) || m.end < m.start)
		return false;
	m.maj = (uint32_t)maj;
	m.min = (uint32_t)min;
	while (l.at < l.end && *l.at == ' ')
		l.at++;
	m.name = l.at;
	m.name_length = (size_t)(l.end - l.at);
	*ret = m;
	return true;
}

bool proc_maps_next(const char **text, size_t *length, struct proc_map *ret)
{
	while (*length) {
		const char *newline = memchr(*text, '\n', *length);
		struct proc_maps_line l = { *text, newline ? newline : *text + *length };
		size_t taken = (size_t)(l.end - l.at) + (newline != NULL);

		*text += taken;
		*length -= taken;
		if (proc_maps_parse(l, ret))
			return true;
	}
	return false;
}
