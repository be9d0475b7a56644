/* SPDX-License-Identifier: MIT */
#include "symbol/demangle.h"

#include <config.h>
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

#if HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

/* Whoever makes longer names means harm: the demangler is recursive and its output multiplies. */
#define MANGLED_LENGTH_MAX (32 << 10)

static int hex_digit(char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* camlStdlib__List__map$27_45 is Stdlib.List.map'_45. */
static char *demangle_ocaml(const char *name)
{
	static const char prefix[] = "caml";
	size_t n = 0;

	if (strncmp(name, prefix, strlen(prefix)) != 0 || !isupper((unsigned char)name[4]))
		return NULL;
	name += strlen(prefix);

	char *plain = xmalloc(strlen(name) + 1);

	while (*name) {
		if (name[0] == '_' && name[1] == '_') {
			plain[n++] = '.';
			name += 2;
		} else if (name[0] == '$' && isxdigit((unsigned char)name[1]) &&
			   isxdigit((unsigned char)name[2])) {
			plain[n++] = (char)(hex_digit(name[1]) << 4 | hex_digit(name[2]));
			name += 3;
		} else {
			plain[n++] = *name++;
		}
	}
	plain[n] = '\0';
	return plain;
}

#if HAVE_LIBIBERTY
/* C++ and Rust may go without parameters; in D they are part of the name. */
static char *demangle_compiled(const char *name, bool parameters)
{
	if (name[0] != '_' || !name[1] || !strchr("ZRD", name[1]) ||
	    strnlen(name, MANGLED_LENGTH_MAX) == MANGLED_LENGTH_MAX)
		return NULL;
	if (name[1] == 'D')
		return dlang_demangle(name, DMGL_DLANG);
	return cplus_demangle(name, parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
}
#else
static char *demangle_compiled(const char *name, bool parameters)
{
	(void)name, (void)parameters;
	return NULL;
}
#endif

static char *demangle_plain(const char *name, bool parameters)
{
	char *plain = demangle_compiled(name, parameters);

	return plain ? plain : demangle_ocaml(name);
}

/* A call stub is called as its function, "@plt" behind. */
static char *demangle_stub(const char *name, bool parameters)
{
	static const char suffix[] = "@plt";
	size_t length = strlen(name), end = strlen(suffix);

	if (length <= end || strcmp(name + length - end, suffix) != 0)
		return demangle_plain(name, parameters);

	_cleanup_(freep) char *function = xstrndup(name, length - end);
	_cleanup_(freep) char *plain = demangle_plain(function, parameters);

	return plain ? xasprintf("%s%s", plain, suffix) : NULL;
}

char *demangle(const char *name)
{
	return demangle_stub(name, false);
}

char *demangle_with_parameters(const char *name)
{
	return demangle_stub(name, true);
}
