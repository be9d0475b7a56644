/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tells which servers are reached without a network. Data sent to other servers is encrypted, and
 * their certificates are checked.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * True if the @n characters at @host are this machine: localhost, 127.x.x.x, ::1 (also in
 * brackets), the folder of a socket, or nothing. Names are not looked up.
 */
bool host_is_local(const char *host, size_t n);

/* True if all hosts of a list, separated by commas, are this machine. */
bool host_list_is_local(const char *hosts);

/* Returns the host in @url, which follows "://" and "user@"; *@ret_length is its length. */
const char *host_of_url(const char *url, size_t *ret_length);
