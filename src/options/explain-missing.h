/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples without names, for every command that shows functions.
 */
struct invocation;
struct profile;

/* Tells on stderr how many samples of @p have no names, why, and what helps; on a terminal also
 * that no sample passes the filters. */
void command_explain_missing(const struct invocation *inv, const struct profile *p);
