/* SPDX-License-Identifier: MIT */
#include "kernel/cpuid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

/* MIDR_EL1: implementer, variant, architecture, part number, revision. */
#define MIDR_VARIANT  0x00f00000ull
#define MIDR_REVISION 0x0000000full

static int read_midr(const char *root, unsigned cpu, char **ret)
{
	_cleanup_(freep) char *path = xasprintf(
		"%s/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1", root, cpu);
	_cleanup_(freep) char *line = NULL;
	uint64_t midr;

	if (file_read_line(AT_FDCWD, path, &line) < 0 || number_parse(line, &midr) < 0)
		return -ENOENT;
	midr &= ~(MIDR_VARIANT | MIDR_REVISION);
	*ret = xasprintf("0x%016llx", (unsigned long long)midr);
	return 0;
}

/*
 * Returns the value of the first "name<tabs>: value" line of @text, which the caller frees; or
 * NULL.
 */
static char *cpuid_find_field(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, n) != 0)
			continue;

		const char *colon = line + n + strspn(line + n, " \t");

		if (*colon != ':')
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		return xstrndup(colon, strcspn(colon, "\n"));
	}
	return NULL;
}

static int find_number(const char *text, const char *name, unsigned *ret)
{
	_cleanup_(freep) char *value = cpuid_find_field(text, name);
	uint64_t n;

	if (!value || number_parse(value, &n) < 0 || n > UINT32_MAX)
		return -ENOENT;
	*ret = (unsigned)n;
	return 0;
}

/*
 * Reads the first lines of /proc/cpuinfo, which are enough; the kernel takes a while for all CPUs.
 */
static int read_cpuinfo(const char *root, char text[1024])
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/cpuinfo", root);
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, 1023);

	if (n < 0)
		return -ENOENT;
	text[n] = '\0';
	return 0;
}

static int read_x86(const char *root, bool plain, char **ret)
{
	_cleanup_(freep) char *vendor = NULL;
	unsigned family, model, stepping;
	char text[1024];

	if (read_cpuinfo(root, text) < 0)
		return -ENOENT;
	vendor = cpuid_find_field(text, "vendor_id");
	if (!vendor || find_number(text, "cpu family", &family) < 0 ||
	    find_number(text, "model", &model) < 0 || find_number(text, "stepping", &stepping) < 0)
		return -ENOENT;
	*ret = xasprintf(plain ? "%s,%u,%u,%u" : "%s-%u-%X-%X", vendor, family, model, stepping);
	return 0;
}

int cpuid_read(const char *root, unsigned cpu, char **ret)
{
	const char *forced = getenv("PERF_CPUID");

	if (forced && *forced) {
		*ret = xstrdup(forced);
		return 0;
	}
	return read_midr(root, cpu, ret) == 0 ? 0 : read_x86(root, false, ret);
}

int cpuid_read_plain(const char *root, unsigned cpu, char **ret)
{
	return read_midr(root, cpu, ret) == 0 ? 0 : read_x86(root, true, ret);
}

int cpuid_read_model(const char *root, char **ret)
{
	char text[1024];
	char *name;

	if (read_cpuinfo(root, text) < 0 || !(name = cpuid_find_field(text, "model name")))
		return -ENOENT;
	*ret = name;
	return 0;
}
