/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of OpenTelemetry's profiles (opentelemetry-proto 1.10.0, profiles/v1development):
 * ProfilesData, and the ExportProfilesServiceRequest that servers accept, which has the same
 * fields.
 *
 * A message consists of resources, each with its profiles and their samples, and of a dictionary at
 * the end: tables to whose entries everything refers by index. The first entry of each table is
 * empty, and means none. The writer has the tables of strings, functions and attributes, and the
 * order of the stacks; mappings and locations are those of the caller, in whose order they are
 * written: the one with number i has index i + 1.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/contexts.h"
#include "base/text-table.h"
#include "base/u64-map.h"

struct protobuf;

struct otlp_list {
	uint64_t *items;
	size_t n, room;
};

struct otlp {
	/*
	 * When the key of an attribute enters the table of strings: when it is first used, or at
	 * the end.
	 */
	bool keys_first;
	/* private: */
	struct protobuf *p;
	struct text_table texts;
	struct text_table values;   /* keys and texts of attributes */
	struct contexts attributes; /* key, text + 1, number */
	struct contexts functions;  /* name, file: each once, whichever mapping has them */
	struct otlp_list stacks;    /* their keys */
	struct u64_map stack_of_key;
};

/* Begins a message, which is appended to @p. */
void otlp_init(struct otlp *o, struct protobuf *p);
void otlp_done(struct otlp *o);

/* An attribute of a resource. Those whose text is NULL are left out. */
struct otlp_text {
	const char *key, *text;
};

/* All profiles until otlp_end_resource() have the attributes @texts. */
void otlp_begin_resource(struct otlp *o, const struct otlp_text *texts, size_t n);
void otlp_end_resource(struct otlp *o);

/* A profile: values of one type. */
struct otlp_profile {
	const char *event, *unit; /* the unit of a period */
	bool counts_samples;      /* the values are numbers of samples, or else periods */
	bool has_time;
	uint64_t time_ns;     /* since 1970 */
	uint64_t duration_ns; /* 0: unknown */
	uint64_t period;      /* of each sample; 0: it varies */
	const int64_t *id;    /* two numbers, or NULL */
};

void otlp_begin_profile(struct otlp *o, const struct otlp_profile *profile);
void otlp_end_profile(struct otlp *o, const struct otlp_profile *profile);

/* Adds a sample. @stack and @attributes are indices. */
void otlp_add_sample(struct otlp *o, uint64_t stack, const uint64_t *attributes,
		     size_t n_attributes, uint64_t value);

/* Returns the index of the stack that the caller knows as @key; 0 for 0. */
uint64_t otlp_stack(struct otlp *o, uint64_t key);

/* Returns the index of an attribute: of @text, or if it is NULL, of @number. */
uint64_t otlp_attribute(struct otlp *o, const char *key, const char *text, uint64_t number);

/*
 * The dictionary, which ends the message: first all mappings, then all locations. A location's
 * functions are added innermost first.
 */
struct otlp_mapping {
	uint64_t start, end, offset;
	const char *file;
	const char *build_id; /* "": none */
};

void otlp_begin_dictionary(struct otlp *o);
void otlp_add_mapping(struct otlp *o, const struct otlp_mapping *m);
void otlp_begin_location(struct otlp *o, uint64_t mapping, uint64_t addr);
void otlp_add_line(struct otlp *o, const char *function, const char *file, uint64_t line);
void otlp_end_location(struct otlp *o);

/* @locations adds to @ret the indices of the locations of the stack @key, innermost first. */
void otlp_end_dictionary(struct otlp *o,
			 void (*locations)(void *arg, uint64_t key, struct otlp_list *ret),
			 void *arg);
