/* SPDX-License-Identifier: MIT */
#include "foreign/any-session.h"

#include <errno.h>

#include "base/cleanup.h"
#include "datafile/input.h"
#include "datafile/reader.h"
#include "foreign/foreign.h"
#include "session/session.h"

/* Opens a file. *@ret_names is NULL if it is a perf.data file. */
static int any_session_open_file(const struct session_options *o, struct datafile **ret,
				 struct given_names **ret_names, struct diag *diag)
{
	_cleanup_(input_done) struct input stream = { .fd = -1 };
	int r, other;

	*ret_names = NULL;
	if (foreign_is_url(o->path))
		return foreign_open_url(o->path, ret, ret_names, diag);
	r = datafile_open_any(o->path, o->force, ret, &stream, diag);
	if (r != -EBADMSG)
		return r;
	stream.stop = o->stop;
	other = foreign_open(o->path, &stream, ret, ret_names, diag);
	return other ? other : r;
}

int any_session_open(const struct session_options *o, struct session **ret, struct diag *diag)
{
	struct given_names *names;
	struct datafile *file;
	int r = any_session_open_file(o, &file, &names, diag);

	if (r >= 0)
		*ret = session_of_file(o, file, names);
	return r < 0 ? r : 0;
}
