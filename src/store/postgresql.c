/* SPDX-License-Identifier: MIT */
#include "store/postgresql.h"

#include <config.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"

/*
 * Classes (two characters) and codes of the appendix "PostgreSQL Error Codes"; the first row
 * counts.
 */
static const struct {
	const char *state;
	int error;
} states[] = {
	{ "08", EAGAIN },    /* connection exception */
	{ "40", EAGAIN },    /* serialization failure, deadlock */
	{ "53", EAGAIN },    /* too many connections, memory, disk */
	{ "55P03", EAGAIN }, /* a lock was waited for too long */
	{ "57", EAGAIN },    /* shut down, crashed, starting up, timed out */
	{ "58", EAGAIN },    /* an error of the server's system */
	{ "28", EACCES },    /* invalid authorization */
	{ "42501", EACCES }, /* insufficient privilege */
	{ "25006", EROFS },  /* the server is a standby */
	{ "3D000", ENOENT }, /* no such database */
	{ "3F000", ENOENT }, /* no such schema */
	{ "42P01", ENOENT }, /* no such table */
	{ "42P07", EEXIST }, /* duplicate table */
	{ "23505", EEXIST }, /* duplicate key */
	{ "42710", EEXIST }, /* duplicate object */
};

int postgresql_errno(const char *state)
{
	if (!state || !*state)
		return -EAGAIN;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (!strncmp(state, states[i].state, strlen(states[i].state)))
			return -states[i].error;
	return -EINVAL;
}

#if HAVE_LIBPQ

#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "base/memory.h"
#include "store/host.h"
#include "store/patience.h"

#define LIBRARY "libpq.so.5"

/* The time that a server may take to accept a connection. */
#define CONNECT_SECONDS 10

/* The functions of the library that are called; all have the types of its header. */
#define FUNCTIONS(X)                                                                               \
	X(PQconninfoParse)                                                                         \
	X(PQconninfoFree)                                                                          \
	X(PQfreemem)                                                                               \
	X(PQconnectStartParams)                                                                    \
	X(PQconnectPoll)                                                                           \
	X(PQconnectionNeedsPassword)                                                               \
	X(PQfinish)                                                                                \
	X(PQstatus)                                                                                \
	X(PQsocket)                                                                                \
	X(PQerrorMessage)                                                                          \
	X(PQsetErrorVerbosity)                                                                     \
	X(PQsetNoticeProcessor)                                                                    \
	X(PQsetnonblocking)                                                                        \
	X(PQsendQuery)                                                                             \
	X(PQflush)                                                                                 \
	X(PQconsumeInput)                                                                          \
	X(PQisBusy)                                                                                \
	X(PQgetResult)                                                                             \
	X(PQresultStatus)                                                                          \
	X(PQresultErrorField)                                                                      \
	X(PQclear)                                                                                 \
	X(PQgetCopyData)                                                                           \
	X(PQputCopyData)                                                                           \
	X(PQputCopyEnd)

struct postgresql_functions {
#define MEMBER(name) __typeof__(name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

struct postgresql {
	struct postgresql_functions call;
	PGconn *conn;
	const struct patience *patience; /* or NULL */
	bool is_given_up;                /* given up in the middle of a statement */
};

static int postgresql_no_library(struct diag *diag, const char *problem)
{
	diag_set(diag, -ENOENT, "PostgreSQL needs its library (" LIBRARY "), which %s", problem);
	diag_hint(diag, "Install it: apt install libpq5 (Debian, Ubuntu), dnf install libpq "
			"(Fedora, RHEL), pacman -S postgresql-libs (Arch), zypper install libpq5 "
			"(SUSE)");
	return -ENOENT;
}

static int postgresql_load(struct postgresql_functions *f, struct diag *diag)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool complete = true;

	if (!library)
		return postgresql_no_library(diag, "is not installed");
#define TAKE_FUNCTION(name) complete &= (f->name = dlsym(library, #name)) != NULL;
	FUNCTIONS(TAKE_FUNCTION)
#undef TAKE_FUNCTION
	return complete ? 0 : postgresql_no_library(diag, "lacks functions of version 9.3");
}

/* Parameters of the connection: those of the URL, and ours. Values are borrowed. */
#define N_PARAMETERS 64
struct parameters {
	const char *names[N_PARAMETERS], *values[N_PARAMETERS];
	size_t n;
};

static void postgresql_set(struct parameters *p, const char *name, const char *value)
{
	if (p->n + 1 < N_PARAMETERS) {
		p->names[p->n] = name;
		p->values[p->n++] = value;
	}
}

