/* SPDX-License-Identifier: MIT */
#include "base/cleanup.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

void fclosep(void *file)
{
	FILE *f = *(FILE **)file;

	if (f)
		fclose(f);
}

void closedirp(void *dir)
{
	DIR *d = *(DIR **)dir;

	if (d)
		closedir(d);
}

void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
