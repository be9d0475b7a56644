/* SPDX-License-Identifier: MIT */
#include "tools/push/cgroup-name-work.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

#define ID_DIGITS    64
#define SHOWN_DIGITS 12

static bool push_cgroup_name_ends_with(const char *s, size_t n, const char *end)
{
	size_t k = strlen(end);

	return n > k && !memcmp(s + n - k, end, k);
}

/* The id of a container in a part of a path; NULL: it has none. */
static const char *find_id(const char *s, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	/* "docker-ID.scope", "cri-containerd-ID.scope", "ID" */
	size_t end = push_cgroup_name_ends_with(s, n, ".scope") ? n - strlen(".scope") : n;
	size_t from = end > ID_DIGITS ? end - ID_DIGITS : 0;

	if (end < ID_DIGITS || (from && s[from - 1] != '-') || strspn(s + from, digits) < ID_DIGITS)
		return NULL;
	return s + from;
}

void cgroup_service(struct text *t, const char *path)
{
	const char *found = NULL;
	size_t length = 0;

	for (size_t n; *path; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		if (push_cgroup_name_ends_with(path, n, ".service")) {
			found = path;
			length = n - strlen(".service");
		}
	}
	if (found)
		text_add_bytes(t, found, length);
}

void cgroup_container(struct text *t, const char *path)
{
	const char *found = NULL;

	for (size_t n; *path; path += n + (path[n] == '/')) {
		const char *id;

		n = strcspn(path, "/");
		id = find_id(path, n);
		found = id ? id : found;
	}
	if (found)
		text_add_bytes(t, found, SHOWN_DIGITS);
}
