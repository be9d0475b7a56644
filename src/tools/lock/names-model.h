/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The source of names for the models of locks: a session that is read, a live one, or the code that
 * counts in the kernel. Texts live as long as the model, and may contain any bytes.
 */
#include <stdbool.h>
#include <stdint.h>

/* A function or an object, and the offset of an address in it. */
struct lock_symbol {
	const char *name;
	uint64_t offset;
};

struct lock_names {
	/*
	 * Finds the symbol at @addr: of the kernel, or of process @pid if the address belongs to
	 * user space. False: it has no name.
	 */
	bool (*symbol)(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret);
	/* Finds the address of the kernel's symbol @name. False: there is none. */
	bool (*find)(void *arg, const char *name, uint64_t *ret_addr);
	/* Returns the name of a thread; NULL: unknown. */
	const char *(*comm)(void *arg, uint32_t tid);
	/* Returns the path of a cgroup; NULL: unknown. */
	const char *(*cgroup)(void *arg, uint64_t id);
	void *arg;
};
