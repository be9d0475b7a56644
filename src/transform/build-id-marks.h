/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Inserts a BUILD_ID record for each image before the first sample that needs it: for streams,
 * which have no table of them, and for recordings that go to another machine.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct build_id_marks;
struct known_build_ids;
struct session;
struct transform;
struct build_id;
struct image;

struct build_id_marks_options {
	const struct session *session;
	bool all_images;                     /* from their first map on, even without samples */
	const struct known_build_ids *known; /* have priority over those of files; or NULL */
	const char *vmlinux;                 /* the kernel's file; NULL: the running kernel */
};

/* Finds the build-id of @im in the sources of @o. Negative: it is unknown. */
int build_id_marks_find(const struct build_id_marks_options *o, struct image *im,
			struct build_id *ret);

/* Everything in @o is borrowed. */
struct build_id_marks *build_id_marks_new(const struct build_id_marks_options *o);
void build_id_marks_free(struct build_id_marks *m);
DEFINE_FREEP(build_id_marks)

struct transform *build_id_marks_transform(struct build_id_marks *m);

/* Return the number of images that got a record, and of those without a known build-id. */
uint64_t build_id_marks_made(const struct build_id_marks *m);
uint64_t build_id_marks_missed(const struct build_id_marks *m);
