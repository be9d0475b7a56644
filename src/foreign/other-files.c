/* SPDX-License-Identifier: MIT */
#include "foreign/other-files.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"

/* The number of bytes in which the key of a JSON file is searched. */
#define LOOKED_AT 4096

struct other_file {
	const char *begin; /* the first bytes */
	size_t length;     /* length of @begin, if it contains NULs */
	const char *key;   /* instead of @begin: a key in the first bytes of JSON */
	const char *what;  /* "It is ..." */
	/*
	 * The next step, before and after the file's name; without @behind the name is not shown.
	 */
	const char *advice, *behind;
};

/* A CPU profile of gperftools begins with five words of 64 bits, of which three are known. */
#define LEGACY_CPU "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

#define GO_CONVERTS                                                                                \
	.advice = "To convert it: go tool pprof -proto PROGRAM ", .behind = " >profile.pb.gz"

static const struct other_file others[] = {
	{ .begin = "SQLite format 3",
	  .what = "a SQLite database",
	  .advice = "What perf push wrote is read by: -i sqlite:",
	  .behind = "" },
	{ .begin = LEGACY_CPU,
	  .length = sizeof(LEGACY_CPU) - 1,
	  .what = "a CPU profile of gperftools",
	  GO_CONVERTS },
	{ .begin = "heap profile:",
	  .what = "a heap profile as text, of gperftools or Go",
	  GO_CONVERTS },
	{ .begin = "--- mutex:", .what = "a profile of mutexes as text, of Go", GO_CONVERTS },
	{ .begin = "--- contention:", .what = "a profile of blocking as text, of Go", GO_CONVERTS },
	{ .begin = "goroutine profile:",
	  .what = "a profile of goroutines as text, of Go",
	  GO_CONVERTS },
	{ .begin = "FLR",
	  .length = 4,
	  .what = "a recording of Java's Flight Recorder",
	  .advice = "The converter of async-profiler writes pprof: jfrconv -o pprof ",
	  .behind = " profile.pb.gz" },
	{ .begin = "gmon",
	  .what = "a profile of gprof",
	  .advice = "To read it: gprof PROGRAM ",
	  .behind = "" },
	{ .begin = "# callgrind format",
	  .what = "a profile of Callgrind",
	  .advice = "To read it: callgrind_annotate ",
	  .behind = "" },
	{ .begin = "\x28\xb5\x2f\xfd",
	  .what = "packed by zstd",
	  .advice = "Unpack it first: zstd -d ",
	  .behind = "" },
	{ .begin = "\xfd\x37zXZ",
	  .what = "packed by xz",
	  .advice = "Unpack it first: unxz ",
	  .behind = "" },
	{ .begin = "BZh",
	  .what = "packed by bzip2",
	  .advice = "Archives of perf are unpacked by: perf archive --unpack ",
	  .behind = "" },
	{ .key = "speedscope.app/file-format-schema",
	  .what = "a profile of speedscope",
	  .advice = "Folded stacks are read instead: py-spy record -f raw and rbspy record -f "
		    "collapsed write them" },
	{ .key = "\"callFrame\"",
	  .what = "a profile of V8, as Chrome and Node.js write them",
	  .advice = "Profiles that npm's package pprof writes are read; node --perf-basic-prof can "
		    "be recorded by perf itself" },
	{ .key = "\"traceEvents\"",
	  .what = "a trace in Chrome's format",
	  .advice = "It has no samples to add up: https://ui.perfetto.dev shows it" },
};

static bool other_files_contains(const char *begin, size_t n, const char *key)
{
	return memmem(begin, n < LOOKED_AT ? n : LOOKED_AT, key, strlen(key)) != NULL;
}

static bool is_json(const char *begin, size_t n)
{
	while (n && isspace((unsigned char)*begin)) {
		begin++;
		n--;
	}
	return n && (*begin == '{' || *begin == '[');
}

static bool other_files_matches(const struct other_file *o, const char *begin, size_t n)
{
	size_t length;

	if (o->key)
		return is_json(begin, n) && other_files_contains(begin, n, o->key);
	length = o->length ? o->length : strlen(o->begin);
	return n >= length && !memcmp(begin, o->begin, length);
}

static const struct other_file *other_files_find_other(const char *begin, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (other_files_matches(&others[i], begin, n))
			return &others[i];
	return NULL;
}

bool other_file_is(const char *begin, size_t n)
{
	return other_files_find_other(begin, n) != NULL;
}

static void hint_program(const char *path, struct diag *diag)
{
	diag_hint(diag, "It is a program. To record it: perf record %s%s",
		  strchr(path, '/') ? "" : "./", path);
}

void other_file_hint(const char *path, const char *begin, size_t n, struct diag *diag)
{
	static const char elf[] = "\177ELF";
	const struct other_file *o = other_files_find_other(begin, n);
	bool is_named = strcmp(path, "-") != 0;

	if (o)
		diag_hint(diag, "It is %s. %s%s%s", o->what, o->advice,
			  !o->behind ? "."
			  : is_named ? path
				     : "FILE",
			  o->behind ? o->behind : "");
	else if (is_named && n >= strlen(elf) && !memcmp(begin, elf, strlen(elf)))
		hint_program(path, diag);
}
