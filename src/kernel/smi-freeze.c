/* SPDX-License-Identifier: MIT */
#include "kernel/smi-freeze.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

static int open_setting(const char *root, int flags)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/devices/cpu/freeze_on_smi", root);
	int fd = open(path, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int read_setting(const char *root, bool *ret)
{
	_cleanup_(closep) int fd = open_setting(root, O_RDONLY);
	char c;

	if (fd < 0)
		return fd;
	if (read(fd, &c, 1) != 1)
		return -EIO;
	*ret = c != '0';
	return 0;
}

static int write_setting(const char *root, bool on)
{
	_cleanup_(closep) int fd = open_setting(root, O_WRONLY);

	if (fd < 0)
		return fd;
	return write(fd, on ? "1" : "0", 1) == 1 ? 0 : -errno;
}

int smi_freeze_begin(const char *root, struct smi_freeze *ret, struct diag *diag)
{
	bool on;
	int r = read_setting(root, &on);

	if (r < 0) {
		diag_set(diag, -EOPNOTSUPP, "freeze_on_smi is not supported.");
		diag_hint(diag, "Only cores of Intel stop their counters in system management "
				"interrupts.");
		return -EOPNOTSUPP;
	}
	r = on ? 0 : write_setting(root, true);
	if (r < 0) {
		diag_set(diag, r, "Failed to set freeze_on_smi: %s", strerror(-r));
		diag_hint(diag, "It is a setting of the whole machine, which root may change.");
		return r;
	}
	*ret = (struct smi_freeze){ .is_ours = !on };
	return 0;
}

void smi_freeze_end(const char *root, struct smi_freeze *s)
{
	if (s->is_ours)
		(void)write_setting(root, false);
	s->is_ours = false;
}
