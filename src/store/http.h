/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Requests to a server over HTTP, through libcurl, which is loaded when it is first needed.
 *
 * Connections are kept between requests. Certificates of https are always checked. Redirections are
 * not followed. User and password go into a header, never into a URL. Servers of this machine are
 * contacted directly, because a proxy of http_proxy may be on another machine.
 */
#include <stddef.h>

#include "base/text.h"

struct diag;
struct http;
struct patience;

struct http_request {
	const char *url;            /* http:// or https://, without user and password */
	const char *const *headers; /* lines "Name: value", terminated by NULL; or NULL */
	const char *user;           /* or NULL */
	const char *password;       /* NULL: the entry of ~/.netrc for the host, if there is one */
	const void *body;
	size_t size;
	const struct patience *patience; /* NULL: as long as the server responds */
};

/* Takes a piece of the body of a successful answer (2xx). A negative errno ends the transfer. */
typedef int http_body_fn(void *arg, const char *bytes, size_t n);

/* The answer. Initialise it with `struct http_answer a = { .refusal = TEXT_EMPTY };`. */
struct http_answer {
	int status;          /* such as 200 */
	struct text refusal; /* the beginning of the body, if the status is no success */
};

void http_answer_done(struct http_answer *a);

/*
 * Loads the library; to be called before there are threads. -ENOENT, -ENOTSUP with @diag: there is
 * no libcurl, in the system or in this build.
 */
int http_new(struct http **ret, struct diag *diag);
struct http *http_free(struct http *h); /* accepts NULL; returns NULL */

/*
 * Sends a POST and waits for the end of the answer, whatever its status; @body may be NULL. Errors,
 * with @diag: -EAGAIN: the server is unreachable, or the answer was cut off; -EINTR: patience is
 * over; -EPROTO: its certificate is wrong; -EACCES: a password would be sent over a network
 * unencrypted; or the result of @body.
 */
int http_post(struct http *h, const struct http_request *request, http_body_fn *body, void *arg,
	      struct http_answer *answer, struct diag *diag);

/* Appends @s as a part of a URL: characters that are not allowed there are written like %27. */
void http_escape(struct text *t, const char *s);
