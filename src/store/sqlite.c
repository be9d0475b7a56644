/* SPDX-License-Identifier: MIT */
#include "store/sqlite.h"

#include <errno.h>

#include "base/diag.h"

#if HAVE_SQLITE3

#include <dlfcn.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/library.h"

#define LIBRARY "libsqlite3.so.0"

const struct sqlite3_api_routines *sqlite3_api;

/* The functions that are called before the table is available. */
struct sqlite_functions {
	__typeof__(((struct sqlite3_api_routines *)0)->auto_extension) auto_extension;
	__typeof__(((struct sqlite3_api_routines *)0)->cancel_auto_extension) cancel;
	__typeof__(((struct sqlite3_api_routines *)0)->open_v2) open;
	__typeof__(((struct sqlite3_api_routines *)0)->close) close;
	__typeof__(((struct sqlite3_api_routines *)0)->libversion_number) version;
};

static const struct library_function functions[] = {
	{ "sqlite3_auto_extension", offsetof(struct sqlite_functions, auto_extension) },
	{ "sqlite3_cancel_auto_extension", offsetof(struct sqlite_functions, cancel) },
	{ "sqlite3_open_v2", offsetof(struct sqlite_functions, open) },
	{ "sqlite3_close", offsetof(struct sqlite_functions, close) },
	{ "sqlite3_libversion_number", offsetof(struct sqlite_functions, version) },
};

/* Takes the table. This is an extension's entry point, called for a new database. */
static int take_table(sqlite3 *db, char **error, const struct sqlite3_api_routines *table)
{
	(void)db, (void)error;
	sqlite3_api = table;
	return SQLITE_OK;
}

static int sqlite_refuse(struct diag *diag, const char *problem)
{
	diag_set(diag, -ENOENT, "this needs SQLite (" LIBRARY "), which %s", problem);
	diag_hint(diag, "Install it: apt install libsqlite3-0 (Debian, Ubuntu), "
			"dnf install sqlite-libs (Fedora, RHEL), pacman -S sqlite (Arch), "
			"zypper install libsqlite3-0 (SUSE)");
	return -ENOENT;
}

static int sqlite_take_functions(void *library, struct sqlite_functions *f, struct diag *diag)
{
	if (library_find(library, functions, ARRAY_SIZE(functions), f))
		return sqlite_refuse(diag, "was built without extensions");
	if (f->version() < SQLITE_OLDEST)
		return sqlite_refuse(diag, "is older than version 3.38");
	return 0;
}

int sqlite_load(struct diag *diag)
{
	struct sqlite_functions f;
	sqlite3 *db = NULL;
	void *library;
	int r;

	if (sqlite3_api)
		return 0;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return sqlite_refuse(diag, "is not installed");
	r = sqlite_take_functions(library, &f, diag);
	if (r < 0)
		return r;
	f.auto_extension((void (*)(void))take_table);
	f.open(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
	       NULL);
	f.close(db);
	f.cancel((void (*)(void))take_table);
	return sqlite3_api ? 0 : sqlite_refuse(diag, "loads no extensions");
}

#else

int sqlite_load(struct diag *diag)
{
	diag_set(diag, -ENOTSUP, "this perf was built without SQLite");
	diag_hint(diag, "Build it with libsqlite3-dev (Debian, Ubuntu) or sqlite-devel (Fedora).");
	return -ENOTSUP;
}

#endif
