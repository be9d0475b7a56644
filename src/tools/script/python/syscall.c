/* SPDX-License-Identifier: MIT */
#include "tools/script/python/syscall.h"

#include <limits.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/syscall/syscall.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "session/session.h"
#include "tools/script/python/load.h"
#include "tools/script/python/script.h"
#include "tools/script/python/text.h"

static enum syscall_abi abi_called(const char *machine)
{
	for (int abi = 0; abi < SYSCALL_N_ABIS; abi++) {
		const char *name = syscall_abi_name(abi);

		if (name && !strcmp(name, machine))
			return abi;
	}
	return SYSCALL_ABI_NONE;
}

static enum syscall_abi abi_recorded(const char *recorded)
{
	const struct arch *arch = recorded ? arch_find(recorded) : arch_host();

	return arch ? syscall_abi_of(arch->elf_machine, false) : SYSCALL_ABI_NONE;
}

const char *script_syscall_name(const char *recorded, const char *machine, long nr)
{
	enum syscall_abi abi = machine ? abi_called(machine) : abi_recorded(recorded);
	const struct syscall_desc *desc;

	if (abi == SYSCALL_ABI_NONE || nr < 0 || nr > INT_MAX)
		return NULL;
	desc = syscall_find(abi, (unsigned)nr);
	return desc ? desc->name : NULL;
}

#if HAVE_LIBPYTHON

/* Returns the machine of the recording. NULL: unknown. */
static const char *recorded_machine(PyObject *module)
{
	_cleanup_(python_unrefp)
		PyObject *context = PyObject_GetAttrString(module, "perf_script_context");
	const struct python_script *s = context ? PyCapsule_GetPointer(context, NULL) : NULL;

	if (!s)
		PyErr_Clear();
	return s ? session_features(s->session)->arch : NULL;
}

PyObject *python_syscall_name(PyObject *module, PyObject *args)
{
	Py_ssize_t n = PyTuple_Size(args);
	_cleanup_(freep) char *machine = NULL;
	const char *name;
	long nr;

	if (n < 1 || n > 2) {
		PyErr_SetString(PyExc_TypeError, "syscall_name(number[, machine])");
		return NULL;
	}
	nr = PyLong_AsLong(PyTuple_GetItem(args, 0));
	if (nr == -1 && PyErr_Occurred())
		return NULL;
	if (n == 2)
		machine = python_text_copy(PyTuple_GetItem(args, 1));
	name = script_syscall_name(recorded_machine(module), machine, nr);
	return name ? python_string(name) : python_none();
}

#endif
