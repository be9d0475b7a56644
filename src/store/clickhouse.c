/* SPDX-License-Identifier: MIT */
#include "store/clickhouse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/http.h"

struct clickhouse {
	struct http *http;
	struct clickhouse_server server; /* our own copies */
};

/* The server's error codes (table system.errors of newer servers). */
static const struct {
	int code;
	int error;
} codes[] = {
	{ 57, EEXIST },  /* TABLE_ALREADY_EXISTS */
	{ 60, ENOENT },  /* UNKNOWN_TABLE */
	{ 81, ENOENT },  /* UNKNOWN_DATABASE */
	{ 82, EEXIST },  /* DATABASE_ALREADY_EXISTS */
	{ 159, EAGAIN }, /* TIMEOUT_EXCEEDED */
	{ 164, EACCES }, /* READONLY */
	{ 192, EACCES }, /* UNKNOWN_USER */
	{ 193, EACCES }, /* WRONG_PASSWORD */
	{ 194, EACCES }, /* REQUIRED_PASSWORD */
	{ 195, EACCES }, /* IP_ADDRESS_NOT_ALLOWED */
	{ 202, EAGAIN }, /* TOO_MANY_SIMULTANEOUS_QUERIES */
	{ 203, EAGAIN }, /* NO_FREE_CONNECTION */
	{ 209, EAGAIN }, /* SOCKET_TIMEOUT */
	{ 210, EAGAIN }, /* NETWORK_ERROR */
	{ 236, EAGAIN }, /* ABORTED: the server is shutting down */
	{ 241, EAGAIN }, /* MEMORY_LIMIT_EXCEEDED */
	{ 242, EAGAIN }, /* TABLE_IS_READ_ONLY: a replica without its coordinator */
	{ 243, EAGAIN }, /* NOT_ENOUGH_SPACE */
	{ 252, EAGAIN }, /* TOO_MANY_PARTS: merging lags behind */
	{ 279, EAGAIN }, /* ALL_CONNECTION_TRIES_FAILED */
	{ 285, EAGAIN }, /* TOO_LESS_LIVE_REPLICAS */
	{ 286, EAGAIN }, /* UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE */
	{ 319, EAGAIN }, /* UNKNOWN_STATUS_OF_INSERT */
	{ 394, EAGAIN }, /* QUERY_WAS_CANCELLED */
	{ 497, EACCES }, /* ACCESS_DENIED */
	{ 516, EACCES }, /* AUTHENTICATION_FAILED */
	{ 999, EAGAIN }, /* KEEPER_EXCEPTION */
};

static int errno_of_status(int status)
{
	if (status == 401 || status == 403)
		return -EACCES;
	if (status == 408 || status == 429 || status >= 500)
		return -EAGAIN;
	return -EPROTO;
}

int clickhouse_errno(int status, const char *text)
{
	char *end = NULL;
	long code = strncmp(text, "Code: ", 6) ? 0 : strtol(text + 6, &end, 10);

	if (!end || end == text + 6)
		return errno_of_status(status);
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i].code == code)
			return -codes[i].error;
	return -EINVAL;
}

static char *clickhouse_copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

struct clickhouse *clickhouse_close(struct clickhouse *c)
{
	if (!c)
		return NULL;
	http_free(c->http);
	free((char *)c->server.url);
	free((char *)c->server.database);
	free((char *)c->server.user);
	free((char *)c->server.password);
	free(c);
	return NULL;
}

int clickhouse_open(const struct clickhouse_server *server, struct clickhouse **ret,
		    struct diag *diag)
{
	struct clickhouse *c;
	struct http *http;
	int r = http_new(&http, diag);

	if (r < 0)
		return r;
	c = xcalloc(1, sizeof(*c));
	c->http = http;
	c->server = (struct clickhouse_server){
		.url = clickhouse_copy(server->url),
		.database = clickhouse_copy(server->database),
		.user = clickhouse_copy(server->user),
		.password = clickhouse_copy(server->password),
		.patience = server->patience,
	};
	*ret = c;
	return 0;
}

/*
 * Appends the URL of a request. With wait_end_of_query the server answers when it is done, so that
 * the status shows the result; otherwise errors come in the middle of the rows.
 */
