/* SPDX-License-Identifier: MIT */
/*
 * The static libpfm of x86_64 refers to stderr and stdout as a program may, but a shared object may
 * not: by their distance. The linker (--wrap) leads these references to variables of the module.
 */
#include <stdio.h>

#define OWN __attribute__((visibility("hidden")))

extern FILE *__real_stderr, *__real_stdout;
OWN FILE *__wrap_stderr, *__wrap_stdout;

__attribute__((constructor)) static void module_stdio_set(void)
{
	__wrap_stderr = __real_stderr;
	__wrap_stdout = __real_stdout;
}
