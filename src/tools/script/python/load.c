/* SPDX-License-Identifier: MIT */
#include "tools/script/python/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/library.h"
#include "base/memory.h"

#if HAVE_LIBPYTHON

#define OLDEST     9
#define NEWEST     30
#define SYSTEM_BIN "/usr/bin/python3"

/* The loaded library and its functions. */
static struct {
	void *library;
	int minor; /* 11 for Python 3.11 */
	PyObject *none;
	/* Exported since 3.9, but part of the stable ABI only since 3.12. */
	PyObject *(*vectorcall)(PyObject *f, PyObject *const *args, size_t n, PyObject *names);
	/* Deprecated: a later Python may lack it. */
	void (*set_program_name)(const wchar_t *name);

#define PYTHON_GIVES(type, name, parameters, arguments) type(*name) parameters;
#define PYTHON_DOES(name, parameters, arguments)        void(*name) parameters;
#define PYTHON_ERROR(name)                              PyObject **name;
#include "tools/script/python/api.def"
#undef PYTHON_GIVES
#undef PYTHON_DOES
#undef PYTHON_ERROR
} python;

#define PYTHON_GIVES(type, name, parameters, arguments)                                            \
	type name parameters                                                                       \
	{                                                                                          \
		return python.name arguments;                                                      \
	}
#define PYTHON_DOES(name, parameters, arguments)                                                   \
	void name parameters                                                                       \
	{                                                                                          \
		python.name arguments;                                                             \
	}
#define PYTHON_ERROR(name) PyObject *name;
#include "tools/script/python/api.def"
#undef PYTHON_GIVES
#undef PYTHON_DOES
#undef PYTHON_ERROR

#define AT(member) offsetof(__typeof__(python), member)

/* The names that must exist, and the variables for their addresses. */
static const struct library_function wanted[] = {
#define PYTHON_GIVES(type, name, parameters, arguments) { #name, AT(name) },
#define PYTHON_DOES(name, parameters, arguments)        { #name, AT(name) },
#define PYTHON_ERROR(name)                              { #name, AT(name) },
#include "tools/script/python/api.def"
#undef PYTHON_GIVES
#undef PYTHON_DOES
#undef PYTHON_ERROR
	{ "_Py_NoneStruct", AT(none) },
};

/* Returns 11 if the system's interpreter is python3.11. -1: there is none. */
static int find_system_minor(void)
{
	_cleanup_(freep) char *path = realpath(SYSTEM_BIN, NULL);
	const char *name = path ? strrchr(path, '/') : NULL;
	int minor;

	return name && sscanf(name, "/python3.%d", &minor) == 1 ? minor : -1;
}

/*
 * Opens the library with global symbols, because extension modules take Python's functions from the
 * process.
 */
