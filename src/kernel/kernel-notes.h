/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The build-ids of the running kernel and of its loaded modules, from the ELF notes in sysfs.
 * Errors are those of reading the file; -ENODATA: its notes have no build-id.
 */
struct build_id;

/* Reads that of the running kernel (/sys/kernel/notes). */
int build_id_of_kernel(struct build_id *ret);

/* Reads that of the loaded module @name ("nf_tables"; /sys/module/NAME/notes). */
int build_id_of_module(const char *name, struct build_id *ret);
