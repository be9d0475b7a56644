/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A parcel: a file with the tables of a store, complete in itself, that waits to be sent. It is an
 * SQLite file, so that no format of our own has to be supported for years.
 */
struct diag;
struct fleet_data;

/* Writes a new file. When the function returns, the rows are on the disk. */
int parcel_write(const char *path, const struct fleet_data *d, struct diag *diag);

/* Adds all rows of the file to @d. -EBADMSG with @diag: it is damaged. */
int parcel_read(const char *path, struct fleet_data *d, struct diag *diag);
