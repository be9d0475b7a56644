/* SPDX-License-Identifier: MIT */
#include "store/http.h"

#include <config.h>
#include <errno.h>
#include <string.h>

#include "base/diag.h"

void http_answer_done(struct http_answer *a)
{
	text_done(&a->refusal);
}

void http_escape(struct text *t, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		    strchr("-._~", c))
			text_add_char(t, (char)c);
		else
			text_addf(t, "%%%02X", c);
	}
}

#if HAVE_LIBCURL

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "base/cleanup.h"
#include "base/library.h"
#include "base/memory.h"
#include "store/host.h"
#include "store/patience.h"

/* The library with either TLS library; both have the same functions. */
#define LIBRARY        "libcurl.so.4"
#define LIBRARY_GNUTLS "libcurl-gnutls.so.4"

/*
 * The time that a server may take to accept a connection, and the time for which it may be silent
 * while it works.
 */
#define CONNECT_SECONDS 10L
#define SILENT_SECONDS  300L

/* At most this much of an error page is kept. */
#define REFUSAL_MAX 16384

/* The functions of the library that are called. */
struct http_functions {
	CURL *(*init)(void);
	void (*cleanup)(CURL *);
	void (*reset)(CURL *);
	CURLcode (*setopt)(CURL *, CURLoption, ...);
	CURLcode (*getinfo)(CURL *, CURLINFO, ...);
	CURLM *(*multi_init)(void);
	CURLMcode (*multi_cleanup)(CURLM *);
	CURLMcode (*multi_add)(CURLM *, CURL *);
	CURLMcode (*multi_remove)(CURLM *, CURL *);
	CURLMcode (*multi_perform)(CURLM *, int *);
	CURLMcode (*multi_wait)(CURLM *, struct curl_waitfd *, unsigned, int, int *);
	CURLMsg *(*multi_read)(CURLM *, int *);
	struct curl_slist *(*list_append)(struct curl_slist *, const char *);
	void (*list_free)(struct curl_slist *);
};

static const struct library_function functions[] = {
	{ "curl_easy_init", offsetof(struct http_functions, init) },
	{ "curl_easy_cleanup", offsetof(struct http_functions, cleanup) },
	{ "curl_easy_reset", offsetof(struct http_functions, reset) },
	{ "curl_easy_setopt", offsetof(struct http_functions, setopt) },
	{ "curl_easy_getinfo", offsetof(struct http_functions, getinfo) },
	{ "curl_multi_init", offsetof(struct http_functions, multi_init) },
	{ "curl_multi_cleanup", offsetof(struct http_functions, multi_cleanup) },
	{ "curl_multi_add_handle", offsetof(struct http_functions, multi_add) },
	{ "curl_multi_remove_handle", offsetof(struct http_functions, multi_remove) },
	{ "curl_multi_perform", offsetof(struct http_functions, multi_perform) },
	{ "curl_multi_wait", offsetof(struct http_functions, multi_wait) },
	{ "curl_multi_info_read", offsetof(struct http_functions, multi_read) },
	{ "curl_slist_append", offsetof(struct http_functions, list_append) },
	{ "curl_slist_free_all", offsetof(struct http_functions, list_free) },
};

struct http {
	struct http_functions call;
	CURL *curl;
	CURLM *multi; /* holds the connections; allows waiting in short steps */
	char problem[CURL_ERROR_SIZE];
};

/* A request in progress. */
struct exchange {
	struct http *http;
	http_body_fn *body;
	void *arg;
	struct http_answer *answer;
	int error; /* the result of @body */
};

static int http_no_library(struct diag *diag, const char *problem)
{
	diag_set(diag, -ENOENT, "HTTP needs libcurl (" LIBRARY "), which %s", problem);
	diag_hint(diag, "Install it: apt install libcurl4 (Debian, Ubuntu), dnf install libcurl "
			"(Fedora, RHEL), pacman -S curl (Arch), zypper install libcurl4 (SUSE)");
	return -ENOENT;
}

static int http_load(struct http_functions *f, struct diag *diag)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		library = dlopen(LIBRARY_GNUTLS, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return http_no_library(diag, "is not installed");
	if (!library_find(library, functions, ARRAY_SIZE(functions), f))
		return 0;
	return http_no_library(diag, "lacks functions");
}

