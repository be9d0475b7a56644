/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Shows the hosts of a fleet that are worth a look (tools/diff/fleet-model.h): those that differ
 * from the others of their side, and those that are in several sides. Private to tools/diff/.
 */
struct diff_fleet;
struct diff_view;
struct json;
struct text;

/* Appends lines that begin with '#'. */
void diff_hosts_add(struct text *out, const struct diff_view *v, const struct diff_fleet *f);

/* Writes the members "hosts", "outliers" and "in-several-sides" of the current object. */
void diff_hosts_write(struct json *j, const struct diff_fleet *f);