static void add_url(struct text *t, const struct clickhouse *c, const char *query)
{
	text_addf(t, "%s/?wait_end_of_query=1", c->server.url);
	if (c->server.database) {
		text_add(t, "&database=");
		http_escape(t, c->server.database);
	}
	if (query) {
		/*
		 * Rows beyond this number would become a block of their own; the default is a
		 * million. insert_distributed_sync makes a Distributed table answer only when the
		 * rows are stored at their destination.
		 */
		text_add(t, "&max_insert_block_size=1000000000&insert_distributed_sync=1&query=");
		http_escape(t, query);
	}
}

/*
 * Takes the sentence out of "Code: 60, e.displayText() = DB::Exception: Table x doesn't exist.,
 * e.what()...".
 */
static int clickhouse_explain(const struct clickhouse *c, const struct http_answer *a,
			      struct diag *diag)
{
	int r = clickhouse_errno(a->status, a->refusal.chars);
	const char *start = strstr(a->refusal.chars, "Exception: ");
	const char *text = start ? start + strlen("Exception: ") : a->refusal.chars;
	const char *behind = strstr(text, ", e.what()");
	size_t n = behind ? (size_t)(behind - text) : strcspn(text, "\n");

	if (n)
		diag_set(diag, r, "ClickHouse at %s: %.*s", c->server.url, (int)n, text);
	else
		diag_set(diag, r, "ClickHouse at %s answers with status %d", c->server.url,
			 a->status);
	if (r == -EACCES)
		diag_hint(diag,
			  "Is the user of the URL right, and its password where it is looked for?");
	else if (r == -ENOENT && strstr(a->refusal.chars, "Database"))
		diag_hint(diag, "Make it on the server: CREATE DATABASE name");
	return r;
}

static int clickhouse_post(struct clickhouse *c, const char *query, const struct text *body,
			   http_body_fn *take, void *arg, struct diag *diag)
{
	_cleanup_(text_done) struct text url = TEXT_EMPTY;
	_cleanup_(http_answer_done) struct http_answer answer = { .refusal = TEXT_EMPTY };
	struct http_request request = {
		.user = c->server.user,
		.password = c->server.password,
		.patience = c->server.patience,
		.body = body->chars,
		.size = body->length,
	};
	int r;

	add_url(&url, c, query);
	request.url = url.chars;
	r = http_post(c->http, &request, take, arg, &answer, diag);
	if (r < 0)
		return r;
	return answer.status == 200 ? 0 : clickhouse_explain(c, &answer, diag);
}

int clickhouse_run(struct clickhouse *c, const char *sql, struct diag *diag)
{
	const struct text body = { .chars = (char *)sql, .length = strlen(sql) };

	return clickhouse_post(c, NULL, &body, NULL, NULL, diag);
}

/* The state of reading the rows of one SELECT. */
struct selection {
	struct tab_reader reader;
	struct diag *diag;
};

static int clickhouse_take_rows(void *arg, const char *bytes, size_t n)
{
	struct selection *s = arg;

	return tab_reader_add(&s->reader, bytes, n, s->diag);
}

/*
 * Explains an error within the rows. A server or a proxy that does not wait for the end of the
 * query has reported success, and writes the error after the rows: the sentence is in the line that
 * is no row.
 */
static int explain_within(const struct clickhouse *c, const struct selection *s, int r,
			  struct diag *diag)
{
	const char *line = s->reader.line.chars;
	struct http_answer answer = { .status = 200, .refusal = TEXT_EMPTY };

	if (strncmp(line, "Code: ", 6) != 0 || !strstr(line, "Exception: "))
		return r;
	diag_done(diag);
	text_add(&answer.refusal, line);
	r = clickhouse_explain(c, &answer, diag);
	text_done(&answer.refusal);
	return r;
}

int clickhouse_select(struct clickhouse *c, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag)
{
	_cleanup_(text_done) struct text body = TEXT_EMPTY;
	struct selection s = { .diag = diag };
	int r;

	tab_reader_init(&s.reader, n_columns, row, arg);
	text_addf(&body, "%s FORMAT TabSeparated", sql);
	r = clickhouse_post(c, NULL, &body, clickhouse_take_rows, &s, diag);
	if (r >= 0)
		r = tab_reader_end(&s.reader, diag);
	if (r < 0)
		r = explain_within(c, &s, r, diag);
	tab_reader_done(&s.reader);
	return r;
}

int clickhouse_insert(struct clickhouse *c, const char *table, const struct text *rows,
		      struct diag *diag)
{
	_cleanup_(text_done) struct text query = TEXT_EMPTY;

	text_addf(&query, "INSERT INTO %s FORMAT TabSeparated", table);
	return rows->length ? clickhouse_post(c, query.chars, rows, NULL, NULL, diag) : 0;
}
