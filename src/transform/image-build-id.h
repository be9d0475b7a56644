/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The build-id of an image: as it was recorded, or as this machine has the image.
 */
struct build_id;
struct build_id_entry;
struct image;
struct session;

/* Negative: there is none, or its file is gone. */
int image_find_build_id(struct image *im, struct build_id *ret);

/*
 * How an image of @s with the build-id @id is listed in a file: with the identity of its file, if
 * other images have the same name. The caller frees its filename.
 */
struct build_id_entry image_build_id_entry(const struct session *s, const struct image *im,
					   const struct build_id *id);