struct http *http_free(struct http *h)
{
	if (h && h->curl)
		h->call.cleanup(h->curl);
	if (h && h->multi)
		h->call.multi_cleanup(h->multi);
	free(h);
	return NULL;
}

DEFINE_FREEP(http)

int http_new(struct http **ret, struct diag *diag)
{
	_cleanup_(http_freep) struct http *h = xcalloc(1, sizeof(*h));
	int r = http_load(&h->call, diag);

	if (r < 0)
		return r;
	h->curl = h->call.init();
	h->multi = h->call.multi_init();
	if (!h->curl || !h->multi)
		return diag_set(diag, -ENOMEM, "libcurl cannot be set up");
	*ret = TAKE(h);
	return 0;
}

/*
 * Takes a part of the body. This is libcurl's callback: returning fewer bytes than came ends the
 * transfer.
 */
static size_t take_body(char *bytes, size_t one, size_t n, void *arg)
{
	struct exchange *e = arg;
	struct text *refusal = &e->answer->refusal;
	long status = 0;

	(void)one;
	e->http->call.getinfo(e->http->curl, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200 || status > 299) {
		if (refusal->length < REFUSAL_MAX)
			text_add_bytes(refusal, bytes, n);
		return n;
	}
	if (e->body)
		e->error = e->body(e->arg, bytes, n);
	return e->error < 0 ? 0 : n;
}

static bool is_encrypted(const char *url)
{
	return !strncasecmp(url, "https://", 8);
}

static bool http_is_local(const struct http_request *q)
{
	size_t n;
	const char *host = host_of_url(q->url, &n);

	return host_is_local(host, n);
}

/* True if the request cannot be read on its way. */
static bool is_private(const struct http_request *q)
{
	return is_encrypted(q->url) || http_is_local(q);
}

static int http_check(const struct http_request *q, struct diag *diag)
{
	size_t n;
	const char *host = host_of_url(q->url, &n);

	if (!is_encrypted(q->url) && strncasecmp(q->url, "http://", 7))
		return diag_set(diag, -EINVAL, "%s is not a URL of HTTP", q->url);
	if (!q->password || is_private(q))
		return 0;
	diag_set(diag, -EACCES, "the password for %.*s would be sent unencrypted", (int)n, host);
	diag_hint(diag, "Use https:// for servers that are not on this machine.");
	return -EACCES;
}

static struct curl_slist *header_list(const struct http *h, const struct http_request *q)
{
	/* A body is sent immediately: "Expect: 100-continue" costs a second with some servers. */
	struct curl_slist *list = h->call.list_append(NULL, "Expect:");

	for (const char *const *line = q->headers; line && *line; line++)
		list = h->call.list_append(list, *line);
	return list;
}

static void http_set_options(struct http *h, const struct http_request *q, struct exchange *e,
			     struct curl_slist *headers)
{
	const struct http_functions *f = &h->call;

