/* SPDX-License-Identifier: MIT */
/*
 * Features that are one text (HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID) or a list of them
 * (CMDLINE), and the texts inside others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "datafile/feature.h"

#define TEXT_ALIGN 64

char *feature_text_take(struct cursor *c)
{
	uint32_t length = cursor_u32(c);
	const uint8_t *p = cursor_bytes(c, length);

	return p ? xstrndup((const char *)p, length) : xstrdup("");
}

void feature_text_put(struct bytes *out, const char *s)
{
	size_t length;

	s = s ? s : "";
	length = strlen(s) + 1;
	bytes_u32(out, (uint32_t)((length + TEXT_ALIGN - 1) / TEXT_ALIGN * TEXT_ALIGN));
	bytes_string(out, s, TEXT_ALIGN);
}

void string_list_take(struct cursor *c, struct string_list *l)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++)
		*ARRAY_ADD(l) = feature_text_take(c);
}

void string_list_put(struct bytes *out, const struct string_list *l)
{
	bytes_u32(out, (uint32_t)l->n);
	for (size_t i = 0; i < l->n; i++)
		feature_text_put(out, l->items[i]);
}

void string_list_done(struct string_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i]);
	free(l->items);
	*l = (struct string_list){ 0 };
}

static void text_decode(void *member, struct cursor *c, const struct features *known)
{
	char **text = member;

	(void)known;
	*text = feature_text_take(c);
}

static void text_encode(const void *member, struct bytes *out)
{
	char *const *text = member;

	feature_text_put(out, *text);
}

static void text_free(void *member)
{
	char **text = member;

	free(*text);
}

static void list_decode(void *member, struct cursor *c, const struct features *known)
{
	(void)known;
	string_list_take(c, member);
}

static void list_encode(const void *member, struct bytes *out)
{
	string_list_put(out, member);
}

static void list_done(void *member)
{
	string_list_done(member);
}

#define TEXT(member)                                                                               \
	{                                                                                          \
		FEATURE_AT(member), .decode = text_decode, .encode = text_encode,                  \
				    .done = text_free                                              \
	}

const struct feature_codec feature_hostname = TEXT(hostname);
const struct feature_codec feature_os_release = TEXT(os_release);
const struct feature_codec feature_version = TEXT(version);
const struct feature_codec feature_arch = TEXT(arch);
const struct feature_codec feature_cpu_desc = TEXT(cpu_desc);
const struct feature_codec feature_cpu_id = TEXT(cpu_id);

const struct feature_codec feature_cmdline = {
	FEATURE_AT(cmdline),
	.decode = list_decode,
	.encode = list_encode,
	.done = list_done,
};