static const char *postgresql_value_of(const PQconninfoOption *options, const char *name)
{
	for (; options->keyword; options++)
		if (!strcmp(options->keyword, name))
			return options->val && *options->val ? options->val : NULL;
	return NULL;
}

/* Sets a parameter of ours, unless the URL sets it. */
static void postgresql_set_default(struct parameters *p, const PQconninfoOption *options,
				   const char *name, const char *value)
{
	if (!postgresql_value_of(options, name))
		postgresql_set(p, name, value);
}

static bool postgresql_is_local(const PQconninfoOption *options)
{
	const char *host = postgresql_value_of(options, "hostaddr");

	if (!host)
		host = getenv("PGHOSTADDR");
	if (!host)
		host = postgresql_value_of(options, "host");
	if (!host && (postgresql_value_of(options, "service") || getenv("PGSERVICE")))
		return false;
	if (!host)
		host = getenv("PGHOST");
	return host_list_is_local(host ? host : "");
}

/*
 * Returns the file of authorities. libpq knows only ~/.postgresql/root.crt; if that is missing, the
 * system's authorities are used.
 */
static const char *postgresql_authorities(void)
{
	static const char *const bundles[] = {
		"/etc/ssl/certs/ca-certificates.crt",
		"/etc/pki/tls/certs/ca-bundle.crt",
		"/etc/ssl/ca-bundle.pem",
	};
	const char *home = getenv("HOME");
	_cleanup_(text_done) struct text own = TEXT_EMPTY;

	text_addf(&own, "%s/.postgresql/root.crt", home ? home : "");
	if (getenv("PGSSLROOTCERT") || !access(own.chars, R_OK))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(bundles); i++)
		if (!access(bundles[i], R_OK))
			return bundles[i];
	return NULL;
}

static void set_parameters(struct parameters *p, const PQconninfoOption *options)
{
	const char *bundle = postgresql_authorities(),
		   *mode = postgresql_value_of(options, "sslmode");

	for (const PQconninfoOption *o = options; o->keyword; o++)
		if (o->val && *o->val)
			postgresql_set(p, o->keyword, o->val);
	if (!postgresql_is_local(options)) {
		postgresql_set_default(p, options, "sslmode", "verify-full");
		/* With authorities set, libpq would check certificates for sslmode=require too. */
		if (bundle && (!mode || !strncmp(mode, "verify", 6)))
			postgresql_set_default(p, options, "sslrootcert", bundle);
	}
	postgresql_set_default(p, options, "fallback_application_name", "perf");
	postgresql_set(p, "client_encoding", "UTF8");
	/* A server that vanished without notice is detected within a minute. */
	postgresql_set_default(p, options, "keepalives_idle", "20");
	postgresql_set_default(p, options, "keepalives_interval", "10");
	postgresql_set_default(p, options, "keepalives_count", "3");
	postgresql_set_default(p, options, "tcp_user_timeout", "60000");
}

/*
 * Finds the SQLSTATE in the message of a connection that failed. With PQERRORS_VERBOSE that is
 * "...FATAL: 3D000: database ... LOCATION: ..." in any language. Returns false if the message did
 * not come from the server.
 */
