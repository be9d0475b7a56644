/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the models of locks get names from: a session that is read, a live one, or whoever counts
 * in the kernel. Texts live as long as the model does, and may hold anything.
 */
#include <stdbool.h>
#include <stdint.h>

/* A function or an object, and where in it an address lies. */
struct lock_symbol {
	const char *name;
	uint64_t offset;
};

struct lock_names {
	/*
	 * What lies at @addr: of the kernel, or of process @pid if the address is one of user
	 * space. False: it has no name.
	 */
	bool (*symbol)(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret);
	/* Where the kernel's symbol @name is. False: there is none. */
	bool (*find)(void *arg, const char *name, uint64_t *ret_addr);
	/* The name of a thread; NULL: not known. */
	const char *(*comm)(void *arg, uint32_t tid);
	/* The path of a cgroup; NULL: not known. */
	const char *(*cgroup)(void *arg, uint64_t id);
	void *arg;
};
