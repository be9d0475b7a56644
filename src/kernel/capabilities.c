/* SPDX-License-Identifier: MIT */
#include "kernel/capabilities.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

bool capabilities_are_lent(void)
{
	/* Also set for a set-user-id program, whose rights are lent as well. */
	return getauxval(AT_SECURE) && getuid() != 0;
}

int capabilities_drop(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (!capabilities_are_lent())
		return 0;
	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

/* Appends @path as one word of a shell. */
static void capabilities_add_quoted(struct text *t, const char *path)
{
	if (!path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			       "/._+-")]) {
		text_add(t, path);
		return;
	}
	text_add(t, "'");
	for (; *path; path++) {
		if (*path == '\'')
			text_add(t, "'\\''");
		else
			text_addf(t, "%c", *path);
	}
	text_add(t, "'");
}

char *capabilities_advice(const char *capabilities)
{
	_cleanup_(text_done) struct text program = TEXT_EMPTY;
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n > 0)
		path[n] = '\0';
	capabilities_add_quoted(&program, n > 0 ? path : "PROGRAM");
	return xasprintf("sudo groupadd -f perf_users; sudo chown root:perf_users %s; "
			 "sudo chmod 750 %s; sudo setcap %s=ep %s; "
			 "sudo usermod -aG perf_users \"$USER\" # and log in again",
			 program.chars, program.chars, capabilities, program.chars);
}