static bool find_state(const char *message, char *ret, const char **ret_text)
{
	for (const char *at = message; (at = strstr(at, ":  ")); at += 3) {
		size_t n = strspn(at + 3, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		if (n != 5 || at[8] != ':')
			continue;
		memcpy(ret, at + 3, 5);
		ret[5] = '\0';
		*ret_text = at + 9 + strspn(at + 9, " ");
		return true;
	}
	return false;
}

static void hint_access(const struct postgresql *pg, const char *state, struct diag *diag)
{
	if (!strcmp(state, "28P01"))
		diag_hint(diag,
			  "Is the password right that ~/.pgpass (PGPASSFILE) or PGPASSWORD has "
			  "for this user?");
	else if (pg->call.PQconnectionNeedsPassword(pg->conn))
		diag_hint(diag,
			  "Put the password into ~/.pgpass (host:port:database:user:password, "
			  "mode 0600), or name such a file in PGPASSFILE.");
	else
		diag_hint(diag,
			  "Is the user of the URL right (postgresql://USER@HOST/DATABASE), and "
			  "does the server's pg_hba.conf let it in?");
}

/* Explains why there is no connection. @url has no password in it. */
static int explain_connect(const struct postgresql *pg, const char *url, struct diag *diag)
{
	const char *message = pg->call.PQerrorMessage(pg->conn), *text = message;
	char state[6] = "";
	int r;

	if (find_state(message, state, &text))
		r = postgresql_errno(state);
	else if (pg->call.PQconnectionNeedsPassword(pg->conn))
		r = -EACCES;
	else
		r = strstr(message, "SSL") || strstr(message, "certificate") ? -EPROTO : -EAGAIN;
	diag_set(diag, r, "cannot connect to %s: %.*s", url, (int)strcspn(text, "\n"), text);
	if (r == -EACCES)
		hint_access(pg, state, diag);
	else if (r == -ENOENT)
		diag_hint(diag, "Make it on the server: createdb NAME");
	else if (r == -EPROTO)
		diag_hint(
			diag,
			"The certificate must be for the host's name and signed by an authority in "
			"~/.postgresql/root.crt or of the system; the URL's sslrootcert= names "
			"another file.");
	else if (r == -EAGAIN && !*state)
		diag_hint(diag, "Is the server running there, and does it listen on that address?");
	return r;
}

static int postgresql_give_up(struct postgresql *pg, struct diag *diag)
{
	pg->is_given_up = true;
	return diag_set(diag, -EINTR, "PostgreSQL did not answer until now");
}

/*
 * Waits for the server. Returns 1 if the connection is ready, 0 at @end, in milliseconds; -EINTR
 * with @diag.
 */
static int wait_until(struct postgresql *pg, short events, int64_t end, struct diag *diag)
{
	while (!patience_is_over(pg->patience)) {
		struct pollfd p = { .fd = pg->call.PQsocket(pg->conn), .events = events };
		int64_t left = end - clock_ms();

		if (left <= 0)
			return 0;
		if (poll(&p, 1, left < PATIENCE_LOOK_MS ? (int)left : PATIENCE_LOOK_MS) > 0)
			return 1;
	}
	return postgresql_give_up(pg, diag);
}

static int postgresql_wait_for(struct postgresql *pg, short events, struct diag *diag)
{
	return wait_until(pg, events, INT64_MAX, diag);
}

static int finish_connecting(struct postgresql *pg, const char *url, struct diag *diag)
{
	PostgresPollingStatusType next = PGRES_POLLING_WRITING;
	int64_t end = clock_ms() + CONNECT_SECONDS * 1000;

	while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
		int r = wait_until(pg, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, end, diag);

		if (!r)
			return diag_set(diag, -EAGAIN, "%s does not answer within %d seconds", url,
					CONNECT_SECONDS);
		if (r < 0)
			return r;
		next = pg->call.PQconnectPoll(pg->conn);
	}
	if (next != PGRES_POLLING_OK)
		return explain_connect(pg, url, diag);
	/* This makes it possible to give up while much data is being sent. */
	pg->call.PQsetnonblocking(pg->conn, 1);
	return 0;
}

static void ignore_notice(void *arg, const char *message)
{
	(void)arg, (void)message;
}

static int connect_with(struct postgresql *pg, const PQconninfoOption *options, const char *url,
			struct diag *diag)
{
	struct parameters p = { .n = 0 };

	if (postgresql_value_of(options, "password"))
		return diag_set(
			diag, -EINVAL,
			"a password in a URL can be seen by every user of this machine: put it "
			"into ~/.pgpass");
	set_parameters(&p, options);
	pg->conn = pg->call.PQconnectStartParams(p.names, p.values, 0);
	if (!pg->conn)
		return diag_set(diag, -ENOMEM, "no memory for a connection");
	pg->call.PQsetErrorVerbosity(pg->conn, PQERRORS_VERBOSE);
	pg->call.PQsetNoticeProcessor(pg->conn, ignore_notice, NULL);
	return pg->call.PQstatus(pg->conn) == CONNECTION_BAD ? explain_connect(pg, url, diag)
							     : finish_connecting(pg, url, diag);
}

static int connect_url(struct postgresql *pg, const char *url, struct diag *diag)
{
	char *problem = NULL;
	PQconninfoOption *options = pg->call.PQconninfoParse(url, &problem);
	int r;

	if (options) {
		r = connect_with(pg, options, url, diag);
		pg->call.PQconninfoFree(options);
	} else {
		r = diag_set(diag, -EINVAL, "this is not a URL of PostgreSQL: %.*s",
			     problem ? (int)strcspn(problem, "\n") : 0, problem ? problem : "");
		diag_hint(diag, "It looks like postgresql://USER@HOST:PORT/DATABASE.");
	}
	if (problem)
		pg->call.PQfreemem(problem);
	return r;
}

struct postgresql *postgresql_close(struct postgresql *pg)
{
	if (pg && pg->conn)
		pg->call.PQfinish(pg->conn);
	free(pg);
	return NULL;
}

