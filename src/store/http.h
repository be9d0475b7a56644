/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Requests to a server over HTTP, through libcurl, which is loaded when it is first needed.
 *
 * Connections are kept between requests. Certificates of https are checked, always. Redirections
 * are not followed. User and password go into a header, never into a URL. Servers of this machine
 * are asked directly: a proxy of http_proxy may be elsewhere.
 */
#include <stddef.h>

#include "base/text.h"

struct diag;
struct http;
struct patience;

struct http_request {
	const char *url;            /* http:// or https://, without user and password */
	const char *const *headers; /* lines "Name: value", ended by NULL; or NULL */
	const char *user;           /* or NULL */
	const char *password;       /* NULL: what ~/.netrc has for the host, if it is there */
	const void *body;
	size_t size;
	const struct patience *patience; /* NULL: as long as the server says something */
};

/* Takes a piece of the body of an answer that is a success (2xx). A negative errno ends it. */
typedef int http_body_fn(void *arg, const char *bytes, size_t n);

/* `struct http_answer a = { .refusal = TEXT_EMPTY };` */
struct http_answer {
	int status;          /* 200 */
	struct text refusal; /* the beginning of the body, if the status is no success */
};

void http_answer_done(struct http_answer *a);

/*
 * Loads the library; to be called before there are threads. -ENOENT, -ENOTSUP with @diag: there is
 * no libcurl, in the system or in this build.
 */
int http_new(struct http **ret, struct diag *diag);
struct http *http_free(struct http *h); /* NULL is fine; returns NULL */

/*
 * Sends a POST and waits for the end of the answer, whatever its status; @body may be NULL. Errors,
 * with @diag: -EAGAIN: the server is away, or the answer was cut off; -EINTR: patience is over;
 * -EPROTO: its certificate is wrong; -EACCES: a password would travel over a network unencrypted;
 * what @body returned.
 */
int http_post(struct http *h, const struct http_request *request, http_body_fn *body, void *arg,
	      struct http_answer *answer, struct diag *diag);

/* Appends @s as a part of a URL: %27 for what may not stand there. */
void http_escape(struct text *t, const char *s);
