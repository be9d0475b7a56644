/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A cache of Python values for data of a recording: names of tasks, of images and of functions,
 * places. A name that occurs in a million samples is one str. Private to tools/script.
 *
 * Functions return borrowed references that live until the next call, unless they say "new". NULL:
 * Python's error is set, which only happens when memory is exhausted.
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
struct symbol;

enum python_key {
#define PYTHON_KEY(name) KEY_##name,
#include "tools/script/python/keys.def"
#undef PYTHON_KEY
	KEY_MAX,
};

/* The task that was looked up last, among those with the same low bits of the tid. */
struct python_task {
	uint32_t pid, tid;
	uint64_t generation;
	struct span span;
	PyObject *comm; /* borrowed from python_values.comms; NULL: not set yet */
};

#define PYTHON_TASKS 256

struct python_values {
	struct python_task tasks[PYTHON_TASKS];
	uint64_t seconds;
	PyObject *seconds_value; /* @seconds as a Python object */
	PyObject *keys[KEY_MAX];
	PyObject *empty; /* "" */
	struct u64_map comms, images, maps, sources;
	size_t n_places; /* the number of places in all images */
};

void python_values_init(struct python_values *v);
void python_values_done(struct python_values *v);

/* Forgets places when there are very many. It must be called between samples. */
void python_values_trim(struct python_values *v);

/* Returns the name of a task at @time. */
PyObject *python_values_comm(struct python_values *v, const struct session *s, uint32_t pid,
			     uint32_t tid, uint64_t time);

/* Returns the whole seconds of @time, a new reference. */
PyObject *python_values_seconds(struct python_values *v, uint64_t time);

/* Returns the meaning of PERF_SAMPLE_DATA_SRC in words. */
PyObject *python_values_data_source(struct python_values *v, uint64_t data_src);

/* An image whose symbols were looked up. */
struct python_image {
	struct image *image;
	PyObject *dso, *build_id;
	struct u64_map names;        /* str of the name of a symbol, by symbol */
	struct u64_map spots;        /* struct python_spot, by address */
	struct u64_map frames[4];    /* struct python_frames, by address, for each style */
	struct u64_map functions[2]; /* struct python_function, by symbol; [1]: with lines */
};

/* Returns the name of a symbol of the image. */
PyObject *python_image_name(struct python_image *im, const struct symbol *sym);

struct python_image *python_values_image(struct python_values *v, struct image *im);

/* The position of a map. */
struct python_map {
	PyObject *start, *end, *pgoff;
};

const struct python_map *python_values_map(struct python_values *v, const struct map *m);

/* The function at an address of an image. */
struct python_spot {
	PyObject *symbol, *symoff; /* NULL: none */
	PyObject *sum;             /* "main+0x3c", once it was requested; or NULL */
};

/* Looks up the symbol of @loc, whose map is not NULL. *@ret_image becomes its image. */
struct python_spot *python_values_spot(struct python_values *v, const struct location *loc,
				       struct python_image **ret_image);

/* Returns "main+0x3c", or "[unknown]", as shown for branches. */
PyObject *python_values_sum(struct python_values *v, const struct location *loc);

/* Sets @key to @value, and takes its reference. */
void python_put(const struct python_values *v, PyObject *dict, enum python_key key,
		PyObject *value);

/* Does the same, but the caller keeps its reference. */
void python_put_kept(const struct python_values *v, PyObject *dict, enum python_key key,
		     PyObject *value);
