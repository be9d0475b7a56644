/* SPDX-License-Identifier: MIT */
#pragma once
/* Profiles of a fleet (store/store.h) as weighted stacks. */
struct diag;
struct fleet_data;
struct stack_profile;

/* Adds the stacks of @d to @p. -EBADMSG with @diag: stacks form a cycle. */
int fleet_stacks(const struct fleet_data *d, struct stack_profile *p, struct diag *diag);

/* Adds the stacks that @url selects. Errors: those of fleet_url_parse() and fleet_read(). */
int fleet_read_stacks(const char *url, struct stack_profile *p, struct diag *diag);
