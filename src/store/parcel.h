/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows on their way: a file with the tables of a store, complete in itself, that waits to be sent.
 * SQLite writes it, so that no format of our own needs to be understood for years.
 */
struct diag;
struct fleet_data;

/* Writes a new file. When it returns, the rows are on the disk. */
int parcel_write(const char *path, const struct fleet_data *d, struct diag *diag);

/* Adds all rows to @d. -EBADMSG with @diag: it is damaged. */
int parcel_read(const char *path, struct fleet_data *d, struct diag *diag);
