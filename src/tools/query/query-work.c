/* SPDX-License-Identifier: MIT */
#include "tools/query/query-work.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "foreign/any-session.h"
#include "profile/profile.h"
#include "session/reading.h"
#include "session/session.h"
#include "store/url.h"
#include "symbol/symbolizer.h"
#include "tools/query/database-work.h"
#include "tools/query/recording-work.h"

struct query_input {
	const struct query_request *rq;
	char *path;
	char *schema;
	int fd; /* a copy of standard input; -1: none */
	struct symbolizer *symbolizer;
	struct recording_source source;
};

struct query_job {
	struct query_input *inputs;
	size_t n;
	struct database *db;
};

static int query_open_session(void *arg, struct session **ret, struct diag *diag)
{
	const struct query_input *in = arg;

	return any_session_open(&(struct session_options){ .path = in->path,
							   .force = in->rq->force,
							   .symbolizer = in->symbolizer },
				ret, diag);
}

static int query_copy_all(int from, int to, struct diag *diag)
{
	static const size_t size = 1 << 20;
	_cleanup_(freep) char *bytes = xmalloc(size);
	ssize_t n;
	int r = 0;

	while ((n = read(from, bytes, size)) != 0 && r >= 0) {
		if (n > 0)
			r = file_write(to, bytes, (size_t)n);
		else if (errno != EINTR)
			return diag_set(diag, -errno, "cannot read standard input: %s",
					strerror(errno));
	}
	if (r < 0)
		diag_set(diag, r, "cannot copy standard input to a temporary file: %s",
			 strerror(-r));
	return r;
}

/* Copies a stream to an unnamed file, because it is read more than once. */
static int keep_input(struct query_input *in, struct diag *diag)
{
	const char *folder = getenv("TMPDIR");
	struct stat st;

	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode)) {
		in->path = xstrdup("/proc/self/fd/0");
		return 0;
	}
	in->fd = open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (in->fd < 0)
		return diag_set(diag, -errno, "cannot make a temporary file in '%s': %s",
				folder && *folder ? folder : "/tmp", strerror(errno));
	in->path = xasprintf("/proc/self/fd/%d", in->fd);
	return query_copy_all(STDIN_FILENO, in->fd, diag);
}

void query_schema_name(const char *path, struct text *ret)
{
	const char *name = strrchr(path, '/'), *dot;
	size_t n;

	name = name && name[1] ? name + 1 : path;
	dot = strrchr(name, '.');
	n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
	if (!n || isdigit((unsigned char)*name))
		text_add_char(ret, '_');
	for (size_t i = 0; i < n; i++)
		text_add_char(ret, isalnum((unsigned char)name[i]) ? name[i] : '_');
}

static bool query_is_taken(const struct query_job *j, const char *schema)
{
	if (!strcasecmp(schema, "main") || !strcasecmp(schema, "temp"))
		return true;
	for (size_t i = 0; i < j->n; i++)
		if (j->inputs[i].schema && !strcasecmp(j->inputs[i].schema, schema))
			return true;
	return false;
}

static char *schema_for(const struct query_job *j, const char *path)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	char *schema;

	query_schema_name(path, &name);
	schema = xstrdup(name.chars);
	for (unsigned i = 2; query_is_taken(j, schema); i++) {
		free(schema);
		schema = xasprintf("%s_%u", name.chars, i);
	}
	return schema;
}

/*
 * Returns the URL for the samples of a store. They are separated by service, and by host only if
 * the SQL needs it, because the hourly sums, which are kept for longer, do not distinguish hosts.
 * The caller frees it.
 */
static char *url_for(const char *path, const char *sql)
{
	_cleanup_(freep) char *by_service = fleet_url_by(path, "service");

	return sql && (strcasestr(sql, "host") || strcasestr(sql, "select *"))
		       ? fleet_url_by(by_service, "host")
		       : TAKE(by_service);
}

/*
 * Warns if the SQL counts rows of samples that were added up elsewhere: such a row stands for
 * several samples.
 */
static void note_counting(const struct query_request *rq, const char *path, const struct session *s,
			  struct notes *notes)
{
	if (rq->sql && session_is_foreign(s) && strcasestr(rq->sql, "count(") &&
	    !strcasestr(rq->sql, "sum(samples)"))
		notes_add(notes, NOTE_WARNING,
			  "rows of %s stand for several samples each: sum(samples) counts samples, "
			  "count(*) counts rows",
			  strcmp(path, "-") != 0 ? path : "standard input");
}

static int query_open_input(struct query_job *j, const struct query_request *rq, const char *path,
			    struct diag *diag)
{
	const struct reading_symbols how = {
		.request = &rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.any_owner = rq->force,
	};
	struct query_input *in = &j->inputs[j->n];
	char *schema = schema_for(j, strcmp(path, "-") != 0 ? path : "stdin");

	*in = (struct query_input){ .rq = rq, .schema = schema, .fd = -1 };
	j->n++;
	in->source = (struct recording_source){ query_open_session, in, PROFILE_MAX_STACK };
	in->symbolizer = reading_symbolizer(&how);
	if (!strcmp(path, "-"))
		return keep_input(in, diag);
	in->path = fleet_is_url(path) ? url_for(path, rq->sql) : xstrdup(path);
	return 0;
}

static int query_open_database(struct query_job *j, struct diag *diag)
{
	struct database_input *inputs = xcalloc(j->n, sizeof(*inputs));
	int r;

	for (size_t i = 0; i < j->n; i++)
		inputs[i] = (struct database_input){ j->inputs[i].schema, &j->inputs[i].source };
	r = database_open(inputs, j->n, &j->db, diag);
	free(inputs);
	return r;
}

int query_job_open(const struct query_request *rq, struct query_job **ret, struct notes *notes,
		   struct diag *diag)
{
	const struct reading_symbols how = { .request = &rq->symbols };
	struct query_job *j = xcalloc(1, sizeof(*j));
	int r = reading_check_files(&how, diag);

	*ret = j;
	j->inputs = xcalloc(rq->n, sizeof(*j->inputs));
	for (size_t i = 0; r >= 0 && i < rq->n; i++)
		r = query_open_input(j, rq, rq->paths[i], diag);
	if (r >= 0)
		r = query_open_database(j, diag);
	if (r < 0)
		return r;
	for (size_t i = 0; i < j->n; i++) {
		reading_note_damage(database_session(j->db, i), notes);
		reading_note_losses(database_session(j->db, i), notes);
		note_counting(rq, rq->paths[i], database_session(j->db, i), notes);
	}
	return 0;
}

void query_job_free(struct query_job *j)
{
	if (!j)
		return;
	database_close(j->db);
	for (size_t i = 0; i < j->n; i++) {
		symbolizer_free(j->inputs[i].symbolizer);
		free(j->inputs[i].path);
		free(j->inputs[i].schema);
		if (j->inputs[i].fd >= 0)
			close(j->inputs[i].fd);
	}
	free(j->inputs);
	free(j);
}

struct database *query_job_database(const struct query_job *j)
{
	return j->db;
}

const char *query_job_schema(const struct query_job *j, size_t i)
{
	return j->n > 1 ? j->inputs[i].schema : NULL;
}