static void postgresql_closed(struct postgresql **pg)
{
	postgresql_close(*pg);
}

int postgresql_open(const char *url, const struct patience *patience, struct postgresql **ret,
		    struct diag *diag)
{
	_cleanup_(postgresql_closed) struct postgresql *pg = xcalloc(1, sizeof(*pg));
	int r = postgresql_load(&pg->call, diag);

	pg->patience = patience;
	if (r < 0)
		return r;
	r = connect_url(pg, url, diag);
	if (r < 0)
		return r;
	/*
	 * Quoting and times rely on these settings, and no statement of ours takes longer than the
	 * timeouts.
	 */
	r = postgresql_run(pg,
			   "SET standard_conforming_strings = on; SET TimeZone = 'UTC'; "
			   "SET lock_timeout = '60s'; SET statement_timeout = '600s'",
			   diag);
	if (r < 0)
		return r;
	*ret = TAKE(pg);
	return 0;
}

bool postgresql_is_lost(const struct postgresql *pg)
{
	return pg->is_given_up || pg->call.PQstatus(pg->conn) == CONNECTION_BAD;
}

/* Explains why a statement failed; @result may be NULL: the connection is gone. */
static int postgresql_explain(const struct postgresql *pg, const PGresult *result,
			      struct diag *diag)
{
	const struct postgresql_functions *f = &pg->call;
	const char *state = result ? f->PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	const char *text = result ? f->PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
	const char *hint = result ? f->PQresultErrorField(result, PG_DIAG_MESSAGE_HINT) : NULL;
	int r = postgresql_errno(state);

	if (postgresql_is_lost(pg))
		r = -EAGAIN;
	if (!text)
		text = f->PQerrorMessage(pg->conn);
	diag_set(diag, r, "PostgreSQL: %.*s%s%s%s", (int)strcspn(text, "\n"), text,
		 state ? " (SQLSTATE " : "", state ? state : "", state ? ")" : "");
	if (hint)
		diag_hint(diag, "%s", hint);
	else if (r == -EACCES)
		diag_hint(diag,
			  "Let the owner of the tables grant it. To read: GRANT SELECT ON ALL "
			  "TABLES IN SCHEMA public TO USER. To send, be the owner: perf push "
			  "makes tables for new days.");
	return r;
}

/* Passes all data that is to be sent to the system. */
static int postgresql_flush(struct postgresql *pg, struct diag *diag)
{
	int n, r;

	while ((n = pg->call.PQflush(pg->conn)) > 0) {
		/* The server may need its output to be read first. */
		r = postgresql_wait_for(pg, POLLIN | POLLOUT, diag);
		if (r < 0)
			return r;
		pg->call.PQconsumeInput(pg->conn);
	}
	return n < 0 ? postgresql_explain(pg, NULL, diag) : 0;
}

/* Waits for more of the answer. */
static int postgresql_receive(struct postgresql *pg, struct diag *diag)
{
	int r = postgresql_wait_for(pg, POLLIN, diag);

	if (r < 0)
		return r;
	return pg->call.PQconsumeInput(pg->conn) ? 0 : postgresql_explain(pg, NULL, diag);
}

/* Gets the next result, which the caller clears; NULL: there are no more. */
static int next_result(struct postgresql *pg, PGresult **ret, struct diag *diag)
{
	int r = postgresql_flush(pg, diag);

	*ret = NULL;
	while (r >= 0 && pg->call.PQisBusy(pg->conn))
		r = postgresql_receive(pg, diag);
	if (r >= 0)
		*ret = pg->call.PQgetResult(pg->conn);
	return r;
}

/* Reads all results to the end, so that the next statement can be sent; the first error counts. */
static int postgresql_drain(struct postgresql *pg, int r, struct diag *diag)
{
	struct diag unused = { 0 };
	PGresult *result;

	while (!pg->is_given_up) {
		int error = next_result(pg, &result, r < 0 ? &unused : diag);
		ExecStatusType status = pg->call.PQresultStatus(result);

		r = r < 0 ? r : error;
		if (error < 0 || !result)
			break;
		if (r >= 0 && status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
			r = postgresql_explain(pg, result, diag);
		pg->call.PQclear(result);
		/* A broken COPY is reported repeatedly. */
		if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || postgresql_is_lost(pg))
			break;
	}
	diag_done(&unused);
	return r;
}

static bool is_copy(ExecStatusType status)
{
	return status == PGRES_COPY_IN || status == PGRES_COPY_OUT;
}

/*
 * Executes statements. Of several statements the last result counts, or that of the one that
 * failed.
 */
