/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Profiles of a fleet (store/store.h) as weighed stacks.
 */
struct diag;
struct fleet_data;
struct stack_profile;

/* Adds what @d has to @p. -EBADMSG with @diag: stacks go in a circle. */
int fleet_stacks(const struct fleet_data *d, struct stack_profile *p, struct diag *diag);

/* Adds what @url chooses. Errors: those of fleet_url_parse() and fleet_read(). */
int fleet_read_stacks(const char *url, struct stack_profile *p, struct diag *diag);
