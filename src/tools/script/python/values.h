/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What of a recording was turned into Python's values before: names of tasks, of images and of
 * functions, places. A name that a million samples have is one str. Private to tools/script.
 *
 * Functions return borrowed references that live until the next call, unless they say "new". NULL:
 * Python's error is set, which only a lack of memory does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/python.h"
#include "base/u64-map.h"
#include "session/span.h"

struct image;
struct location;
struct map;
struct session;

enum python_key {
#define PYTHON_KEY(name) KEY_##name,
#include "tools/script/python/keys.def"
#undef PYTHON_KEY
	KEY_MAX,
};

/* The last task that was asked for of those with the same low bits of the tid. */
struct python_task {
	uint32_t pid, tid;
	uint64_t generation;
	struct span span;
	PyObject *comm; /* borrowed from python_values.comms; NULL: none yet */
};

#define PYTHON_TASKS 256

struct python_values {
	struct python_task tasks[PYTHON_TASKS];
	uint64_t seconds;
	PyObject *seconds_value; /* of @seconds */
	PyObject *keys[KEY_MAX];
	PyObject *empty; /* "" */
	struct u64_map comms, images, maps, sources;
	size_t n_places; /* of all images */
};

void python_values_init(struct python_values *v);
void python_values_done(struct python_values *v);

/* To be called between samples: forgets places once there are very many. */
void python_values_trim(struct python_values *v);

/* The name of a task at @time. */
PyObject *python_values_comm(struct python_values *v, const struct session *s, uint32_t pid,
			     uint32_t tid, uint64_t time);

/* The whole seconds of @time: a new reference. */
PyObject *python_values_seconds(struct python_values *v, uint64_t time);

/* What PERF_SAMPLE_DATA_SRC says, in words. */
PyObject *python_values_data_source(struct python_values *v, uint64_t data_src);

/* An image, once its symbols were looked for. */
struct python_image {
	struct image *image;
	PyObject *dso, *build_id;
	struct u64_map spots;     /* struct python_spot, by address */
	struct u64_map frames[4]; /* struct python_frames, by address, for each style */
};

struct python_image *python_values_image(struct python_values *v, struct image *im);

/* Where a map lies. */
struct python_map {
	PyObject *start, *end, *pgoff;
};

const struct python_map *python_values_map(struct python_values *v, const struct map *m);

/* The function at an address of an image. */
struct python_spot {
	PyObject *symbol, *symoff; /* NULL: none */
	PyObject *sum;             /* "main+0x3c", once it was asked for; or NULL */
};

/* Looks the symbol of @loc up, whose map is not NULL. *@ret_image: its image. */
struct python_spot *python_values_spot(struct python_values *v, const struct location *loc,
				       struct python_image **ret_image);

/* "main+0x3c", or "[unknown]", as branches show it. */
PyObject *python_values_sum(struct python_values *v, const struct location *loc);

/* Puts @value, whose reference it takes, under @key. */
void python_put(const struct python_values *v, PyObject *dict, enum python_key key,
		PyObject *value);

/* The same for a reference that the caller keeps. */
void python_put_kept(const struct python_values *v, PyObject *dict, enum python_key key,
		     PyObject *value);
