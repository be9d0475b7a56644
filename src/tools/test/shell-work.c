/* SPDX-License-Identifier: MIT */
#include "tools/test/shell-work.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "tools/test/plan-work.h"

/* The maximum size of a script, and the maximum length of its name. */
#define SCRIPT_MAX     (1u << 20)
#define NAME_MAX_SHOWN 200

static char *name_of_line(const char *line, size_t n, bool *ret_alone)
{
	static const char mark[] = "(exclusive)";
	size_t m = sizeof(mark) - 1;
	struct text t = TEXT_EMPTY;

	while (n && strchr("# \t", *line))
		line++, n--;
	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	*ret_alone = n >= m && !memcmp(line + n - m, mark, m);
	if (*ret_alone)
		for (n -= m; n && line[n - 1] == ' ';)
			n--;
	if (!n)
		return NULL;
	text_add_bytes(&t, line, n < NAME_MAX_SHOWN ? n : NAME_MAX_SHOWN);
	return text_take(&t);
}

char *selftest_script_name(const char *text, bool *ret_alone)
{
	const char *end;

	if (strncmp(text, "#!", 2))
		return NULL;
	while ((end = strchr(text, '\n')) && end[1] == '#') {
		size_t n = strcspn(end + 1, "\n");
		char *name;

		text = end + 1;
		if (memmem(text, n, "SPDX-License-Identifier", 23))
			continue;
		name = name_of_line(text, n, ret_alone);
		if (name)
			return name;
	}
	return NULL;
}

static int is_script(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return d->d_name[0] != '.' && n > 3 && !strcmp(d->d_name + n - 3, ".sh");
}

static void test_shell_add_script(struct selftest_plan *p, const char *path)
{
	_cleanup_(freep) char *text = NULL;
	_cleanup_(freep) char *name = NULL;
	bool alone = false;

	if (access(path, X_OK) < 0 || file_read(AT_FDCWD, path, SCRIPT_MAX, &text, NULL) < 0)
		return;
	name = selftest_script_name(text, &alone);
	if (name)
		selftest_plan_add_script(p, name, path, alone ? SELFTEST_ALONE : 0);
}

void selftest_add_scripts(struct selftest_plan *p, const char *path)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, is_script, alphasort);

	for (int i = 0; i < n; i++) {
		_cleanup_(freep) char *file = xasprintf("%s/%s", path, entries[i]->d_name);

		test_shell_add_script(p, file);
		free(entries[i]);
	}
	free(entries);
}
