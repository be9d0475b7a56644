/* SPDX-License-Identifier: MIT */
#pragma once
/* Explanations for samples without names, for every command that shows functions. */
struct invocation;
struct profile;

/*
 * Reports on stderr how many samples of @p have no names, why, and what helps. On a terminal it
 * also reports that no sample passes the filters.
 */
void command_explain_missing(const struct invocation *inv, const struct profile *p);
