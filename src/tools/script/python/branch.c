/* SPDX-License-Identifier: MIT */
#include "tools/script/python/branch.h"

#include "session/consumer.h"
#include "session/machine.h"
#include "tools/script/python/text.h"
#include "tools/script/python/values.h"
#include "wire/branch.h"

#if HAVE_LIBPYTHON

/* A branch tells no mode: addresses of the kernel are high on every machine. */
static bool python_branch_locate(const struct session *s, const struct session_sample *ss,
				 uint64_t addr, struct location *ret)
{
	enum address_mode mode = addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER;

	return machine_locate(s, ss->sample->pid, mode, addr, ss->time, ret) && ret->map->image;
}

static void python_branch_put_image(struct python_values *v, const struct session *s,
				    const struct session_sample *ss, PyObject *d,
				    enum python_key key, uint64_t addr)
{
	struct python_image *im;
	struct location loc;

	if (!python_branch_locate(s, ss, addr, &loc)) {
		python_put(v, d, key, python_string("[unknown]"));
		return;
	}
	python_values_spot(v, &loc, &im);
	python_put_kept(v, d, key, im->dso);
}

static void python_branch_put_symbol(struct python_values *v, const struct session *s,
				     const struct session_sample *ss, PyObject *d,
				     enum python_key key, uint64_t addr)
{
	struct location loc;

	if (python_branch_locate(s, ss, addr, &loc))
		python_put_kept(v, d, key, python_values_sum(v, &loc));
	else
		python_put(v, d, key, python_string("[unknown]"));
}

static PyObject *branch_dict(struct python_values *v, const struct session *s,
			     const struct session_sample *ss, const struct branch *b)
{
	PyObject *d = PyDict_New();

	python_put(v, d, KEY_from, PyLong_FromUnsignedLongLong(b->from));
	python_put(v, d, KEY_to, PyLong_FromUnsignedLongLong(b->to));
	python_put(v, d, KEY_mispred, PyBool_FromLong(!!(b->flags & BRANCH_MISPREDICTED)));
	python_put(v, d, KEY_predicted, PyBool_FromLong(!!(b->flags & BRANCH_PREDICTED)));
	python_put(v, d, KEY_in_tx, PyBool_FromLong(!!(b->flags & BRANCH_IN_TX)));
	python_put(v, d, KEY_abort, PyBool_FromLong(!!(b->flags & BRANCH_ABORT)));
	python_put(v, d, KEY_cycles, PyLong_FromLong((long)branch_cycles(b->flags)));
	python_branch_put_image(v, s, ss, d, KEY_from_dsoname, b->from);
	python_branch_put_image(v, s, ss, d, KEY_to_dsoname, b->to);
	return d;
}

static PyObject *symbols_dict(struct python_values *v, const struct session *s,
			      const struct session_sample *ss, const struct branch *b)
{
	PyObject *d = PyDict_New();

	python_branch_put_symbol(v, s, ss, d, KEY_from, b->from);
	python_branch_put_symbol(v, s, ss, d, KEY_to, b->to);
	python_put(v, d, KEY_pred,
		   python_string(b->flags & BRANCH_MISPREDICTED ? "M"
				 : b->flags & BRANCH_PREDICTED  ? "P"
								: "-"));
	python_put(v, d, KEY_in_tx, python_string(b->flags & BRANCH_IN_TX ? "X" : "-"));
	python_put(v, d, KEY_abort, python_string(b->flags & BRANCH_ABORT ? "A" : "-"));
	return d;
}

static PyObject *
list_of(struct python_values *v, const struct session *s, const struct session_sample *ss,
	PyObject *(*dict_of)(struct python_values *v, const struct session *s,
			     const struct session_sample *ss, const struct branch *b))
{
	size_t n = ss->sample->branches.n / 3;
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < n; i++) {
		struct branch b = sample_branch(ss->sample, i);
		PyObject *d = dict_of(v, s, ss, &b);

		if (d)
			PyList_Append(list, d);
		Py_XDECREF(d);
	}
	return list;
}

PyObject *python_branches(struct python_values *v, const struct session *s,
			  const struct session_sample *ss)
{
	return list_of(v, s, ss, branch_dict);
}

PyObject *python_branch_symbols(struct python_values *v, const struct session *s,
				const struct session_sample *ss)
{
	return list_of(v, s, ss, symbols_dict);
}

#endif
