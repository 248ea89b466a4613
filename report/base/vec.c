/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/vec.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

void *rp_vec_push_(void **at, size_t *count, size_t *capacity, size_t size)
{
	char *element;

	if (*count == *capacity) {
		size_t grown = *capacity ? *capacity * 2 : 8;
		void *moved = reallocarray(*at, grown, size);

		if (!moved)
			return NULL;
		*at = moved;
		*capacity = grown;
	}
	element = (char *)*at + *count * size;
	memset(element, 0, size);
	(*count)++;
	return element;
}

void rp_vec_release_(void **at, size_t *count, size_t *capacity)
{
	free(*at);
	*at = NULL;
	*count = *capacity = 0;
}

/* Takes ownership of `copy`, also on failure. */
static int strings_take(rp_strings *list, char *copy)
{
	char **slot = copy ? rp_vec_push(list) : NULL;

	if (!slot) {
		free(copy);
		return -ENOMEM;
	}
	*slot = copy;
	return 0;
}

int rp_strings_add(rp_strings *list, const char *text)
{
	return strings_take(list, strdup(text));
}

int rp_strings_addf(rp_strings *list, const char *fmt, ...)
{
	struct rp_str s = RP_STR_INIT;
	va_list args;

	va_start(args, fmt);
	rp_str_vaddf(&s, fmt, args);
	va_end(args);
	return strings_take(list, rp_str_detach(&s));
}

void rp_strings_release(rp_strings *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->at[i]);
	rp_vec_release(list);
}
