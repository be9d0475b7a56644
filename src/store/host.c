/* SPDX-License-Identifier: MIT */
#include "store/host.h"

#include <string.h>
#include <strings.h>

static bool host_equals(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && !strncasecmp(s, word, n);
}

/*
 * True if @s is a loopback address. A name may begin with 127. too, and be any machine: only four
 * numbers are an address.
 */
static bool is_loopback(const char *s, size_t n)
{
	size_t dots = 0;

	if (n < 4 || memcmp(s, "127.", 4))
		return false;
	for (size_t i = 0; i < n; i++) {
		dots += s[i] == '.';
		if (s[i] != '.' && (s[i] < '0' || s[i] > '9'))
			return false;
	}
	return dots == 3;
}

bool host_is_local(const char *host, size_t n)
{
	return !n || host[0] == '/' || host[0] == '@' || host_equals(host, n, "localhost") ||
	       host_equals(host, n, "::1") || host_equals(host, n, "[::1]") || is_loopback(host, n);
}

bool host_list_is_local(const char *hosts)
{
	for (const char *at = hosts;; at++) {
		size_t n = strcspn(at, ",");

		if (!host_is_local(at, n))
			return false;
		at += n;
		if (!*at)
			return true;
	}
}

const char *host_of_url(const char *url, size_t *ret_length)
{
	const char *colon = strstr(url, "://");
	const char *host = colon ? colon + 3 : url;
	size_t n = strcspn(host, "/?#");
	const char *at = memrchr(host, '@', n);

	if (at) {
		n -= (size_t)(at + 1 - host);
		host = at + 1;
	}
	if (n && host[0] == '[') {
		const char *end = memchr(host, ']', n);

		*ret_length = end ? (size_t)(end + 1 - host) : n;
		return host;
	}
	*ret_length = strcspn(host, ":/?#");
	return host;
}
