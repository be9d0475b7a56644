/* SPDX-License-Identifier: MIT */
#include "kernel/kernel-notes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "elf/build-id.h"

#define NOTES_SIZE_MAX (1 << 20)

static int read_notes(const char *path, struct build_id *ret)
{
	_cleanup_(freep) char *notes = NULL;
	size_t size;
	int r = file_read(AT_FDCWD, path, NOTES_SIZE_MAX, &notes, &size);

	return r < 0 ? r : build_id_from_notes(notes, size, ret);
}

int build_id_of_kernel(struct build_id *ret)
{
	return read_notes("/sys/kernel/notes", ret);
}

int build_id_of_module(const char *name, struct build_id *ret)
{
	_cleanup_(freep) char *path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", name);

	return strchr(name, '/') ? -EINVAL : read_notes(path, ret);
}
