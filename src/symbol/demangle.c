/* SPDX-License-Identifier: MIT */
#include "symbol/demangle.h"

#include <config.h>
#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"

#if HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

/* Longer names are not demangled, because demanglers are recursive. */
#define MANGLED_LENGTH_MAX (32 << 10)

/*
 * Names whose demangled form is longer than this are not demangled either. A name can refer back to
 * parts of itself, so each level of std::pair<T, T> doubles it: 300 characters can stand for
 * gigabytes.
 */
#define PLAIN_LENGTH_MAX (64 << 10)

/* The same bound for D, in characters of the expanded mangled name. */
#define EXPANDED_MAX (1u << 20)

static int hex_digit(char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Demangles an OCaml name: camlStdlib__List__map$27_45 is Stdlib.List.map'_45. */
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
/* The output of a demangler, up to PLAIN_LENGTH_MAX. */
struct plain {
	struct text text;
	jmp_buf too_long;
};

static void demangle_take_plain(const char *chars, size_t n, void *arg)
{
	struct plain *p = arg;

	if (n > PLAIN_LENGTH_MAX - p->text.length)
		longjmp(p->too_long, 1);
	/* An empty identifier of Rust is NULL. */
	if (n)
		text_add_bytes(&p->text, chars, n);
}

typedef int demangler_fn(const char *name, int options, demangle_callbackref take, void *arg);

/*
 * Writes the output of a demangler, which cannot be told to stop. So its output callback leaves it
 * by longjmp(). libiberty promises that the C++ demangler has its memory on the stack; the Rust one
 * may leak the buffer of one Punycode identifier.
 */
static bool write_plain(demangler_fn *demangler, const char *name, int options, struct plain *p)
{
	return setjmp(p->too_long) == 0 && demangler(name, options, demangle_take_plain, p);
}

static char *demangle_by(demangler_fn *demangler, const char *name, int options)
{
	struct plain p = { .text = TEXT_EMPTY };
	char *plain = write_plain(demangler, name, options, &p) ? text_take(&p.text) : NULL;

	text_done(&p.text);
	return plain;
}

/*
 * Returns the distance of a back reference ("Qb", "QBc"): digits of base 26, the last one in lower
 * case. 0: it is no back reference.
 */
static size_t d_back_reference(const char *at)
{
	size_t distance = 0;

	for (at++; *at >= 'A' && *at <= 'Z' && distance <= MANGLED_LENGTH_MAX; at++)
		distance = distance * 26 + (size_t)(*at - 'A');
	return *at >= 'a' && *at <= 'z' ? distance * 26 + (size_t)(*at - 'a') : 0;
}

/*
 * Returns the length of an identifier ("3foo"), or of a type of one letter after prefixes ("Aya":
 * immutable(char)[]). 0: it is something else.
 */
static size_t d_short_length(const char *at)
{
	size_t prefixes = strspn(at, "APOxy");

	if (isdigit((unsigned char)*at)) {
		unsigned long length = strtoul(at, NULL, 10);

		return length < MANGLED_LENGTH_MAX ? length : MANGLED_LENGTH_MAX;
	}
	return at[prefixes] && strchr("vghstiklmfdeopjqrcbauwn", at[prefixes]) ? prefixes + 1 : 0;
}

/*
 * True if a D name has at most EXPANDED_MAX characters once its back references are expanded. Each
 * refers to an identifier or a type, which ends before the reference. Every Q is counted as a back
 * reference, so the real length may be smaller, but never larger.
 */
static bool d_expands_little(const char *name)
{
	size_t length = strlen(name);
	_cleanup_(freep) uint64_t *before = xcalloc(length + 1, sizeof(*before));

	for (size_t i = 0; i < length; i++) {
		size_t back = name[i] == 'Q' ? d_back_reference(name + i) : 0;
		uint64_t size = 0;

		if (back && back <= i) {
			size = d_short_length(name + i - back);
			size = size ? size : before[i] - before[i - back];
		}
		before[i + 1] = before[i] + size + 1;
		if (before[i + 1] > EXPANDED_MAX)
			return false;
	}
	return true;
}

static char *demangle_d(const char *name)
{
	_cleanup_(freep) char *plain = d_expands_little(name) ? dlang_demangle(name, DMGL_DLANG)
							      : NULL;

	return plain && strlen(plain) <= PLAIN_LENGTH_MAX ? TAKE(plain) : NULL;
}

/*
 * Demangles a compiled name. Parameters of C++ and Rust are optional; in D they are part of the
 * name.
 */
static char *demangle_compiled(const char *name, bool parameters)
{
	int options = DMGL_AUTO | (parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);

	if (name[0] != '_' || !name[1] || !strchr("ZRD", name[1]) ||
	    strnlen(name, MANGLED_LENGTH_MAX) == MANGLED_LENGTH_MAX)
		return NULL;
	if (name[1] == 'D')
		return demangle_d(name);

	/* Rust's older names are C++ names that end in a hash. */
	char *plain = demangle_by(rust_demangle_callback, name, options);

	return plain ? plain : demangle_by(cplus_demangle_v3_callback, name, options);
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

/* Demangles the name of a PLT stub, which is that of its function and "@plt". */
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