static void *open_minor(int minor)
{
	char name[32];
	void *library;

	snprintf(name, sizeof(name), "libpython3.%d.so.1.0", minor);
	library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
	if (library)
		return library;
	snprintf(name, sizeof(name), "libpython3.%d.so", minor);
	return dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

static void *open_library(int *ret_minor)
{
	int first = find_system_minor();
	void *library = first >= OLDEST ? open_minor(first) : NULL;

	*ret_minor = first;
	for (int minor = NEWEST; !library && minor >= OLDEST; minor--) {
		library = open_minor(minor);
		*ret_minor = minor;
	}
	return library;
}

static int python_load_take_functions(void *library, struct diag *diag)
{
	const char *missing = library_find(library, wanted, ARRAY_SIZE(wanted), &python);

	if (missing)
		return diag_set(diag, -ENOENT,
				"libpython has no %s: it is broken, or too new for this perf",
				missing);
	*(void **)&python.vectorcall = dlsym(library, "PyObject_Vectorcall");
	*(void **)&python.set_program_name = dlsym(library, "Py_SetProgramName");
	return 0;
}

/*
 * Adds the hint. The name of the package depends on the distribution and on the version of the
 * interpreter.
 */
void python_hint_package(int minor, struct diag *diag)
{
	_cleanup_(freep) char *debian = minor < 0 ? xstrdup("libpython3-dev")
						  : xasprintf("libpython3.%d", minor);
	_cleanup_(freep) char *suse = minor < 0 ? xstrdup("python3-devel")
						: xasprintf("libpython3_%d-1_0", minor);

	diag_hint(diag,
		  "install it: apt install %s (Debian, Ubuntu), dnf install python3-libs "
		  "(Fedora, RHEL), pacman -S python (Arch), zypper install %s (SUSE)",
		  debian, suse);
}

static int python_refuse(struct diag *diag)
{
	diag_set(diag, -ENOENT, "Python scripts need libpython 3, which is not installed");
	python_hint_package(find_system_minor(), diag);
	return -ENOENT;
}

int python_load(struct diag *diag)
{
	void *library;
	int r;

	if (python.library)
		return 0;
	library = open_library(&python.minor);
	if (!library)
		return python_refuse(diag);
	r = python_load_take_functions(library, diag);
	if (r >= 0)
		python.library = library;
	return r;
}

/* Sets the path of the program, because it determines the folders of modules. */
static void name_program(void)
{
	static wchar_t name[64];
	char path[64];

	if (!python.set_program_name)
		return;
	snprintf(path, sizeof(path), "/usr/bin/python3.%d", python.minor);
	if (access(path, X_OK) < 0)
		return;
	mbstowcs(name, path, ARRAY_SIZE(name));
	python.set_program_name(name);
}

/*
 * True if python3 would treat the C locale as UTF-8 (PEP 540), which an embedded interpreter does
 * not.
 */
static bool is_c_locale(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		const char *name = getenv(variables[i]);

		if (name && *name)
			return !strcmp(name, "C") || !strcmp(name, "POSIX");
	}
	return true;
}

static void python_load_add_word(PyObject *dict, const char *key, const char *value)
{
	_cleanup_(python_unrefp) PyObject *text = PyUnicode_InternFromString(value);

	if (dict && text)
		PyDict_SetItemString(dict, key, text);
}

/*
 * Sets an encoding with which printing never fails because of a character: names come from outside.
 */
static void set_encoding(const char *stream)
{
	PyObject *file = PySys_GetObject(stream);
	_cleanup_(python_unrefp) PyObject *words = PyDict_New(), *nothing = PyTuple_New(0);
	_cleanup_(python_unrefp) PyObject *f = NULL, *result = NULL;

	f = file ? PyObject_GetAttrString(file, "reconfigure") : NULL;
	python_load_add_word(words, "errors", "backslashreplace");
	if (is_c_locale())
		python_load_add_word(words, "encoding", "utf-8");
	if (f && words && nothing)
		result = PyObject_Call(f, nothing, words);
	if (!result)
		PyErr_Clear();
}

void python_start(void)
{
	if (Py_IsInitialized())
		return;
	name_program();
	Py_InitializeEx(1);
#define PYTHON_GIVES(type, name, parameters, arguments)
#define PYTHON_DOES(name, parameters, arguments)
#define PYTHON_ERROR(name) name = *python.name;
#include "tools/script/python/api.def"
#undef PYTHON_GIVES
#undef PYTHON_DOES
#undef PYTHON_ERROR
	if (!getenv("PYTHONIOENCODING")) {
		set_encoding("stdout");
		set_encoding("stderr");
	}
}

PyObject *python_none(void)
{
	Py_INCREF(python.none);
	return python.none;
}

static PyObject *call_with_tuple(PyObject *f, PyObject *const *args, size_t n)
{
	_cleanup_(python_unrefp) PyObject *tuple = PyTuple_New((Py_ssize_t)n);

	if (!tuple)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		Py_INCREF(args[i]);
		PyTuple_SetItem(tuple, (Py_ssize_t)i, args[i]);
	}
	return PyObject_CallObject(f, tuple);
}

PyObject *python_vectorcall(PyObject *f, PyObject *const *args, size_t n)
{
	if (python.vectorcall)
		return python.vectorcall(f, args, n, NULL);
	return call_with_tuple(f, args, n);
}

#else

int python_load(struct diag *diag)
{
	return diag_set(diag, -EOPNOTSUPP,
			"this perf was built without Python: it cannot run scripts");
}

#endif
