/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events by the names that libpfm4 knows (`--pfm-events`): thousands of vendors' events, with their
 * own syntax, "INST_RETIRED:ANY_P:u:c=1". A build without the library reports an error.
 */
struct diag;
struct event_list;

/*
 * Appends the events of @text, names with commas between and groups in braces, to @l. -EINVAL
 * (wrong syntax), -ENOENT (unknown here), -EOPNOTSUPP (libpfm4 cannot be asked) with @diag marking
 * the place. @l is unchanged on failure.
 */
int pfm_events_parse(struct event_list *l, const char *text, struct diag *diag);
