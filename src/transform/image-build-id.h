/* SPDX-License-Identifier: MIT */
#pragma once
/* The build-id of an image: the recorded one, or that of the image on this machine. */
struct build_id;
struct build_id_entry;
struct image;
struct session;

/* Finds the build-id of @im. Negative: there is none, or its file is gone. */
int image_find_build_id(struct image *im, struct build_id *ret);

/*
 * Returns the entry for an image of @s with the build-id @id in a file's list. It has the identity
 * of the image's file if other images have the same name. The caller frees its filename.
 */
struct build_id_entry image_build_id_entry(const struct session *s, const struct image *im,
					   const struct build_id *id);
