/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

const char *library_find(void *library, const struct library_function *fs, size_t n, void *into)
{
	for (size_t i = 0; i < n; i++) {
		/* For dlsym(), NULL is RTLD_DEFAULT: all libraries of the process. */
		void *found = library ? dlsym(library, fs[i].name) : NULL;

		if (!found)
			return fs[i].name;
		memcpy((char *)into + fs[i].at, &found, sizeof(found));
	}
	return NULL;
}