static int postgresql_execute(struct postgresql *pg, const char *sql, ExecStatusType wanted,
			      struct diag *diag)
{
	PGresult *last = NULL, *result = NULL;
	ExecStatusType status;
	int r = pg->call.PQsendQuery(pg->conn, sql) ? 0 : postgresql_explain(pg, NULL, diag);

	while (r >= 0 && !is_copy(pg->call.PQresultStatus(last))) {
		r = next_result(pg, &result, diag);
		if (r < 0 || !result)
			break;
		pg->call.PQclear(last);
		last = result;
	}
	status = pg->call.PQresultStatus(last);
	if (r >= 0 && status != wanted &&
	    !(wanted == PGRES_COMMAND_OK && status == PGRES_TUPLES_OK))
		r = postgresql_explain(pg, last, diag);
	pg->call.PQclear(last);
	return r;
}

int postgresql_run(struct postgresql *pg, const char *sql, struct diag *diag)
{
	return postgresql_execute(pg, sql, PGRES_COMMAND_OK, diag);
}

int postgresql_select(struct postgresql *pg, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag)
{
	_cleanup_(text_done) struct text copy = TEXT_EMPTY;
	_cleanup_(tab_reader_done) struct tab_reader reader;
	struct diag unused = { 0 };
	char *line;
	int n, r;

	tab_reader_init(&reader, n_columns, row, arg);
	text_addf(&copy, "COPY (%s) TO STDOUT", sql);
	r = postgresql_execute(pg, copy.chars, PGRES_COPY_OUT, diag);
	if (r < 0)
		return r;
	while ((n = pg->call.PQgetCopyData(pg->conn, &line, 1)) >= 0) {
		if (!n && postgresql_receive(pg, r < 0 ? &unused : diag) < 0)
			break;
		if (n && r >= 0)
			r = tab_reader_add(&reader, line, (size_t)n, diag);
		if (n)
			pg->call.PQfreemem(line);
	}
	diag_done(&unused);
	if (pg->is_given_up)
		return -EINTR;
	if (n != -1 && r >= 0)
		r = postgresql_explain(pg, NULL, diag);
	r = postgresql_drain(pg, r, diag);
	return r < 0 ? r : tab_reader_end(&reader, diag);
}

/* A message of libpq holds at most 1 GB, and the server needs to see pauses from time to time. */
#define COPY_PIECE ((size_t)1 << 20)

int postgresql_copy(struct postgresql *pg, const char *table, const struct text *rows,
		    struct diag *diag)
{
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	int r;

	text_addf(&sql, "COPY %s FROM STDIN", table);
	r = postgresql_execute(pg, sql.chars, PGRES_COPY_IN, diag);
	for (size_t at = 0, n; r >= 0 && at < rows->length; at += n) {
		n = rows->length - at < COPY_PIECE ? rows->length - at : COPY_PIECE;
		if (pg->call.PQputCopyData(pg->conn, rows->chars + at, (int)n) != 1)
			r = postgresql_explain(pg, NULL, diag);
		else
			r = postgresql_flush(pg, diag);
	}
	if (r < 0)
		return r;
	if (pg->call.PQputCopyEnd(pg->conn, NULL) != 1)
		r = postgresql_explain(pg, NULL, diag);
	return postgresql_drain(pg, r, diag);
}

#else

int postgresql_open(const char *url, const struct patience *patience, struct postgresql **ret,
		    struct diag *diag)
{
	(void)url, (void)patience, (void)ret;
	diag_set(diag, -ENOTSUP, "this perf was built without PostgreSQL's library");
	diag_hint(diag, "Build it with libpq-dev (Debian, Ubuntu) or libpq-devel (Fedora).");
	return -ENOTSUP;
}

/* These functions cannot be called, because postgresql_open() never succeeds in this build. */
struct postgresql *postgresql_close(struct postgresql *pg)
{
	return pg;
}

bool postgresql_is_lost(const struct postgresql *pg)
{
	(void)pg;
	return true;
}

int postgresql_run(struct postgresql *pg, const char *sql, struct diag *diag)
{
	(void)pg, (void)sql, (void)diag;
	return -ENOTSUP;
}

int postgresql_select(struct postgresql *pg, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag)
{
	(void)pg, (void)sql, (void)n_columns, (void)row, (void)arg, (void)diag;
	return -ENOTSUP;
}

int postgresql_copy(struct postgresql *pg, const char *table, const struct text *rows,
		    struct diag *diag)
{
	(void)pg, (void)table, (void)rows, (void)diag;
	return -ENOTSUP;
}

#endif
