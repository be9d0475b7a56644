/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What listings of functions are made with, as a request says: code, source files, and a
 * disassembler for each thread that makes them.
 */
#include <pthread.h>

#include "profile/listing.h"

struct access_types;
struct annotate_request;
struct diag;

struct listing_kit {
	struct listing_tools *tools; /* one for each thread */
	unsigned n;
	/* Private: */
	struct code_store *code;
	struct text_files *sources;
	pthread_mutex_t lock; /* of making disassemblers */
};

/*
 * For @n threads. The texts of @how are borrowed. -EINVAL with @diag: there is no such style of
 * assembly; listing_kit_done() is called in any case. One that is all zeros has nothing.
 */
int listing_kit_init(struct listing_kit *k, const struct annotate_request *how, unsigned n,
		     struct diag *diag);
/* Listings also tell what types instructions access; @types is borrowed. */
void listing_kit_set_types(struct listing_kit *k, struct access_types *types);
void listing_kit_done(struct listing_kit *k);