	f->reset(h->curl);
	f->setopt(h->curl, CURLOPT_URL, q->url);
	f->setopt(h->curl, CURLOPT_POST, 1L);
	f->setopt(h->curl, CURLOPT_POSTFIELDS, q->size ? q->body : "");
	f->setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->size);
	f->setopt(h->curl, CURLOPT_HTTPHEADER, headers);
	f->setopt(h->curl, CURLOPT_WRITEFUNCTION, take_body);
	f->setopt(h->curl, CURLOPT_WRITEDATA, e);
	f->setopt(h->curl, CURLOPT_ERRORBUFFER, h->problem);
	f->setopt(h->curl, CURLOPT_SSL_VERIFYPEER, 1L);
	f->setopt(h->curl, CURLOPT_SSL_VERIFYHOST, 2L);
	f->setopt(h->curl, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	f->setopt(h->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	f->setopt(h->curl, CURLOPT_LOW_SPEED_TIME, SILENT_SECONDS);
	/*
	 * No proxy is used: it would receive the password, and "localhost" is another machine
	 * there.
	 */
	if (http_is_local(q))
		f->setopt(h->curl, CURLOPT_PROXY, "");
	if (!q->password && is_private(q))
		f->setopt(h->curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	if (q->user || q->password) {
		f->setopt(h->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		f->setopt(h->curl, CURLOPT_USERNAME, q->user ? q->user : "");
		if (q->password)
			f->setopt(h->curl, CURLOPT_PASSWORD, q->password);
	}
}

static int http_errno_of(CURLcode code)
{
	switch (code) {
	case CURLE_URL_MALFORMAT:
		return -EINVAL;
	case CURLE_ABORTED_BY_CALLBACK:
		return -EINTR;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_USE_SSL_FAILED:
		return -EPROTO;
	default:
		return -EAGAIN;
	}
}

/*
 * Explains why there is no answer. The URL's query is left out, because it may be a long statement.
 */
static int http_explain(const struct http *h, const struct http_request *q, CURLcode code,
			struct diag *diag)
{
	int r = http_errno_of(code);

	diag_set(diag, r, "%.*s: %s", (int)strcspn(q->url, "?"), q->url,
		 h->problem[0] ? h->problem : "the server did not answer until now");
	if (r == -EPROTO)
		diag_hint(diag,
			  "The certificate must be for the host's name and signed by an authority "
			  "of this system.");
	else if (r == -EAGAIN)
		diag_hint(diag, "Is the server running there, and does it listen on that address?");
	return r;
}

/* Waits until something happens, or for a while. */
static void http_wait_a_while(struct http *h)
{
	struct timespec pause = { .tv_nsec = 10 * 1000000 };
	int n = 0;

	h->call.multi_wait(h->multi, NULL, 0, PATIENCE_LOOK_MS, &n);
	/* There was nothing to wait for, for example while a name is looked up. */
	if (!n)
		nanosleep(&pause, NULL);
}

static CURLcode http_perform(struct http *h, const struct http_request *q)
{
	CURLcode code = CURLE_ABORTED_BY_CALLBACK;
	int n_running = 1, n_left;
	CURLMsg *m;

	if (h->call.multi_add(h->multi, h->curl) != CURLM_OK)
		return CURLE_OUT_OF_MEMORY;
	while (h->call.multi_perform(h->multi, &n_running) == CURLM_OK && n_running &&
	       !patience_is_over(q->patience))
		http_wait_a_while(h);
	while ((m = h->call.multi_read(h->multi, &n_left)))
		if (m->msg == CURLMSG_DONE)
			code = m->data.result;
	h->call.multi_remove(h->multi, h->curl);
	return code;
}

int http_post(struct http *h, const struct http_request *request, http_body_fn *body, void *arg,
	      struct http_answer *answer, struct diag *diag)
{
	struct exchange e = { .http = h, .body = body, .arg = arg, .answer = answer };
	struct curl_slist *headers;
	CURLcode code;
	long status = 0;
	int r = http_check(request, diag);

	if (r < 0)
		return r;
	headers = header_list(h, request);
	h->problem[0] = '\0';
	text_clear(&answer->refusal);
	http_set_options(h, request, &e, headers);
	code = http_perform(h, request);
	h->call.getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	/* Neither the headers nor a password are kept. */
	h->call.reset(h->curl);
	h->call.list_free(headers);
	answer->status = (int)status;
	if (e.error < 0)
		return e.error;
	return code == CURLE_OK ? 0 : http_explain(h, request, code, diag);
}

#else

int http_new(struct http **ret, struct diag *diag)
{
	(void)ret;
	diag_set(diag, -ENOTSUP, "this perf was built without libcurl");
	diag_hint(diag, "Build it with libcurl4-openssl-dev (Debian, Ubuntu) or libcurl-devel "
			"(Fedora).");
	return -ENOTSUP;
}

struct http *http_free(struct http *h)
{
	return h;
}

/* This function cannot be called, because http_new() never succeeds in this build. */
int http_post(struct http *h, const struct http_request *request, http_body_fn *body, void *arg,
	      struct http_answer *answer, struct diag *diag)
{
	(void)h, (void)request, (void)body, (void)arg, (void)answer, (void)diag;
	return -ENOTSUP;
}

#endif
