/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which servers are reached without a network: what goes to others is encrypted, and their
 * certificates are checked.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the @n characters at @host are this machine: localhost, 127.x.x.x, ::1 (also in
 * brackets), the folder of a socket, or nothing. Names are not looked up.
 */
bool host_is_local(const char *host, size_t n);

/* Whether all hosts of a list with commas are. */
bool host_list_is_local(const char *hosts);

/* The host in @url, which follows "://" and "user@"; *@ret_length is its length. */
const char *host_of_url(const char *url, size_t *ret_length);
